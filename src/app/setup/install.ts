/**
 * Sets one repository up, for all its worktrees; every change is listed, and recorded for `uninstall`.
 *
 * Files of others get a marked block and nothing else; a hook that no block can stand in is kept whole
 * and run by ours. What belongs to more than this repository (a global hooks folder) is never written.
 */

import {
  attributesBlock,
  CONFIG_HOOKS_SINCE,
  CONFIG_INCLUDE,
  configHooksText,
  configText,
  excludeBlock,
  hookBlock,
  hookCommand,
  ignoreBlock,
  lefthookSnippet,
  wrapperBlock,
} from '../../core/setup/install-texts.ts'
import { hookHeader } from '../../core/setup/hook-script.ts'
import type { Position } from '../../core/setup/marked-block.ts'
import { hasBlock, putBlock } from '../../core/setup/marked-block.ts'
import { isEventFileName } from '../../core/ledger/event.ts'
import type { Settings } from '../../core/settings.ts'
import { isAtLeast } from '../../core/version.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from '../ledger-places.ts'
import { renderEvents } from '../ledger-tree.ts'
import type { FilesPort, GitVersions, HooksFolder, RepositoryPort } from '../ports.ts'
import { HOOKS } from '../run-hook.ts'
import type { HookRoute } from './hook-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import type { Change, InstallReport, Manifest, Recorded } from './install-record.ts'
import type { TeamFile } from './ci-files.ts'
import { manifestPath, manifestText, readManifest } from './install-record.ts'

export interface InstallContext {
  readonly repository: RepositoryPort
  readonly settings: Settings
  readonly files: FilesPort
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  /** Absolute paths of the running node and of this package's entry file. */
  readonly launch: { readonly node: string; readonly cli: string }
  /** Texts of the package: the scripts of `githooks/` by name, the attributes template. */
  readonly assets: { scripts: Readonly<Record<string, string>>; attributes: string }
  readonly version: string
}

export interface InstallOptions {
  readonly dryRun: boolean
  /** Nothing that git tracks is written: this clone only. */
  readonly local: boolean
  /** More files for the whole team. */
  readonly teamFiles?: readonly TeamFile[]
}

/** Scripts that run by themselves; the others of `githooks/` are sourced. */
const PROGRAMS = [
  ['run', 'finds Node and the command'],
  ['hook', 'runs one hook, for git’s configuration and for hook managers'],
] as const

/** The names of the scripts in `githooks/`. */
export const SCRIPTS: readonly string[] = ['run', 'hook', 'start', ...HOOKS]

export async function install(
  context: InstallContext,
  options: InstallOptions,
): Promise<InstallReport> {
  const session = new InstallSession({ ...context, ...options })
  await session.run()
  return session.report()
}

class InstallSession {
  readonly #context: InstallContext & InstallOptions
  readonly #old: Manifest
  readonly #edits: Recorded[] = []
  readonly #changes: Change[] = []
  readonly #notes: string[] = []
  readonly #commit: string[] = []
  readonly #undo: (() => void)[] = []

  constructor(context: InstallContext & InstallOptions) {
    this.#context = context
    this.#old = readManifest(context.files, context.repository.place)
  }

  /** A failure takes back what was done before it. */
  async run(): Promise<void> {
    try {
      // The record comes first: a run that is killed can be taken back as well.
      const plan = new InstallSession({ ...this.#context, dryRun: true })
      await this.#run(this.#context.dryRun ? [] : await plan.plan())
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo()
      throw error
    }
  }

  /** What `install` is going to write, for the record. */
  async plan(): Promise<readonly Recorded[]> {
    await this.#run()
    return this.#edits
  }

  async #run(planned: readonly Recorded[] = []): Promise<void> {
    this.#writeManifest(planned)
    const { repository, settings, assets, local } = this.#context
    const { commonDir, top } = repository.place
    this.#ownFiles(`${commonDir}/ledger-git`)
    this.#block(`${commonDir}/config`, CONFIG_INCLUDE, 'include.path = ledger-git/config', 'config')
    const attributes = attributesBlock(assets.attributes, settings.root)
    this.#block(`${commonDir}/info/attributes`, attributes, 'merge=ledger for current.md', 'end')
    this.#block(
      `${commonDir}/info/exclude`,
      excludeBlock(settings.root),
      'ignores local files',
      'end',
    )
    this.#installHooks()
    if (top !== undefined && !local) {
      this.#block(`${top}/.gitattributes`, attributes, 'merge=ledger for current.md', 'end')
      this.#commit.push('.gitattributes')
      if (settings.mode === 'untracked') this.#ignoreCurrent(top)
      await this.#emptyLedger(top)
      for (const file of this.#context.teamFiles ?? []) this.#teamFile(top, file)
    }
    this.#writeManifest(this.#edits)
  }

  report(): InstallReport {
    const { top } = this.#context.repository.place
    const isChanged = (path: string) =>
      this.#changes.some((change) => `${change.path}/`.startsWith(`${top}/${path}/`))
    return { changes: this.#changes, notes: this.#notes, commit: this.#commit.filter(isChanged) }
  }

  #ownFiles(folder: string): void {
    const { settings, assets, launch, files, gits } = this.#context
    for (const [name, what] of PROGRAMS) {
      this.#own(`${folder}/${name}`, assets.scripts[name] ?? '', what, 0o755)
    }
    this.#own(`${folder}/launch`, `${launch.node}\n${launch.cli}\n`, 'recorded node and command')
    this.#own(`${folder}/root`, `${settings.root}\n`, 'folder of the ledger')
    for (const hook of HOOKS) {
      this.#own(`${folder}/hooks/${hook}`, assets.scripts[hook] ?? '', `the ${hook} shim`)
    }
    // Last: it knows what older shims do not.
    this.#own(`${folder}/hooks/start`, assets.scripts['start'] ?? '', 'the start of every shim')
    // Once there, always there: an older git ignores it, and a newer one may come back.
    const configHooks = `${folder}/config-hooks`
    if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE) || files.kind(configHooks) === 'file') {
      this.#own(configHooks, configHooksText(HOOKS), 'hooks for git 2.54 and newer')
    }
    this.#own(`${folder}/config`, configText(), 'merge.ledger.driver, merge.ledger.name')
  }

  #installHooks(): void {
    const { hooks, files, gits, repository, local } = this.#context
    const { top, commonDir } = repository.place
    const isConfigGit = isAtLeast(gits.running, CONFIG_HOOKS_SINCE)
    const needsFiles =
      !isConfigGit || gits.others.some((version) => !isAtLeast(version, CONFIG_HOOKS_SINCE))
    if (hooks.owner === 'foreign') {
      if (needsFiles) this.#notes.push(foreignNote(hooks))
      return
    }
    const isInTree =
      `${hooks.path}/`.startsWith(`${top}/`) && !`${hooks.path}/`.startsWith(`${commonDir}/`)
    if (isInTree && local) return
    const written: HookRoute[] = []
    for (const route of hookRoutes({ files, hooks, top })) {
      if (!needsFiles && !hasBlock(files.read(route.file) ?? '')) continue
      this.#installHook(route)
      written.push(route)
    }
    if (needsFiles) this.#notes.push(...managerNotes(written))
    if (top !== undefined && isInTree) this.#commit.push(hooks.path.slice(top.length + 1))
  }

  #installHook(route: HookRoute): void {
    const { files, hooks } = this.#context
    const { hook, file, way } = route
    if (way === 'none') {
      this.#notes.push(`${file} ${route.reason}: left alone, the ${hook} hook is not installed`)
    } else if (way === 'wrap') this.#wrap(route)
    else {
      const text = files.read(file)
      // husky's files are run by `sh -e`; git's need an interpreter line of their own.
      const start = text === undefined && hooks.owner !== 'husky' ? '#!/bin/sh\n' : ''
      const isWrapped = files.kind(route.kept) !== 'absent'
      const block = isWrapped ? wrapperBlock(hook) : hookBlock(hook)
      const where = { after: text === undefined ? start : hookHeader(text) }
      this.#block(file, block, `${hook} hook`, where, { start, mode: 0o755 })
    }
  }

  #wrap({ hook, file, kept, reason }: HookRoute): void {
    const { files, dryRun } = this.#context
    if (files.kind(kept) !== 'absent') {
      this.#notes.push(
        `${file} ${reason}, and ${kept} is there already: left alone, the ${hook} hook is not installed`,
      )
      return
    }
    this.#changes.push({ path: kept, change: 'move', what: `your ${hook} hook (it ${reason})` })
    const target = dryRun ? undefined : files.keep(file, kept)
    if (!dryRun) {
      this.#undo.push(() => {
        files.restore(kept, file, target)
        files.removeFolder(kept.slice(0, kept.lastIndexOf('/')))
      })
    }
    const inserted = wrapperBlock(hook)
    const edit: Recorded = { path: file, kind: 'wrapper', existed: true, inserted }
    const what = `${hook} hook, which then runs yours`
    this.#edits.push(target === undefined ? edit : { ...edit, target })
    this.#changes.push({ path: file, change: 'edit', what })
    if (!dryRun) files.write(file, `#!/bin/sh\n${inserted}`, 0o755)
  }

  #ignoreCurrent(top: string): void {
    const { settings } = this.#context
    this.#block(`${top}/.gitignore`, ignoreBlock(settings.root), 'ignores current.md', 'end')
    this.#commit.push('.gitignore')
  }

  /** So that no later commit creates or deletes `current.md`: git calls no driver for those. */
  async #emptyLedger(top: string): Promise<void> {
    const { repository, settings, files } = this.#context
    const paths = ledgerPaths(settings.root)
    const place = await placeOfWorktree(repository, settings.root)
    const hasEvents = place.entries?.some(({ name }) => isEventFileName(name)) ?? false
    if (settings.mode === 'untracked' && place.index.current !== undefined) {
      this.#notes.push(
        `${paths.current} is still in git; mode: untracked keeps it out: git rm --cached ${paths.current}`,
      )
    }
    if (place.current !== undefined && !hasEvents && place.entries === undefined) {
      const text = files.read(`${top}/${paths.current}`) ?? ''
      if (!text.includes('\n_synthesized:\n')) {
        this.#notes.push(
          `${paths.current} is kept by hand and stays as it is until the first event`,
        )
        return
      }
    }
    if (place.entries === undefined) this.#ledger(`${top}/${paths.events}/.gitkeep`, '')
    if (place.current === undefined && !this.#context.dryRun) {
      const now = await placeOfWorktree(repository, settings.root)
      this.#ledger(`${top}/${paths.current}`, renderEvents(await eventsOf(repository.objects, now)))
    } else if (place.current === undefined) {
      this.#changes.push({
        path: `${top}/${paths.current}`,
        change: 'create',
        what: 'empty ledger',
      })
    }
    this.#commit.push(settings.root)
  }

  /** Written once, then the team's: only what nobody changed since is written anew. */
  #teamFile(top: string, { path, text }: TeamFile): void {
    const full = `${top}/${path}`
    const before = this.#context.files.read(full)
    const old = this.#old.edits.find((edit) => edit.path === full)
    if (before !== undefined && before !== text && before !== old?.inserted) {
      this.#notes.push(`${path} was changed and stays; to have it written anew, delete it first`)
      return
    }
    if (before === text && old === undefined) return
    this.#write({ path: full, kind: 'team', existed: false, inserted: text }, text, 'for your CI')
    this.#commit.push(path)
  }

  #ledger(path: string, content: string): void {
    this.#write(
      { path, kind: 'ledger', existed: false, inserted: content },
      content,
      'empty ledger',
    )
  }

  #own(path: string, content: string, what: string, mode?: number): void {
    this.#write({ path, kind: 'own', existed: false }, content, what, mode)
  }

  #block(
    path: string,
    block: string,
    what: string,
    where: Position | 'config',
    hook: { start: string; mode?: number } = { start: '' },
  ): void {
    const { files } = this.#context
    const before = files.read(path)
    const old = this.#old.edits.find(
      (edit) => edit.path === path && (edit.kind === 'block' || edit.kind === 'wrapper'),
    )
    const text = before ?? hook.start
    const put = where === 'config' ? putConfig(text, block) : putBlock(text, block, where)
    // What was inserted around the block the first time stays what must be taken out.
    const isReplaced =
      before !== undefined && (where === 'config' ? put.text === text : hasBlock(before))
    const inserted = isReplaced
      ? old?.inserted?.startsWith('\n')
        ? `\n${put.inserted}`
        : put.inserted
      : put.inserted
    if (old === undefined && before !== undefined && put.text === before) {
      // A teammate's commit brought the block: it was there before this install and stays after it.
      // In the git folder nobody else can have written it: a hook manager moved the file.
      if (!path.startsWith(`${this.#context.repository.place.commonDir}/`)) return
    }
    const existed = old?.existed ?? (before !== undefined && !hasBlock(before))
    const isOurs = before === undefined || !existed
    const mode = isOurs ? hook.mode : undefined
    const edit: Recorded = { path, kind: old?.kind ?? 'block', existed, inserted }
    const record = old?.target === undefined ? edit : { ...edit, target: old.target }
    this.#write(record, put.text, what, mode)
  }

  #write(edit: Recorded, content: string, what: string, mode?: number): void {
    const { files, dryRun } = this.#context
    this.#edits.push(edit)
    const before = files.read(edit.path)
    const lostRunBit =
      mode !== undefined && before !== undefined && (files.mode(edit.path) & 0o100) === 0
    if (before === content && !lostRunBit) return
    this.#changes.push({ path: edit.path, change: before === undefined ? 'create' : 'edit', what })
    if (!dryRun) this.#put(edit.path, content, before, mode)
  }

  #put(path: string, content: string, before: string | undefined, mode?: number): void {
    const { files } = this.#context
    const made: string[] = []
    for (let folder = parentOf(path); files.kind(folder) === 'absent'; folder = parentOf(folder)) {
      made.push(folder)
    }
    const old = before === undefined ? undefined : files.mode(path)
    this.#undo.push(() => {
      if (before !== undefined) files.write(path, before, old)
      else if (files.kind(path) === 'file') files.remove(path)
      for (const folder of made) files.removeFolder(folder)
    })
    files.write(path, content, mode)
  }

  #writeManifest(edits: readonly Recorded[]): void {
    const { files, repository, version, dryRun } = this.#context
    if (dryRun) return
    const path = manifestPath(repository.place.commonDir)
    // Edits of another worktree of this repository stay recorded.
    const self: Recorded = { path, kind: 'own', existed: false }
    const byPath = new Map([self, ...this.#old.edits, ...edits].map((edit) => [edit.path, edit]))
    const text = manifestText({ version, edits: [...byPath.values()] }, repository.place)
    const before = files.read(path)
    if (before !== text) this.#put(path, text, before)
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function putConfig(text: string, block: string): { text: string; inserted: string } {
  if (text.includes(block)) return { text, inserted: block }
  const inserted = text === '' || text.endsWith('\n') ? block : `\n${block}`
  return { text: text + inserted, inserted }
}

function foreignNote(hooks: HooksFolder): string {
  return (
    `hooks were not installed: git takes them from ${hooks.effective}, outside this repository, which is ` +
    'never written to. git 2.54 or newer runs ours without files; for older gits, add to the hooks there ' +
    `(docs/install.md lists all):\n  ${hookCommand('pre-commit', '"$@"')} || exit $?`
  )
}

/** What the user must know of tools that write their hook files anew. */
function managerNotes(routes: readonly HookRoute[]): string[] {
  const lefthook = routes.filter(
    (route) => route.manager === 'lefthook' && !route.isCalledByManager,
  )
  const notes: string[] = []
  if (lefthook.length > 0) {
    const snippet = lefthookSnippet(lefthook.map(({ hook }) => hook))
    notes.push(
      'lefthook writes its hooks anew when its settings change; these jobs, added to the hooks in ' +
        `lefthook.yml, keep ledger-git in them:\n${snippet.trimEnd()}`,
    )
  }
  if (routes.some(({ manager }) => manager === 'simple-git-hooks')) {
    notes.push(
      'simple-git-hooks writes its hooks anew, and removes all others, at every npm install; ' +
        '"prepare": "ledger-git install" in package.json runs after it and puts ours back',
    )
  }
  return notes
}
