/**
 * What the hooks of a coding agent do to the active ledger. Failures go to the log and are shown to the agent, but stop
 * nothing.
 */

import type { AgentSignal } from '../../core/agents/agent-signal.ts'
import { readEntries } from '../../core/agents/agents.ts'
import type { ActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { isBeatDue, saysNothing } from '../../core/active-ledger/active-ledger.ts'
import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import { beadWordsIn, trackWordIn } from '../../core/active-ledger/agent-words.ts'
import { activeLedgerContext } from '../../core/active-ledger/context-text.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { pathInWorktree } from '../../core/shadow/shadow-paths.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import type { ActiveContext } from './active-file.ts'
import {
  agentWriter,
  isKeptByHooks,
  livingOwner,
  nowOf,
  readActive,
  timeOf,
} from './active-file.ts'
import { bindActive, changeActive, endActive, handOff, loadActive } from './change-active.ts'

/** Text for the agent: the ledger at a session's start, or why a prompt could not bind it. */
export async function followInActive(
  context: SessionContext,
  signal: AgentSignal,
): Promise<string> {
  const isShown = ['session_start', 'turn_start'].includes(signal.kind)
  try {
    const settings = await readSettings(context.repository)
    if (!isKeptByHooks({ session: context, settings })) return ''
    const writer = agentWriter(signal.session, signal.agent)
    return await follow({ session: context, settings, writer }, signal)
  } catch (error) {
    const { code = (error as Error).name, message } = error as Error & { code?: unknown }
    context.log(`session ${signal.session}: active ledger: ${String(code)}`)
    return isShown && error instanceof LedgerError ? `${ACTIVE_FILE}: ${message}` : ''
  }
}

async function follow(context: ActiveContext, signal: AgentSignal): Promise<string> {
  const { kind, subagent } = signal
  if (kind === 'tool_used') await followTool(context, signal)
  if (subagent !== undefined) return ''
  switch (kind) {
    case 'session_start':
      return start(context)
    case 'turn_start':
      await followPrompt(context, signal.prompt ?? '')
      break
    case 'turn_end':
      await followReads(context, signal)
      break
    case 'before_compaction':
      await endActive(context, 'pre-compact', { isWanted: (ledger) => isOwn(context, ledger) })
      break
    case 'session_end':
      await end(context, signal)
      break
    default:
  }
  return ''
}

const isOwn = ({ writer }: ActiveContext, { session_id: id }: ActiveLedger) => id === writer.session

/** Loads the ledger. If it belongs to another live session, says so and only reads it. */
async function start(context: ActiveContext): Promise<string> {
  const found = await readActive(context)
  const owner = found && livingOwner(context, found.ledger)
  if (found !== undefined && owner !== undefined) {
    const note = `${ACTIVE_FILE} belongs to session ${owner}, which is active in this worktree: read it, do not change it.`
    return activeLedgerContext(found.ledger, note)
  }
  const { ledger, archived } = await loadActive(context)
  const note =
    archived === undefined ? '' : `The ledger of an earlier session was archived: ${archived}`
  return activeLedgerContext(ledger, note)
}

/** Writes only if a heartbeat is due, files are not listed yet, or a bead changes. */
async function followTool(context: ActiveContext, { tool, cwd }: AgentSignal): Promise<void> {
  if (tool === undefined) return
  const found = await readActive(context)
  const ledger = found?.ledger
  const words = beadWordsIn(tool.command ?? '')
  // If there is no ledger, only a claim creates one.
  if (ledger === undefined && !words.some(({ kind }) => kind === 'claim')) return
  if (ledger !== undefined && livingOwner(context, ledger) !== undefined) return
  const before = ledger?.bound_bead ?? null
  const bead = words.reduce(
    (bound, { kind, bead }) => (kind === 'claim' ? bead : bound === bead ? null : bound),
    before,
  )
  const modified = newPaths(context, tool.files, ledger?.modified ?? [], cwd)
  const read = newPaths(context, tool.reads ?? [], ledger?.read ?? [], cwd)
  const isOld = ledger !== undefined && isOwn(context, ledger) && !isBeatDue(ledger, nowOf(context))
  if (isOld && bead === before && modified.length + read.length === 0) return
  const fields = { heartbeat: timeOf(context), ...(bead !== before && { bound_bead: bead }) }
  await changeActive(context, { fields, modified, read })
}

/** Paths relative to the top of the worktree, without files outside it and files that are already listed. */
function newPaths(
  { session }: ActiveContext,
  files: readonly string[],
  known: readonly string[],
  cwd = session.folder,
): string[] {
  const paths = files.flatMap((file) => pathInWorktree(file, session.tops, cwd) ?? [])
  return [...new Set(paths)].filter((path) => path !== ACTIVE_FILE && !known.includes(path))
}

async function followPrompt(context: ActiveContext, prompt: string): Promise<void> {
  const word = trackWordIn(prompt)
  if (word === undefined) return
  if (word.kind === 'implement') await bindActive(context, { track: word.track })
  // The turn that starts now finishes the track, and may still write here; the file is removed when it says so.
  else await handOff(context, 'track-complete', { isRemoved: false })
}

/** How many bytes at the end of the log are searched. */
const TAIL_BYTES = 512 * 1024

/** Records files that were read: only the log reports them, no hook does. */
async function followReads(
  context: ActiveContext,
  { transcript, agent, cwd }: AgentSignal,
): Promise<void> {
  const found = await readActive(context)
  if (found === undefined || transcript === undefined || !isOwn(context, found.ledger)) return
  const tail = context.session.transcripts.readTail(transcript, TAIL_BYTES)
  const entries = tail === undefined ? [] : readEntries(agent, tail)
  const turn = entries.slice(entries.findLastIndex(({ kind }) => kind === 'prompt') + 1)
  const files = turn.flatMap((entry) => (entry.kind === 'tool' ? (entry.tool.reads ?? []) : []))
  const read = newPaths(context, files, found.ledger.read, cwd)
  if (read.length > 0) await changeActive(context, { read })
}

/** Ends the ledger once: without a heartbeat, it has already ended. After `/clear` the same work continues. */
async function end(context: ActiveContext, { session, reason }: AgentSignal): Promise<void> {
  const state = context.session.sessions.read(session)
  if (state !== undefined && state.phase !== 'ended') return
  const isWanted = (ledger: ActiveLedger) =>
    isOwn(context, ledger) && ledger.heartbeat !== null && !saysNothing(ledger)
  await endActive(context, 'session-end', { isWanted, isCopy: reason === 'clear' })
}
