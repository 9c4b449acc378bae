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
import { hasBlock, putBlock } from '../core/marked-block.ts'
import type { Settings } from '../core/settings.ts'
import { isEventFileName } from '../core/ledger/event.ts'
import { ledgerPaths, placeOfWorktree } from './ledger-places.ts'
import { renderEvents } from './ledger-tree.ts'
import { eventsOf } from './ledger-places.ts'
import type { Change, InstallReport, Manifest, Recorded } from './install-record.ts'
import { manifestPath, manifestText, readManifest } from './install-record.ts'
import type { FilesPort, HooksFolder, RepositoryPort } from './ports.ts'
import { HOOKS } from './run-hook.ts'

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

export async function install(context: InstallContext): Promise<InstallReport> {
  const session = new InstallSession(context)
  await session.run()
  return session.report()
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
    this.#old = readManifest(context.files, context.repository.place)
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
    if (shebang?.endsWith('\r')) {
      this.#notes.push(
        `${path} has CRLF line ends, so git cannot run it: left alone, the ${hook} hook is not installed`,
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
        ? `\n${put.inserted}`
        : put.inserted
      : put.inserted
    const existed = old?.existed ?? before !== undefined
    // A teammate's commit brought the block: it was there before this install and stays after it.
    if (old === undefined && before !== undefined && put.text === before) return
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
    const self: Recorded = { path, kind: 'own', existed: false }
    const byPath = new Map(
      [self, ...this.#old.edits, ...this.#edits].map((edit) => [edit.path, edit]),
    )
    const text = manifestText({ version, edits: [...byPath.values()] }, repository.place)
    if (files.read(path) !== text) files.write(path, text)
  }
}

function putConfig(text: string, block: string): { text: string; inserted: string } {
  if (text.includes(block)) return { text, inserted: block }
  const inserted = text === '' || text.endsWith('\n') ? block : `\n${block}`
  return { text: text + inserted, inserted }
}
