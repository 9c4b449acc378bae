/**
 * The part of `install` that concerns coding agents: hooks in their settings, texts for Claude Code.
 *
 * An agent that is asked for must be connected, or nothing at all is installed. One that an earlier
 * install connected is kept up to date, as long as something of ours is still there: what the user took
 * out stays out.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import { markedText, stateOfText } from '../../core/agents/agent-text.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { FilesPort, RepositoryPort } from '../ports.ts'
import { AGENT_TEXTS, connectFile, connectionOf, isConnected } from '../agents/agent-files.ts'
import type { InstallWriter } from './install-writer.ts'

export interface AgentOptions {
  readonly agents?: readonly AgentName[]
  /** Texts for agents by template; without them, texts that are there stay as they are. */
  readonly agentTexts?: Readonly<Record<string, string>>
}

interface AgentContext extends AgentOptions {
  readonly repository: RepositoryPort
  readonly files: FilesPort
  readonly local: boolean
  readonly dryRun: boolean
}

interface AgentReport {
  readonly notes: readonly string[]
  /** Tracked files, from the top of the worktree. */
  readonly commit: readonly string[]
}

/** Paths that git must be told to ignore: settings of one clone. */
export function localSettings(
  { agents = [], local }: AgentContext,
  writer: InstallWriter,
): string[] {
  return AGENT_NAMES.flatMap((agent) => {
    const { localFile } = AGENTS[agent]
    if (localFile === undefined) return []
    const isWanted = (local && agents.includes(agent)) || writer.hasRecorded(`/${localFile}`)
    return isWanted ? [localFile] : []
  })
}

export async function installAgents(
  context: AgentContext,
  writer: InstallWriter,
): Promise<AgentReport> {
  const { agents = [], local } = context
  const { top } = context.repository.place
  if (top === undefined) {
    if (agents.length === 0) return { notes: [], commit: [] }
    throw new LedgerError(
      'NO_WORKTREE',
      'this is a bare repository: agents read their settings in a worktree',
      'ledger-git install --agent NAME in a worktree',
    )
  }
  const reports: AgentReport[] = []
  for (const agent of AGENT_NAMES) {
    const { file, localFile } = AGENTS[agent]
    const isAsked = agents.includes(agent)
    if (!local) reports.push(connectOne(agent, file, isAsked, top, context, writer))
    if (localFile !== undefined) {
      const isAskedHere = isAsked && local
      if (isAskedHere) await refuseTracked(localFile, context.repository)
      reports.push(connectOne(agent, localFile, isAskedHere, top, context, writer))
    } else if (isAsked && local) throw noLocalFile(agent)
  }
  if (!local) reports.push(...writeTexts(agents.includes('claude'), top, context, writer))
  const notes = reports.flatMap(({ notes }) => notes)
  const commit: string[] = []
  for (const file of reports.flatMap((report) => report.commit)) {
    if (!writer.changes.some(({ path }) => path === `${top}/${file}`)) continue
    if (await isOutOfReach(file, context)) {
      notes.push(
        `${file} cannot be committed (git ignores it, or a link leads to it): it is for this clone only`,
      )
    } else commit.push(file)
  }
  return { notes, commit }
}

/** As far as it can be told: a dry run has not written the file. */
async function isOutOfReach(file: string, { repository, dryRun }: AgentContext): Promise<boolean> {
  if (dryRun || (await repository.index.list(file)).length > 0) return false
  const untracked = await repository.worktree.untracked(file.slice(0, file.lastIndexOf('/')))
  return !untracked.some((path) => nameToText(path) === file)
}

function connectOne(
  agent: AgentName,
  file: string,
  isAsked: boolean,
  top: string,
  { files }: AgentContext,
  writer: InstallWriter,
): AgentReport {
  const { title, localFile, note } = AGENTS[agent]
  const path = `${top}/${file}`
  const old = writer.recorded(path)
  const connection = connectionOf(path, agent, files)
  if (!isAsked && old === undefined) return NOTHING
  if (!isAsked && typeof connection !== 'string' && !isConnected(connection)) return NOTHING
  const result = connectFile(path, agent, old?.pieces ?? [], files)
  if (typeof result === 'string') {
    if (isAsked) throw cannotConnect(path, result, title)
    return { notes: [`${path} ${result}: left alone`], commit: [] }
  }
  writer.agentSettings(path, result.text, result.pieces, `hooks for ${title}`)
  const isNew = isAsked && !isConnected(connection)
  return {
    notes: isNew && note !== undefined ? [note] : [],
    commit: file === localFile ? [] : [file],
  }
}

const NOTHING: AgentReport = { notes: [], commit: [] }

function cannotConnect(path: string, why: string, title: string): LedgerError {
  return new LedgerError(
    'AGENT_SETTINGS',
    `${path} ${why}, so ${title} cannot be connected; nothing was installed`,
    'mend the file, then run the command again',
  )
}

function noLocalFile(agent: AgentName): LedgerError {
  return new LedgerError(
    'USAGE',
    `${AGENTS[agent].title} has no settings for one clone only`,
    `ledger-git install --agent ${agent}, without --local`,
  )
}

async function refuseTracked(file: string, { index }: RepositoryPort): Promise<void> {
  const tracked = await index.list(file)
  if (tracked.length === 0) return
  throw new LedgerError(
    'AGENT_SETTINGS',
    `${file} is in git, and --local writes nothing that git tracks`,
    `git rm --cached ${file}, or leave --local out`,
  )
}

function writeTexts(
  isAsked: boolean,
  top: string,
  { files, agentTexts = {} }: AgentContext,
  writer: InstallWriter,
): AgentReport[] {
  return Object.entries(AGENT_TEXTS).map(([file, template]) => {
    const path = `${top}/${file}`
    const text = agentTexts[template]
    if (text === undefined || (!isAsked && writer.recorded(path) === undefined)) return NOTHING
    const wanted = markedText(text)
    const kind = files.kind(path)
    const before = kind === 'file' ? files.read(path) : undefined
    if (kind === 'absent' && !isAsked) return NOTHING // the user took it out
    const state = before === undefined ? kind : stateOfText(before, wanted)
    if (state === 'edited' || state === 'other') {
      return isAsked
        ? { notes: [`${file} is not as ledger-git wrote it, and stays`], commit: [] }
        : NOTHING
    }
    if (state === 'newer' || (state === 'current' && writer.recorded(path) === undefined)) {
      return NOTHING
    }
    writer.team(
      path,
      before === undefined || state === 'older' ? wanted : before,
      'for Claude Code',
    )
    return { notes: [], commit: [file] }
  })
}
