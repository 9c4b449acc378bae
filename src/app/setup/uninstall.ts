/** Removes what `install` wrote and nothing else. Events and committed ledgers belong to the user and stay. */

import type { AgentName } from '../../core/agents/agents.ts'
import { withoutPiece } from '../../core/text/json-edits.ts'
import { disconnect, editedEvents, isNothing } from '../../core/agents/agent-settings.ts'
import { takeStatusLine } from '../../core/agents/status-line-setting.ts'
import { isUnedited } from '../../core/agents/agent-text.ts'
import { removeBlock, withoutHalfBlocks } from '../../core/setup/marked-block.ts'
import { withoutInclude } from '../../core/setup/config-include.ts'
import { hookBlock, isWrapper } from '../../core/setup/install-texts.ts'
import { connectedAgents, filesOf, textsOf } from '../agents/agent-files.ts'
import { forgetAll } from '../commit/event-copies.ts'
import { isRendering } from '../commit/refresh-current.ts'
import { fileOfPath } from '../ledger/ledger-sources.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import { stopHiding, removeStateFile } from './hidden-paths.ts'
import type { InstallReport, Recorded, Removal } from './install-record.ts'
import { contextMarker, KINDS, readRecord, recordPath, recordText } from './install-record.ts'
import { giveBack, hasKept, keptPath, takeOutKept } from './kept-hook.ts'
import { movedHooks, ownHooks, unrecorded } from './our-places.ts'
import type { Setup } from './setup.ts'

export interface UninstallOptions {
  readonly dryRun: boolean
  /** Only disconnect these agents, whoever connected them; everything else stays. */
  readonly agents?: readonly AgentName[]
}

export function uninstall(setup: Setup, options: UninstallOptions): Promise<InstallReport> {
  return options.dryRun ? run(setup, options) : setup.locked(() => run(setup, options))
}

async function run(
  setup: Setup,
  { dryRun, agents = [] }: UninstallOptions,
): Promise<InstallReport> {
  const { files, repository } = setup
  const { place } = repository
  const ownFolder = `${place.commonDir}/ledger-git`
  const staying = connectedAgents(place.top, files).filter((agent) => !agents.includes(agent))
  const shared = new Set(Object.keys(textsOf(staying)))
  const names = filesOf(agents).filter((name) => !shared.has(name))
  const isAll = agents.length === 0
  // True if no agent remains whose context could be followed.
  const isUnfollowed = isAll || staying.length === 0
  const isMeant = ({ path, isForContext = false }: Recorded) =>
    isAll ||
    names.some((name) => path.endsWith(`/${name}`)) ||
    (isForContext && agents.includes('claude')) ||
    (isUnfollowed && path === contextMarker(place.commonDir))
  const record = readRecord(files, place)
  const recorded = record.edits.filter(isMeant)
  const known = new Set(recorded.map(({ path }) => path))
  const others = isAll ? await unrecordedOwn(setup, recorded.length > 0) : unrecorded(setup)
  const edits = [...recorded, ...others.filter((edit) => isMeant(edit) && !known.has(edit.path))]
  const removal: Removal = { ...setup, dryRun, changes: [], notes: [], yours: [] }
  const { changes, notes, yours } = removal
  for (const edit of edits.toReversed()) await takeOut(edit, removal)
  for (const file of isAll ? ownHooks(setup) : []) takeOutKept(file, removal)
  for (const [name, what] of Object.entries(isAll ? KEPT : {})) {
    const path = `${ownFolder}/${name}`
    if (files.kind(path) === 'absent') continue
    changes.push({ path, change: 'remove', what })
    if (!dryRun) files.removeTree(path)
  }
  const lost = isAll && !dryRun ? await forgetAll(repository) : []
  if (lost.length > 0)
    notes.push(`copies of events that were deleted stay in ${ownFolder}/kept: ${lost.join(', ')}`)
  if (isUnfollowed) removeStateFile(removal)
  const rest = record.edits.filter((edit) => !isMeant(edit))
  const left = isAll ? [] : stopHiding(rest, edits, isUnfollowed, removal)
  if (changes.length > 0) {
    if (yours.length > 0) notes.push(`these are yours and stay: ${yours.join(', ')}`)
    if (isAll) notes.push(...npmScriptNotes(setup))
  }
  if (dryRun) return { changes, notes, commit: [] }
  const folders = new Set([...edits.flatMap(madeFolders), ownFolder])
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) files.removeFolder(folder)
  if (!isAll && recorded.length > 0) {
    files.write(recordPath(place.commonDir), recordText({ ...record, edits: left }, files, place))
  }
  return { changes, notes, commit: [] }
}

/** What is ours although nothing is recorded for it, and texts for agents that an earlier uninstall left. */
async function unrecordedOwn(setup: Setup, hasRecord: boolean): Promise<Recorded[]> {
  const found = unrecorded(setup)
  if (hasRecord) return [...movedHooks(setup), ...found.filter(({ kind }) => kind === 'team')]
  const isTeams = await Promise.all(found.map((edit) => isCommitted(edit, setup)))
  return found.filter((_, i) => isTeams[i] === false)
}

/** True if HEAD holds what we would take out of the file: then it is the team's. */
async function isCommitted(edit: Recorded, setup: Setup): Promise<boolean> {
  const { objects, place } = setup.repository
  if (place.top === undefined || !edit.path.startsWith(`${place.top}/`)) return false
  const file = await objects.find(`HEAD:${edit.path.slice(place.top.length + 1)}`)
  if (file?.type !== 'blob') return false
  const text = Buffer.from(file.content).toString('utf8')
  return (await textWithout(edit, text, setup)) !== text
}

/** Notes about npm scripts that would set up the clone again. */
function npmScriptNotes({ files, repository }: Setup): string[] {
  const text = files.read(`${repository.place.top}/package.json`) ?? ''
  const scripts = [...text.matchAll(/"([\w:-]+)"\s*:\s*"[^"\n]*\bledger-git install\b/g)]
  return scripts.map(
    ([, name]) => `"${name}" in package.json installs it again: remove ledger-git from that script`,
  )
}

async function takeOut(edit: Recorded, removal: Removal): Promise<void> {
  const { files, dryRun, changes, notes } = removal
  const { path, kind } = edit
  const text = files.read(path)
  if (text === undefined) return
  if (isWrapper(text)) {
    unwrap(edit, text, removal)
    return
  }
  if (kind === 'agent' && files.kind(path) !== 'file') {
    notes.push(`${path} is a link now, so it is left unchanged`)
    return
  }
  const rest = await textWithout(edit, text, removal)
  const own = kind === 'agent' ? editedEvents(rest ?? '') : []
  if (own.length > 0) notes.push(`${path}: hooks that you changed stay (${own.join(', ')})`)
  if (rest === text) {
    if (kind === 'team') removal.yours.push(path.replace(`${removal.repository.place.top}/`, ''))
    return
  }
  changes.push({ path, change: rest === undefined ? 'remove' : 'edit', what: KINDS[kind] })
  if (dryRun) return
  if (rest === undefined) files.remove(path)
  else if (!isGitConfig(path, removal)) files.write(path, rest)
  else files.change(path, (now) => withoutInclude(now, edit.inserted))
}

/** Git's own configuration; others may write to it at the same time. */
function isGitConfig(path: string, { repository }: Setup): boolean {
  return path === `${repository.place.commonDir}/config`
}

/** Replaces our wrapper hook with the user's own hook that it ran. */
function unwrap(edit: Recorded, text: string, removal: Removal): void {
  const { files, dryRun, changes, notes } = removal
  const { path } = edit
  const isGone = !hasKept(path, files)
  if (!isLeftover(withoutBlocks(text, edit))) {
    const kept = isGone ? '' : `; your own hook is ${keptPath(path)}`
    notes.push(`${path} was edited, so it is left unchanged${kept}`)
    return
  }
  const what = isGone ? KINDS.wrapper : 'your own hook again'
  changes.push({ path, change: isGone ? 'remove' : 'edit', what })
  if (isGone && !dryRun) files.remove(path)
  giveBack(path, 'move', removal)
}

/** What remains of a file; undefined if nothing in it belongs to the user. */
async function textWithout(
  edit: Recorded,
  text: string,
  setup: Setup,
): Promise<string | undefined> {
  const { repository, probes } = setup
  const { path, kind, existed, inserted, pieces = [] } = edit
  switch (kind) {
    case 'own':
      return undefined
    case 'ledger':
    case 'team': {
      const isUnchanged = inserted === undefined ? isUnedited(text) : text === inserted
      if ((!isUnchanged && kind === 'team') || (await probes.isTracked(path))) return text
      // With `mode: untracked`, each commit renders current.md again.
      return isUnchanged || (await isRendering(repository, text)) ? undefined : text
    }
    case 'agent': {
      const rest = takeStatusLine(disconnect(text, pieces))
      return rest !== text && !existed && isNothing(rest) ? undefined : rest
    }
    case 'formatter':
      if (existed) return pieces.reduce((rest, piece) => withoutPiece(rest, piece) ?? rest, text)
      return text === inserted ? undefined : text
    default: {
      if (isGitConfig(path, setup)) return withoutInclude(text, inserted)
      const rest = withoutBlocks(text, edit)
      return rest !== text && !existed && isLeftover(rest) ? undefined : rest
    }
  }
}

/** The text without our lines, including an incomplete block. */
function withoutBlocks(text: string, { path, inserted }: Recorded): string {
  // An incomplete block is recognized by comparison with a whole one: the recorded one, or today's hook block.
  const name = fileOfPath(path).replace(/\.(?:legacy|old)$/, '')
  const hook = HOOKS.find((one) => one === name)
  const block = inserted ?? (hook === undefined ? '' : hookBlock(hook))
  return withoutHalfBlocks(removeBlock(text, inserted), block)
}

/** True if nothing is left except the interpreter line that `install` may have added. */
function isLeftover(text: string): boolean {
  return /^(?:#![^\n]*\n)?\s*$/.test(text)
}

/** What commands keep in our folder of the git directory. */
const KEPT = {
  cache: 'what was read before',
  consent: 'commands that a person said yes to',
  context: 'how full contexts were',
  'wip-staged': 'what was staged of work in progress',
}

/** The parent folders that `install` created for a file; the folder of one of our own files is ours in any case. */
function madeFolders({ path, kind, existed, folders = 1 }: Recorded): string[] {
  const count = existed ? 0 : kind === 'own' ? 1 : folders
  const parts = path.split('/')
  return Array.from({ length: count }, (_, i) => parts.slice(0, -1 - i).join('/'))
}
