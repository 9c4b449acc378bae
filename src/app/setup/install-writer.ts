/**
 * Writes what `install` decides, piece by piece: lists it, records it for `uninstall`, and takes all of
 * it back when a later piece fails. A dry run lists and records without writing.
 */

import type { Position } from '../../core/setup/marked-block.ts'
import { withoutHalfBlocks } from '../../core/setup/half-block.ts'
import { hasBlock, putBlock } from '../../core/setup/marked-block.ts'
import type { FilesPort, Place } from '../ports.ts'
import type { Change, Manifest, Recorded } from './install-record.ts'
import { manifestPath, manifestText, readManifest } from './install-record.ts'

interface WriterContext {
  readonly files: FilesPort
  readonly place: Place
  readonly version: string
  readonly dryRun: boolean
}

export class InstallWriter {
  readonly changes: Change[] = []
  readonly edits: Recorded[] = []
  readonly #context: WriterContext
  readonly #old: Manifest
  readonly #undo: (() => void)[] = []

  constructor(context: WriterContext) {
    this.#context = context
    this.#old = readManifest(context.files, context.place)
  }

  /** What an earlier install recorded for this path. */
  recorded(path: string): Recorded | undefined {
    return this.#old.edits.find((edit) => edit.path === path)
  }

  /** True when any worktree has an edit of a file with this ending. */
  hasRecorded(ending: string): boolean {
    return this.#old.edits.some(({ path }) => path.endsWith(ending))
  }

  /** Lists a change that a dry run cannot make. */
  announce(change: Change): void {
    this.changes.push(change)
  }

  /** The last first, so that every file is as it was. */
  takeBack(): void {
    for (const undo of this.#undo.toReversed()) undo()
  }

  /** A file of the ledger: the user's as soon as it is committed or changed. */
  ledger(path: string, content: string): void {
    this.#write(
      { path, kind: 'ledger', existed: false, inserted: content },
      content,
      'empty ledger',
    )
  }

  /** A file of ours. */
  own(path: string, content: string, what: string, mode?: number): void {
    this.#write({ path, kind: 'own', existed: false }, content, what, mode)
  }

  /** A block of ours in somebody else's file. */
  block(
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
    const text = withoutHalfBlocks(before ?? hook.start, block)
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
      if (!path.startsWith(`${this.#context.place.commonDir}/`)) return
    }
    const existed = old?.existed ?? (before !== undefined && !hasBlock(before))
    const isOurs = before === undefined || !existed
    const mode = isOurs ? hook.mode : undefined
    const edit: Recorded = { path, kind: old?.kind ?? 'block', existed, inserted }
    const record = old?.target === undefined ? edit : { ...edit, target: old.target }
    this.#write(record, put.text, what, mode)
  }

  /** Our hook in the place of the user's, which is kept and run by it. */
  wrap(file: string, kept: string, block: string, what: { ours: string; theirs: string }): void {
    const { files, dryRun } = this.#context
    this.changes.push({ path: kept, change: 'move', what: what.theirs })
    const target = dryRun ? undefined : files.keep(file, kept)
    if (!dryRun) {
      this.#undo.push(() => {
        files.restore(kept, file, target)
        files.removeFolder(parentOf(kept))
      })
    }
    const edit: Recorded = { path: file, kind: 'wrapper', existed: true, inserted: block }
    this.edits.push(target === undefined ? edit : { ...edit, target })
    this.changes.push({ path: file, change: 'edit', what: what.ours })
    if (!dryRun) files.write(file, `#!/bin/sh\n${block}`, 0o755)
  }

  /** A file for the whole team. */
  team(path: string, content: string, what = 'for your CI'): void {
    const folders = this.recorded(path)?.folders ?? this.#missingFolders(path)
    const edit: Recorded = { path, kind: 'team', existed: false, inserted: content, folders }
    this.#write(edit, content, what)
  }

  /** Hooks of ours beside those of others; `pieces`: what was put in by now. */
  agentSettings(path: string, content: string, pieces: readonly string[], what: string): void {
    const before = this.#context.files.read(path)
    const old = this.recorded(path)
    // As with blocks: what a teammate's commit brought stays.
    if (old === undefined && before === content) return
    const existed = before !== undefined && (old?.existed ?? true)
    const folders = old?.folders ?? this.#missingFolders(path)
    this.#write({ path, kind: 'agent', existed, pieces, folders }, content, what)
  }

  /** What keeps a formatter away: the whole file, or the piece of somebody else's. */
  formatter(path: string, content: string, piece: string | undefined, what: string): void {
    const before = this.#context.files.read(path)
    // As with blocks: what a teammate's commit brought stays.
    if (before === content && this.recorded(path) === undefined) return
    const edit: Recorded =
      piece === undefined
        ? { path, kind: 'formatter', existed: false, inserted: content }
        : { path, kind: 'formatter', existed: true, pieces: [piece] }
    this.#write(edit, content, what)
  }

  #missingFolders(path: string): number {
    let count = 0
    for (let folder = parentOf(path); this.#context.files.kind(folder) === 'absent'; count++) {
      folder = parentOf(folder)
    }
    return count
  }

  #write(edit: Recorded, content: string, what: string, mode?: number): void {
    const { files, dryRun } = this.#context
    this.edits.push(edit)
    const before = files.read(edit.path)
    const lostRunBit =
      mode !== undefined && before !== undefined && (files.mode(edit.path) & 0o100) === 0
    if (before === content && !lostRunBit) return
    this.changes.push({ path: edit.path, change: before === undefined ? 'create' : 'edit', what })
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

  /** Writes the record: of what is planned, then of what was done. */
  record(edits: readonly Recorded[]): void {
    const { files, place, version, dryRun } = this.#context
    if (dryRun) return
    const path = manifestPath(place.commonDir)
    // Edits of another worktree of this repository stay recorded.
    const self: Recorded = { path, kind: 'own', existed: false }
    const byPath = new Map([self, ...this.#old.edits, ...edits].map((edit) => [edit.path, edit]))
    const text = manifestText({ version, edits: [...byPath.values()] }, place)
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
