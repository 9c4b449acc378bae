/** Takes out what `install` wrote, and nothing else. */

import { KEPT_FOLDER, CONFIG_INCLUDE, isWrapper } from '../../core/setup/install-texts.ts'
import { withoutPiece } from '../../core/agents/agent-json.ts'
import { withoutHalfBlocks } from '../../core/setup/half-block.ts'
import { removeBlock } from '../../core/setup/marked-block.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { disconnect, editedEvents, isNothing } from '../../core/agents/agent-settings.ts'
import { isUnedited } from '../../core/agents/agent-text.ts'
import type { FilesPort, HooksFolder } from '../ports.ts'
import { HOOKS } from '../hooks/run-hook.ts'
import { AGENT_TEXTS, filesOf, settingsFiles } from '../agents/agent-files.ts'
import type { Change, InstallReport, Recorded } from './install-record.ts'
import { KINDS, manifestPath, manifestText, readManifest } from './install-record.ts'

export interface UninstallContext {
  readonly files: FilesPort
  readonly commonDir: string
  readonly gitDir: string
  readonly top: string | undefined
  readonly hooks: HooksFolder
  readonly isTracked: (path: string) => Promise<boolean>
  readonly dryRun: boolean
}

/** What `install` writes below `<common-dir>/ledger-git/`. */
const OWN_FILES = [
  'run',
  'hook',
  'launch',
  'root',
  'config',
  'config-hooks',
  'install.json',
  'hooks/start',
  ...HOOKS.map((hook) => `hooks/${hook}`),
]

/** Takes out what `install` wrote. Events and committed ledgers are the user's and stay. */
export async function uninstall(context: UninstallContext): Promise<InstallReport> {
  const { files, commonDir, dryRun } = context
  const edits = editsOf(context)
  const { changes, notes } = await takeOut(edits, context)
  const cache = `${commonDir}/ledger-git/cache`
  if (files.kind(cache) !== 'absent') {
    changes.push({ path: cache, change: 'remove', what: 'what was read before' })
    if (!dryRun) files.removeTree(cache)
  }
  if (!dryRun) for (const folder of foldersOf(edits, commonDir)) files.removeFolder(folder)
  return { changes, notes, commit: [] }
}

/** Disconnects these agents alone, whoever connected them; the record forgets them. */
export async function uninstallAgents(
  agents: readonly AgentName[],
  context: UninstallContext,
): Promise<InstallReport> {
  const { files, commonDir, top, dryRun } = context
  const names = filesOf(agents)
  const isOne = ({ path }: Recorded) => names.some((name) => path.endsWith(`/${name}`))
  const manifest = readManifest(files, context)
  const recorded = manifest.edits.filter(isOne)
  const known = new Set(recorded.map(({ path }) => path))
  const found = top === undefined ? [] : knownAgentFiles(top)
  const edits = [...recorded, ...found.filter((edit) => isOne(edit) && !known.has(edit.path))]
  const { changes, notes } = await takeOut(edits, context)
  if (dryRun) return { changes, notes, commit: [] }
  for (const folder of foldersOf(edits, commonDir)) files.removeFolder(folder)
  if (recorded.length > 0) {
    const others = manifest.edits.filter((edit) => !isOne(edit))
    files.write(manifestPath(commonDir), manifestText({ ...manifest, edits: others }, context))
  }
  return { changes, notes, commit: [] }
}

async function takeOut(
  edits: readonly Recorded[],
  context: UninstallContext,
): Promise<{ changes: Change[]; notes: string[] }> {
  const { files, dryRun } = context
  const changes: Change[] = []
  const notes: string[] = []
  for (const edit of edits.toReversed()) {
    const text = files.read(edit.path)
    if (text === undefined) continue
    if (edit.kind === 'agent' && files.kind(edit.path) !== 'file') {
      notes.push(`${edit.path} is a link now, and stays`)
      continue
    }
    if (isWrapper(text)) {
      unwrap(edit, text, context, changes, notes)
      continue
    }
    const rest = await textWithout(edit, text, context)
    const own = edit.kind === 'agent' ? editedEvents(rest ?? '') : []
    if (own.length > 0) notes.push(`${edit.path}: hooks in your own words stay (${own.join(', ')})`)
    if (rest === text) continue
    const change = rest === undefined ? 'remove' : 'edit'
    changes.push({ path: edit.path, change, what: KINDS[edit.kind] })
    if (dryRun) continue
    if (rest === undefined) files.remove(edit.path)
    else files.write(edit.path, rest)
  }
  return { changes, notes }
}

/** Puts the user's own hook back in the place of the one that ran it. */
function unwrap(
  edit: Recorded,
  text: string,
  { files, dryRun }: UninstallContext,
  changes: Change[],
  notes: string[],
): void {
  const slash = edit.path.lastIndexOf('/')
  const kept = `${edit.path.slice(0, slash)}/${KEPT_FOLDER}${edit.path.slice(slash)}`
  const isGone = files.kind(kept) === 'absent'
  if (!isLeftover(withoutBlocks(text, edit))) {
    notes.push(
      isGone
        ? `${edit.path} was edited and stays`
        : `${edit.path} was edited and stays; your own hook is ${kept}`,
    )
    return
  }
  changes.push(
    isGone
      ? { path: edit.path, change: 'remove', what: KINDS.wrapper }
      : { path: edit.path, change: 'edit', what: 'your own hook again' },
  )
  if (!isGone) changes.push({ path: kept, change: 'move', what: 'back to its place' })
  if (dryRun) return
  if (isGone) files.remove(edit.path)
  else files.restore(kept, edit.path, edit.target)
  files.removeFolder(kept.slice(0, kept.lastIndexOf('/')))
}

/** What stays of a file; undefined when nothing of the user's is in it. */
async function textWithout(
  edit: Recorded,
  text: string,
  context: UninstallContext,
): Promise<string | undefined> {
  if (edit.kind === 'own') return undefined
  if (edit.kind === 'ledger' || edit.kind === 'team') {
    const isUnchanged = edit.inserted === undefined ? isUnedited(text) : text === edit.inserted
    const isOurs = isUnchanged && !(await context.isTracked(edit.path))
    return isOurs ? undefined : text
  }
  if (edit.kind === 'agent') {
    const rest = disconnect(text, edit.pieces ?? [])
    return rest !== text && !edit.existed && isNothing(rest) ? undefined : rest
  }
  if (edit.kind === 'formatter') {
    const take = (rest: string, piece: string) => withoutPiece(rest, piece) ?? rest
    return edit.existed ? (edit.pieces ?? []).reduce(take, text) : ifOurs(text, edit.inserted)
  }
  if (text.includes(CONFIG_INCLUDE) && edit.path === `${context.commonDir}/config`) {
    return withoutInclude(text, edit.inserted)
  }
  const rest = withoutBlocks(text, edit)
  return rest !== text && !edit.existed && isLeftover(rest) ? undefined : rest
}

/** Nothing of the file stays, unless somebody changed it. */
function ifOurs(text: string, inserted: string | undefined): string | undefined {
  return text === inserted ? undefined : text
}

/** Our lines taken out, half a block too. */
function withoutBlocks(text: string, { inserted }: Recorded): string {
  return withoutHalfBlocks(removeBlock(text, inserted), inserted ?? '')
}

/** git adds the user's own includes below our section header: it stays with them. */
function withoutInclude(text: string, inserted: string | undefined): string {
  const [header = '', path = ''] = CONFIG_INCLUDE.split(/(?<=\n)/)
  const after = text.slice(text.indexOf(CONFIG_INCLUDE) + CONFIG_INCLUDE.length)
  if (/^\s*(?:$|\[)/.test(after)) return removeBlock(text, inserted ?? CONFIG_INCLUDE)
  return text.replace(header + path, () => header)
}

/** Nothing but the interpreter line that `install` needed. */
function isLeftover(text: string): boolean {
  return /^(?:#![^\n]*\n)?\s*$/.test(text)
}

/** What the record says; without one, the markers tell what is ours. */
function editsOf(context: UninstallContext): Recorded[] {
  const recorded = readManifest(context.files, context).edits
  const known = new Set(recorded.map(({ path }) => path))
  const found = recorded.length > 0 ? movedHooks(context) : knownBlocks(context)
  return [...recorded, ...found.filter(({ path }) => !known.has(path))]
}

/** Hooks of ours that a hook manager renamed: they were in the git folder, so nobody else wrote them. */
function movedHooks({ commonDir, hooks }: UninstallContext): Recorded[] {
  if (!`${hooks.effective}/`.startsWith(`${commonDir}/`)) return []
  return HOOKS.flatMap((hook) =>
    ['', '.legacy', '.old'].map((end): Recorded => ({
      path: `${hooks.effective}/${hook}${end}`,
      kind: 'block',
      existed: false,
    })),
  )
}

const BLOCK_FILES = ['.gitattributes', '.gitignore', '.prettierignore', '.remarkignore']

/** Where blocks can be when the record of the install is gone. */
function knownBlocks(context: UninstallContext): Recorded[] {
  const { commonDir, top, hooks } = context
  const block = (path: string, inserted?: string): Recorded => ({
    path,
    kind: 'block',
    existed: true,
    ...(inserted === undefined ? {} : { inserted }),
  })
  return [
    block(`${commonDir}/config`, CONFIG_INCLUDE),
    block(`${commonDir}/info/attributes`),
    block(`${commonDir}/info/exclude`),
    ...HOOKS.map((hook) => block(`${hooks.path}/${hook}`)),
    ...movedHooks(context).map((edit) => ({ ...edit, existed: true })),
    ...(top === undefined ? [] : BLOCK_FILES.map((name) => block(`${top}/${name}`))),
    ...(top === undefined ? [] : knownAgentFiles(top)),
    ...OWN_FILES.map((name): Recorded => ({
      path: `${commonDir}/ledger-git/${name}`,
      kind: 'own',
      existed: false,
    })),
  ]
}

/** What agents read, where the record is gone: the texts of our hooks are known. */
function knownAgentFiles(top: string): Recorded[] {
  const settings = settingsFiles().map((name): Recorded => ({
    path: `${top}/${name}`,
    kind: 'agent',
    existed: true,
  }))
  const texts = Object.keys(AGENT_TEXTS).map((name): Recorded => ({
    path: `${top}/${name}`,
    kind: 'team',
    existed: false,
    folders: 0,
  }))
  return [...settings, ...texts]
}

/** Folders that install may have made, deepest first. */
function foldersOf(edits: readonly Recorded[], commonDir: string): string[] {
  const folders = new Set([`${commonDir}/ledger-git`])
  for (const { path, kind, existed, folders: made } of edits) {
    if (existed) continue
    // The ledger's folders may have been made from the top of the worktree down.
    const parts = path.split('/')
    const isDeep = kind === 'ledger' || kind === 'team'
    const shortest = made === undefined ? (isDeep ? 2 : parts.length - 1) : parts.length - made
    for (let length = parts.length - 1; length >= shortest; length--) {
      folders.add(parts.slice(0, length).join('/'))
    }
  }
  return [...folders].sort((a, b) => b.length - a.length)
}
