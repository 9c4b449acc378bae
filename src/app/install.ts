/**
 * Sets one repository up, for all its worktrees; every change is listed, and recorded for `uninstall`.
 *
 * Files of others get a marked block and nothing else. What cannot be done safely (a hook in another
 * language, a global hooks folder) is left alone and said.
 */

import {
  attributesBlock,
  CONFIG_INCLUDE,
  configText,
  excludeBlock,
  hookBlock,
} from '../core/install-texts.ts'
import { hasBlock, putBlock, removeBlock } from '../core/marked-block.ts'
import type { Settings } from '../core/settings.ts'
import { isEventFileName } from '../core/ledger/event.ts'
import { ledgerPaths, placeOfWorktree } from './ledger-places.ts'
import { renderEvents } from './ledger-tree.ts'
import { eventsOf } from './ledger-places.ts'
import type { RepositoryPort } from './ports.ts'
import { HOOKS } from './run-hook.ts'

/** Files by absolute path. Writes are whole or not at all. */
export interface FilesPort {
  read(path: string): string | undefined
  /** `mode` only where the file is new or the mode must change. */
  write(path: string, content: string, mode?: number): void
  remove(path: string): void
  /** Removes a folder if it is empty. */
  removeFolder(path: string): void
  /** `other`: a link, a folder or a device. */
  kind(path: string): 'file' | 'other' | 'absent'
  mode(path: string): number
}

/** Which folder git takes hooks from, and whose it is. */
export interface HooksFolder {
  readonly path: string
  readonly owner: 'git' | 'husky' | 'local' | 'foreign'
}

export interface InstallContext {
  readonly repository: RepositoryPort
  readonly settings: Settings
  readonly files: FilesPort
  readonly hooks: HooksFolder
  /** Absolute paths of the running node and of this package's entry file. */
  readonly launch: { readonly node: string; readonly cli: string }
  /** Texts of the package: `run`, the shims by hook name, the attributes template. */
  readonly assets: { run: string; shims: Readonly<Record<string, string>>; attributes: string }
  readonly version: string
  readonly dryRun: boolean
}

export interface Change {
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove'
  readonly what: string
}

export interface InstallReport {
  readonly changes: readonly Change[]
  /** What was left alone, and why. */
  readonly notes: readonly string[]
  /** Tracked files that the user should commit. */
  readonly commit: readonly string[]
}

/** One edit as `uninstall` needs it. */
interface Recorded {
  readonly path: string
  readonly kind: 'own' | 'block' | 'ledger'
  readonly existed: boolean
  readonly inserted?: string
}

interface Manifest {
  readonly version: string
  readonly edits: readonly Recorded[]
}

export async function install(context: InstallContext): Promise<InstallReport> {
  const session = new InstallSession(context)
  await session.run()
  return session.report()
}

export interface UninstallContext {
  readonly files: FilesPort
  readonly commonDir: string
  readonly top: string | undefined
  readonly hooksFolder: string
  readonly isTracked: (path: string) => Promise<boolean>
  readonly dryRun: boolean
}

/** Takes out what `install` wrote. Events and committed ledgers are the user's and stay. */
export async function uninstall(context: UninstallContext): Promise<InstallReport> {
  const { files, commonDir, dryRun } = context
  // What the record names first; then the places where a block may be without one.
  const edits = [...knownBlocks(context), ...readManifest(files, commonDir).edits]
  const changes: Change[] = []
  for (const edit of edits.toReversed()) {
    const text = files.read(edit.path)
    if (text === undefined) continue
    const rest = await textWithout(edit, text, context)
    if (rest === text) continue
    const change = rest === undefined ? 'remove' : 'edit'
    changes.push({ path: edit.path, change, what: WHAT[edit.kind] })
    if (dryRun) continue
    if (rest === undefined) files.remove(edit.path)
    else files.write(edit.path, rest)
  }
  if (!dryRun) for (const folder of foldersOf(edits, commonDir)) files.removeFolder(folder)
  return { changes, notes: [], commit: [] }
}

const WHAT = { own: 'written by install', ledger: 'empty ledger', block: 'block of ledger-git' }

/** What stays of a file; undefined when nothing of the user's is in it. */
async function textWithout(
  edit: Recorded,
  text: string,
  context: UninstallContext,
): Promise<string | undefined> {
  if (edit.kind === 'own') return undefined
  if (edit.kind === 'ledger') {
    const isOurs = text === edit.inserted && !(await context.isTracked(edit.path))
    return isOurs ? undefined : text
  }
  const rest = removeBlock(text, edit.inserted)
  const isLeftover = rest !== text && !edit.existed && /^(?:#![^\n]*\n)?\s*$/.test(rest)
  return isLeftover ? undefined : rest
}

/** Where blocks can be when the record of the install is gone. */
function knownBlocks({ commonDir, top, hooksFolder }: UninstallContext): Recorded[] {
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
    ...HOOKS.map((hook) => block(`${hooksFolder}/${hook}`)),
    ...(top === undefined ? [] : [block(`${top}/.gitattributes`)]),
  ]
}

class InstallSession {
  readonly #context: InstallContext
  readonly #old: Manifest
  readonly #edits: Recorded[] = []
  readonly #changes: Change[] = []
  readonly #notes: string[] = []
  readonly #commit: string[] = []

  constructor(context: InstallContext) {
    this.#context = context
    this.#old = readManifest(context.files, context.repository.place.commonDir)
  }

  async run(): Promise<void> {
    const { repository, settings, assets, launch } = this.#context
    const { commonDir, top } = repository.place
    const own = `${commonDir}/ledger-git`
    this.#own(`${own}/run`, assets.run, 'finds Node and the command', 0o755)
    this.#own(`${own}/launch`, `${launch.node}\n${launch.cli}\n`, 'recorded node and command')
    this.#own(`${own}/root`, `${settings.root}\n`, 'folder of the ledger')
    for (const hook of HOOKS) {
      this.#own(`${own}/hooks/${hook}`, assets.shims[hook] ?? '', `the ${hook} shim`)
    }
    this.#own(`${own}/config`, configText(), 'merge.ledger.driver, merge.ledger.name')
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
    if (top !== undefined) {
      this.#block(`${top}/.gitattributes`, attributes, 'merge=ledger for current.md', 'end')
      this.#commit.push('.gitattributes')
      await this.#emptyLedger(top)
    }
    this.#writeManifest()
  }

  report(): InstallReport {
    const { top } = this.#context.repository.place
    const isChanged = (path: string) =>
      this.#changes.some((change) => `${change.path}/`.startsWith(`${top}/${path}/`))
    return { changes: this.#changes, notes: this.#notes, commit: this.#commit.filter(isChanged) }
  }

  #installHooks(): void {
    const { hooks } = this.#context
    if (hooks.owner === 'foreign') {
      this.#notes.push(
        `hooks were not installed: core.hooksPath names ${hooks.path}, outside this repository; ` +
          'commits are not kept fresh until core.hooksPath is a folder of this repository',
      )
      return
    }
    for (const hook of HOOKS) this.#installHook(hook, `${hooks.path}/${hook}`)
    const { top, commonDir } = this.#context.repository.place
    const isTracked = top !== undefined && `${hooks.path}/`.startsWith(`${top}/`)
    if (isTracked && !`${hooks.path}/`.startsWith(`${commonDir}/`)) {
      this.#commit.push(hooks.path.slice(top.length + 1))
    }
  }

  #installHook(hook: string, path: string): void {
    const { files, hooks } = this.#context
    const kind = files.kind(path)
    if (kind === 'other') {
      this.#notes.push(
        `${path} is a link or a folder: left alone, the ${hook} hook is not installed`,
      )
      return
    }
    const text = files.read(path) ?? ''
    const shebang = /^#!([^\n]*)/.exec(text)?.[1]
    if (shebang !== undefined && !/\b(?:ba|da|k|z|a)?sh\b/.test(shebang)) {
      this.#notes.push(
        `${path} is not a shell script: left alone, the ${hook} hook is not installed`,
      )
      return
    }
    if (kind === 'file' && (files.mode(path) & 0o111) === 0 && hooks.owner !== 'husky') {
      this.#notes.push(
        `${path} has no run bit, so git ignores it: left alone, the ${hook} hook is not installed`,
      )
      return
    }
    // husky's files are run by `sh -e`; git's need an interpreter line of their own.
    const start = kind === 'absent' && hooks.owner !== 'husky' ? '#!/bin/sh\n' : ''
    this.#block(path, hookBlock(hook), `${hook} hook`, 'after-shebang', { start, mode: 0o755 })
  }

  /** So that no later commit creates or deletes `current.md`: git calls no driver for those. */
  async #emptyLedger(top: string): Promise<void> {
    const { repository, settings, files } = this.#context
    const paths = ledgerPaths(settings.root)
    const place = await placeOfWorktree(repository, settings.root)
    const hasEvents = place.entries?.some(({ name }) => isEventFileName(name)) ?? false
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
    where: 'end' | 'after-shebang' | 'config',
    hook: { start: string; mode?: number } = { start: '' },
  ): void {
    const { files } = this.#context
    const before = files.read(path)
    const old = this.#old.edits.find((edit) => edit.path === path && edit.kind === 'block')
    const text = before ?? hook.start
    const put = where === 'config' ? putConfig(text, block) : putBlock(text, block, where)
    // What was inserted around the block the first time stays what must be taken out.
    const isReplaced =
      before !== undefined && (where === 'config' ? put.text === text : hasBlock(before))
    const inserted = isReplaced
      ? old?.inserted?.startsWith('\n')
        ? `\n${block}`
        : block
      : put.inserted
    const existed = old?.existed ?? before !== undefined
    const mode = before === undefined ? hook.mode : undefined
    this.#write({ path, kind: 'block', existed, inserted }, put.text, what, mode)
  }

  #write(edit: Recorded, content: string, what: string, mode?: number): void {
    const { files, dryRun } = this.#context
    this.#edits.push(edit)
    const before = files.read(edit.path)
    if (before === content) return
    this.#changes.push({ path: edit.path, change: before === undefined ? 'create' : 'edit', what })
    if (!dryRun) files.write(edit.path, content, mode)
  }

  #writeManifest(): void {
    const { files, repository, version, dryRun } = this.#context
    if (dryRun) return
    const path = manifestPath(repository.place.commonDir)
    // Edits of another worktree of this repository stay recorded.
    const paths = new Set(this.#edits.map((edit) => edit.path))
    const others = this.#old.edits.filter((edit) => !paths.has(edit.path) && edit.path !== path)
    const self: Recorded = { path, kind: 'own', existed: false }
    const manifest: Manifest = { version, edits: [self, ...others, ...this.#edits] }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    if (files.read(path) !== text) files.write(path, text)
  }
}

function putConfig(text: string, block: string): { text: string; inserted: string } {
  if (text.includes(block)) return { text, inserted: block }
  const inserted = text === '' || text.endsWith('\n') ? block : `\n${block}`
  return { text: text + inserted, inserted }
}

function manifestPath(commonDir: string): string {
  return `${commonDir}/ledger-git/install.json`
}

function readManifest(files: FilesPort, commonDir: string): Manifest {
  const text = files.read(manifestPath(commonDir))
  if (text === undefined) return { version: '', edits: [] }
  try {
    return JSON.parse(text) as Manifest
  } catch {
    return { version: '', edits: [] } // unreadable: the markers still tell what is ours
  }
}

/** Folders that install may have made, deepest first. */
function foldersOf(edits: readonly Recorded[], commonDir: string): string[] {
  const folders = new Set([`${commonDir}/ledger-git`])
  for (const { path, kind, existed } of edits) {
    if (existed) continue
    // The ledger's folders may have been made from the top of the worktree down.
    const parts = path.split('/')
    const shortest = kind === 'ledger' ? 2 : parts.length - 1
    for (let length = parts.length - 1; length >= shortest; length--) {
      folders.add(parts.slice(0, length).join('/'))
    }
  }
  return [...folders].sort((a, b) => b.length - a.length)
}
