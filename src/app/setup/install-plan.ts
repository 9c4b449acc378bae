/**
 * What `install` is going to write, piece by piece. Nothing is written before the plan is complete; then
 * the record for `uninstall` comes first, and a failure takes back all that was done before it.
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
  /** Nothing that git tracks is written: this clone only. */
  readonly local: boolean
  /** Hosting services that get a workflow. */
  readonly ci?: readonly CiHost[]
  /** Coding agents to connect. */
  readonly agents?: readonly AgentName[]
  /** Hooks of agents also follow how full contexts are. */
  readonly context?: boolean
  /** The status line goes into the user's own settings. */
  readonly user?: boolean
  /** What the worktree holds of the ledger, where somebody has looked already. */
  readonly worktree?: WorktreePlace
}

export type CiHost = 'github' | 'gitlab'

/** One file as it is to be; `Recorded` says what becomes of each kind. */
interface Edit extends Pick<Recorded, 'path' | 'kind' | 'pieces'> {
  readonly content: string
  readonly what: string
  readonly mode?: number | undefined
  /** The user's own hook, which this one replaces and runs. */
  readonly keeps?: string
  /** For a file that others write meanwhile: what it will be, from what it is then. */
  readonly change?: ((text: string) => string) | undefined
}

/** What takes back what was written, the first first. */
type Undo = (() => void)[]

function isEmptied({ kind, content }: Edit): boolean {
  return kind === 'block' && content === ''
}

export class InstallPlan {
  readonly setup: Setup
  readonly local: boolean
  readonly agents: readonly AgentName[]
  /** Asked for now, or once. */
  readonly followsContext: boolean
  readonly context: boolean
  readonly user: boolean
  readonly notes: string[] = []
  /** Tracked paths that the user should commit, from the top of the worktree. */
  readonly commit: string[] = []
  readonly changes: Change[] = []
  /** Those that change something. */
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

  /** What a file is to be, or is, and what of it is ours: an earlier step of this plan may have changed it. */
  planned(
    path: string,
  ): Pick<Recorded, 'pieces' | 'isForContext'> & { readonly text: string | undefined } {
    const text = this.edits.findLast((edit) => edit.path === path)?.content
    const { pieces, isForContext } = this.#record.get(path) ?? {}
    return { text: text ?? this.setup.files.read(path), pieces, isForContext }
  }

  /** True when any worktree has an edit of a file with this ending. */
  hasRecorded(ending: string): boolean {
    return this.#old.edits.some(({ path }) => path.endsWith(ending))
  }

  /** A block of ours in somebody else's file; `start`: how the file begins where there is none. */
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
    // What was inserted around the block the first time stays what must be taken out.
    const isThere =
      before !== undefined && (where === 'config' ? put.text === text : hasBlock(before))
    const inserted =
      isThere && old?.inserted?.startsWith('\n') === true ? `\n${put.inserted}` : put.inserted
    // A hook manager takes its own lines out again: what stays is then nobody's.
    const isUsers = before !== undefined && !hasBlock(before) && managerOf(before) === undefined
    const existed = old?.existed ?? isUsers
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

  /** The block again; what is empty without it goes. */
  takeOut(path: string, what: string): void {
    const text = this.setup.files.read(path) ?? ''
    const content = removeBlock(text, this.recorded(path)?.inserted)
    if (content !== text) this.put({ path, kind: 'block', content, what }, { inserted: undefined })
  }

  /** A whole file of ours, or with `pieces` one of somebody else's, in which these are all of ours. */
  put(edit: Edit, more: Partial<Recorded> = {}): void {
    const { files, repository } = this.setup
    const { path, kind, content, what, mode, pieces, keeps } = edit
    const before = files.read(path)
    const old = this.recorded(path)
    // A teammate's commit brought it: it was there before this install and stays after it. In the git
    // folder nobody else can have written it.
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

  /** Takes a file out of the plan. */
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

  /** Writes all of it, or nothing. */
  apply(): void {
    const { files } = this.setup
    const undo: Undo = []
    try {
      this.#writeRecord(undo) // a run that is killed can be taken back as well
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

  /** Deepest first. */
  #missingFolders(path: string): string[] {
    const folder = folderOf(path)
    const isThere = folder === '' || this.setup.files.kind(folder) !== 'absent'
    return isThere ? [] : [folder, ...this.#missingFolders(folder)]
  }
}
