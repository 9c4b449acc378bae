/** A ledger's history in memory, and a merge of it as git would hand it to the driver. */

import type { MergeDependencies } from '../../../src/app/merge/merge-ledger.ts'
import { mergeLedger } from '../../../src/app/merge/merge-ledger.ts'
import type { MergeClue } from '../../../src/app/merge/merge-sides.ts'
import { findSides } from '../../../src/app/merge/merge-sides.ts'
import type { IndexEntry } from '../../../src/app/ports.ts'
import type { TreeEntry } from '../../../src/core/git/objects.ts'
import { decodeTree, emptyTreeOid, encodeTree } from '../../../src/core/git/objects.ts'
import type { Files } from '../../support/memory-objects.ts'
import { MemoryObjects } from '../../support/memory-objects.ts'
import { oracleLedger, oracleMarkdown } from '../../support/oracle.ts'

export const ROOT = 'notes'

/** An event file that does `word`, decides `word=value`, or retracts what `word!other` names; its name orders it. */
export function eventOf(word: string, minute = word.charCodeAt(0) - 64): [string, string] {
  const ts = `2026-01-02T00:${String(minute).padStart(2, '0')}:00Z`
  const [own = '', retracted] = word.split('!')
  const [key, value] = own.split('=')
  const decision = value === undefined ? '' : `decisions:\n  ${key?.slice(1)}: ${value}\n`
  const retracts = retracted === undefined ? '' : `retracts:\n- ${eventOf(retracted)[0]}\n`
  const text = `---\nts: '${ts}'\nagent: ada\n${retracts}---\n\nnow: ${own}\nthis_session:\n- ${own}\n${decision}`
  return [`${ts.replaceAll(':', '-')}_ada_${own}.md`, text]
}

/** The contents of an `events/` folder with these words; a word with a slash is in a sub-folder. */
export function events(...words: readonly string[]): Files {
  const files: Record<string, Files | string> = {}
  for (const word of words) {
    const [folder, name] = word.includes('/') ? (word.split('/') as [string, string]) : ['', word]
    const [file, text] = eventOf(name)
    if (folder === '') files[file] = text
    else files[folder] = { ...(files[folder] as Files | undefined), [file]: text }
  }
  return files
}

export class Scene {
  readonly store: MemoryObjects
  /** Trees that were written because git does not write them itself. */
  readonly written: string[] = []
  clues: MergeClue[] = []
  /** What the index holds below the ledger's folder; undefined if no command holds the index. */
  index: Files | undefined = {}
  /** The answer of `git diff-index --cached HEAD`. */
  indexEqualsHead = true
  searches = 0

  constructor(format?: 'sha1' | 'sha256') {
    this.store = new MemoryObjects(format)
  }

  /** The id of the `events/` tree with these words. */
  events(...words: readonly string[]): string {
    return this.store.tree(events(...words))
  }

  /** The rendering of these words. */
  text(...words: readonly string[]): string {
    const read = words
      .filter((word) => !word.includes('/'))
      .map((word) => eventOf(word))
      .map(([file, text]) => ({ file, text, blobId: this.store.blob(text) }))
    return oracleMarkdown(oracleLedger(read, this.events(...words)))
  }

  /** A commit whose ledger has these words; `current` replaces their rendering. */
  commit(
    words: readonly string[],
    parents: readonly string[] = [],
    current?: string | Uint8Array,
  ): string {
    const ledger = { events: events(...words), 'current.md': current ?? this.text(...words) }
    return this.store.commit({ [ROOT]: ledger }, ...parents)
  }

  /** The words of the events in a tree. */
  async wordsOf(tree: string | undefined): Promise<string[] | undefined> {
    if (tree === undefined) return undefined
    if (tree === emptyTreeOid(this.store.format)) return []
    const object = await this.store.read(tree)
    const entries = decodeTree(object?.content ?? new Uint8Array(), this.store.format)
    return entries.map(({ name }) => name.replace(/^.*_|\.md$/g, ''))
  }

  dependencies(): MergeDependencies {
    const { store } = this
    const list = (): Promise<IndexEntry[]> => Promise.resolve(entriesOf(store, ROOT, this.index))
    store.tree(this.index ?? {}) // as git does before it merges into it
    return {
      objects: store,
      format: store.format,
      root: ROOT,
      clues: this.clues,
      index:
        this.index &&
        ({ index: { list }, place: { format: store.format } } as unknown as NonNullable<
          MergeDependencies['index']
        >),
      indexEqualsHead: () => Promise.resolve(this.indexEqualsHead),
      expected: () => [],
      mergeBases: (theirs) => store.mergeBases('HEAD', theirs),
      searchHistory: (blob) => {
        this.searches += 1
        return store.searchHistory(blob, `${ROOT}/current.md`)
      },
      writeTree: (entries: readonly TreeEntry[]) => {
        const oid = store.add('tree', encodeTree(entries))
        this.written.push(oid)
        return Promise.resolve(oid)
      },
    }
  }

  /** The sides that were found, as words. */
  async sides(base: string, ours: string, theirs: string) {
    const found = await findSides(this.dependencies(), texts(base, ours, theirs))
    return {
      base: await this.wordsOf(found.base),
      ours: await this.wordsOf(found.ours),
      theirs: await this.wordsOf(found.theirs),
      isPlain: found.isPlain,
    }
  }

  async merge(base: string, ours: string, theirs: string): Promise<string> {
    return (await mergeLedger(this.dependencies(), texts(base, ours, theirs))).text
  }
}

function texts(base: string, ours: string, theirs: string) {
  return { base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }
}

function entriesOf(store: MemoryObjects, folder: string, files: Files = {}): IndexEntry[] {
  return Object.entries(files).flatMap(([name, file]): IndexEntry[] => {
    const path = `${folder}/${name}`
    const isFile = typeof file === 'string' || file instanceof Uint8Array
    if (!isFile) return entriesOf(store, path, file)
    return [{ mode: '100644', name, path, oid: store.blob(file), stage: 0, skipWorktree: false }]
  })
}
