/**
 * What `install` is going to write, piece by piece. Nothing is written before the plan is complete. Then the record for
 * `uninstall` is written first, and a failure undoes everything that was done before it.
 */

import type { AgentName } from '../../core/agents/agents.ts'
import { putInclude } from '../../core/setup/config-include.ts'
import { managerOf } from '../../core/setup/hook-script.ts'
import type { Position } from '../../core/setup/marked-block.ts'
import {
  hasBlock,
  putBlock,
  removeBlock,
  withoutHalfBlocks,
} from '../../core/setup/marked-block.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import type { Change, InstallRecord, Recorded } from './install-record.ts'
import { contextMarker, folderOf, readRecord, recordPath, recordText } from './install-record.ts'
import { keepHook, keptChanges } from './kept-hook.ts'
import type { Setup } from './setup.ts'

export interface InstallOptions {
  readonly dryRun: boolean
  /** Set up only this clone: nothing that git tracks is written. */
  readonly local: boolean
  /** Hosting services that get a workflow. */
  readonly ci?: readonly CiHost[]
  /** Coding agents to connect. */
  readonly agents?: readonly AgentName[]
  /** Hooks of agents also follow how full contexts are. */
  readonly context?: boolean
  /** The status line goes into the user's own settings. */
  readonly user?: boolean
  /** The worktree's ledger, if the caller reads it anyway. */
  readonly worktree?: Promise<WorktreePlace>
}

export type CiHost = 'github' | 'gitlab'

/** The intended content of one file; see `Recorded` for the kinds. */
interface Edit extends Pick<Recorded, 'path' | 'kind' | 'pieces'> {
  readonly content: string
  readonly what: string
  readonly mode?: number | undefined
  /** The user's own hook, which this one replaces and runs. */
  readonly keeps?: string
  /** For a file that others may write in the meantime: computes the new text from the text at that moment. */
  readonly change?: ((text: string) => string) | undefined
}

/** Steps that undo what was written, in the order in which it was written. */
type Undo = (() => void)[]

function isEmptied({ kind, content }: Edit): boolean {
  return kind === 'block' && content === ''
}

export class InstallPlan {
  readonly setup: Setup
  readonly local: boolean
  readonly agents: readonly AgentName[]
  /** Requested now or by an earlier install. */
  readonly followsContext: boolean
  readonly context: boolean
  readonly user: boolean
  readonly notes: string[] = []
  /** Tracked paths that the user should commit, relative to the top of the worktree. */
  readonly commit: string[] = []
  readonly changes: Change[] = []
  /** The edits that change something. */
  readonly edits: Edit[] = []
  readonly #record = new Map<string, Recorded>()
  readonly #old: InstallRecord

  constructor(setup: Setup, options: InstallOptions) {
    const { local, agents = [], context = false, user = false } = options
    const { place } = setup.repository
    this.context = context
    this.user = user
    this.setup = setup
    this.local = local
    this.agents = agents
    this.#old = readRecord(setup.files, place)
    this.followsContext = context || this.recorded(contextMarker(place.commonDir)) !== undefined
    // Edits of another worktree of this repository stay recorded.
    const self: Recorded = { path: recordPath(place.commonDir), kind: 'own', existed: false }
    for (const edit of [self, ...this.#old.edits]) this.#record.set(edit.path, edit)
  }

  /** What an earlier install recorded for this path. */
  recorded(path: string): Recorded | undefined {
    return this.#old.edits.find((edit) => edit.path === path)
  }

  /** A file's planned or present text, and which parts are ours; an earlier step of this plan may have changed it. */
  planned(
    path: string,
  ): Pick<Recorded, 'pieces' | 'isForContext'> & { readonly text: string | undefined } {
    const text = this.edits.findLast((edit) => edit.path === path)?.content
    const { pieces, isForContext } = this.#record.get(path) ?? {}
    return { text: text ?? this.setup.files.read(path), pieces, isForContext }
  }

  /** True if any worktree has an edit of a file whose path ends like this. */
  hasRecorded(ending: string): boolean {
    return this.#old.edits.some(({ path }) => path.endsWith(ending))
  }

  /** Puts a block of ours into somebody else's file; `start` is the beginning of the file if there is none yet. */
  block(
    path: string,
    block: string,
    what: string,
    where: Position | 'config' = 'end',
    { start = '', mode }: { start?: string; mode?: number } = {},
  ): void {
    const before = this.setup.files.read(path)
    const old = this.recorded(path)
    const text = withoutHalfBlocks(before ?? start, block)
    const put = where === 'config' ? putInclude(text, block) : putBlock(text, block, where)
    // What was inserted around the block the first time must also be removed later.
    const isThere =
      before !== undefined && (where === 'config' ? put.text === text : hasBlock(before))
    const inserted =
      isThere && old?.inserted?.startsWith('\n') === true ? `\n${put.inserted}` : put.inserted
    // A hook manager removes its own lines again; what then remains belongs to nobody.
    const belongsToUser =
      before !== undefined && !hasBlock(before) && managerOf(before) === undefined
    const existed = old?.existed ?? belongsToUser
    const isOurs = before === undefined || !existed
    this.put(
      {
        path,
        change: where === 'config' ? (now) => putInclude(now, block).text : undefined,
        kind: old?.kind ?? 'block',
        content: put.text,
        what,
        mode: isOurs ? mode : undefined,
      },
      { existed, inserted },
    )
  }

  /** Removes a block again; a file that is empty without it is deleted. */
  takeOut(path: string, what: string): void {
    const text = this.setup.files.read(path) ?? ''
    const content = removeBlock(text, this.recorded(path)?.inserted)
    if (content !== text) this.put({ path, kind: 'block', content, what }, { inserted: undefined })
  }

  /** Writes a file that is entirely ours, or, with `pieces`, somebody else's file in which only the pieces are ours. */
  put(edit: Edit, more: Partial<Recorded> = {}): void {
    const { files, repository } = this.setup
    const { path, kind, content, what, mode, pieces, keeps } = edit
    const before = files.read(path)
    const old = this.recorded(path)
    // If the file is already right without a record, a teammate's commit brought it: it existed before this install
    // and outlives it. Inside the git folder, nobody else can have written it.
    const isOurs = path.startsWith(`${repository.place.commonDir}/`)
    if (old === undefined && before === content && !isOurs) return
    this.#record.set(path, {
      path,
      kind,
      existed: pieces !== undefined && before !== undefined && (old?.existed ?? true),
      inserted: pieces === undefined && kind !== 'own' ? content : undefined,
      pieces,
      folders: old?.folders ?? this.#missingFolders(path).length,
      ...more,
    })
    const lostRunBit = mode !== undefined && before !== undefined && !(files.mode(path) & 0o100)
    if (before === content && !lostRunBit) return
    this.edits.push(edit)
    if (keeps !== undefined) this.changes.push(...keptChanges(path, keeps, files))
    const isFirst = !this.changes.some((change) => change.path === path)
    const isNew = before === undefined && keeps === undefined && isFirst
    const change = isEmptied(edit) ? 'remove' : isNew ? 'create' : 'edit'
    this.changes.push({ path, change, what })
  }

  /** Removes a file from the plan. */
  drop(edit: Edit): void {
    const { path } = edit
    this.edits.splice(this.edits.indexOf(edit), 1)
    this.changes.splice(
      this.changes.findIndex((change) => change.path === path),
      1,
    )
    const old = this.recorded(path)
    if (old === undefined) this.#record.delete(path)
    else this.#record.set(path, old)
  }

  /** Writes everything or nothing. */
  apply(): void {
    const { files } = this.setup
    const undo: Undo = []
    try {
      this.#writeRecord(undo) // first, so that a run that is killed can be uninstalled as well
      for (const edit of this.edits) {
        const { path, content, mode, keeps, change } = edit
        if (change !== undefined) this.#change(path, change, undo)
        else if (keeps === undefined)
          this.#write(path, isEmptied(edit) ? undefined : content, mode, undo)
        else {
          undo.push(keepHook(path, files))
          files.write(path, content, mode)
        }
      }
    } catch (error) {
      for (const step of undo.toReversed()) step()
      throw error
    }
  }

  #change(path: string, change: (text: string) => string, undo: Undo): void {
    const { files } = this.setup
    let [before, after] = ['', '']
    files.change(path, (now) => {
      before = now
      after = change(now)
      return after
    })
    undo.push(() =>
      files.change(path, (now) => (now.startsWith(after) ? before + now.slice(after.length) : now)),
    )
  }

  #writeRecord(undo: Undo): void {
    const { files, repository, version } = this.setup
    const path = recordPath(repository.place.commonDir)
    const text = recordText({ version, edits: [...this.#record.values()] }, files, repository.place)
    if (files.read(path) !== text) this.#write(path, text, undefined, undo)
  }

  #write(path: string, content: string | undefined, mode: number | undefined, undo: Undo): void {
    const { files } = this.setup
    const before = files.read(path)
    const oldMode = before === undefined ? undefined : files.mode(path)
    const made = this.#missingFolders(path)
    undo.push(() => {
      if (before !== undefined) files.write(path, before, oldMode)
      else if (files.kind(path) === 'file') files.remove(path)
      for (const folder of made) files.removeFolder(folder)
    })
    if (content === undefined) files.remove(path)
    else files.write(path, content, mode)
  }

  /** Folders that do not exist yet, deepest first. */
  #missingFolders(path: string): string[] {
    const folder = folderOf(path)
    const isThere = folder === '' || this.setup.files.kind(folder) !== 'absent'
    return isThere ? [] : [folder, ...this.#missingFolders(folder)]
  }
}
