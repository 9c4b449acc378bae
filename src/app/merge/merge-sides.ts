/**
 * Finds the three `events/` trees of a merge from three texts of `current.md`.
 *
 * A commit that git names is trusted only if its `current.md` is exactly the given text. In that case the
 * events that the commit holds count, even if `current.md` was committed stale. Otherwise the footer of the
 * text counts, if its tree exists. Otherwise the history is searched for the text.
 */

import { decodeCommit, emptyTreeOid, hashObject } from '../../core/git/objects.ts'
import type { ObjectFormat } from '../../core/git/objects.ts'
import { parseProvenance } from '../../core/ledger/provenance.ts'
import { ledgerIn, ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import type { RepositoryPort, RevisionReader } from '../ports.ts'
import type { MergeTexts } from '../ports/merge-text.ts'

/** A commit that may be the other side of this merge. */
export interface MergeClue {
  /**
   * `pick`: the base is the commit's parent. `revert`: the commit itself is the base. `merge`: the base is the common
   * ancestor.
   */
  readonly kind: 'merge' | 'pick' | 'revert'
  readonly commit: string
  /** The base as git names it (`%S`), if it does. */
  readonly base?: string
  /** A rebase is picking this commit; git commits the result before it starts the driver again. */
  readonly isRebased?: boolean
}

export interface SideFinder {
  readonly objects: RevisionReader
  readonly format: ObjectFormat
  /** The ledger's folder, relative to the top of the tree; empty for the top itself. */
  readonly root: string
  readonly clues: readonly MergeClue[]
  /** Set only while a command that merges into a worktree runs: then our side is the index. */
  readonly index: Pick<RepositoryPort, 'index' | 'place'> | undefined
  /** True when the index holds exactly what HEAD holds below these paths. */
  indexEqualsHead(...paths: readonly string[]): Promise<boolean>
  /** Commits that are likely to be looked up. */
  expected(): readonly string[]
  /** Best common ancestors with HEAD. */
  mergeBases(theirs: string): Promise<readonly string[]>
  /** A few commits (newest first, reflogs included) that introduced this blob. */
  searchHistory(blob: string): Promise<string[]>
}

/** Tree ids of `events/`; undefined if a side cannot be determined. */
export interface MergeSides {
  readonly base: string | undefined
  readonly ours: string | undefined
  readonly theirs: string | undefined
  /** A merge of two commits with one common ancestor. */
  readonly isPlain: boolean
  /** Git itself writes the merged tree before anything needs it: for a plain merge and during a rebase. */
  readonly isWritten: boolean
  /** Our side is what is checked out; false if git is merging two common ancestors. */
  readonly isHere: boolean
}

/** What one commit holds; `current` is the blob of `current.md`. */
interface Side {
  readonly commit: string
  readonly current: string | undefined
  readonly eventsTree: string
}

export async function findSides(given: SideFinder, texts: MergeTexts): Promise<MergeSides> {
  const finder = { ...given, objects: memoized(given.objects) }
  const blobs = {
    base: texts.base.length === 0 ? undefined : hashObject('blob', texts.base, given.format),
    ours: hashObject('blob', texts.ours, given.format),
    theirs: hashObject('blob', texts.theirs, given.format),
  }
  // Requested together, these lookups are answered in one round trip.
  const [clue] = finder.clues
  const likely = clue === undefined ? [] : [clue.commit]
  const parent = clue === undefined || clue.kind === 'merge' ? [] : [parentOf(clue.commit, 1)]
  const first = ['HEAD', ...likely, ...parent, ...finder.expected()]
  await Promise.all(first.map((commit) => sideOf(finder, commit)))
  const ours = await findOurs(finder, blobs.ours)
  const known = await matchClues(finder, finder.clues, blobs)
  let base = known?.base ?? (await footerTree(finder, texts.base))
  let theirs = known?.theirs ?? (await footerTree(finder, texts.theirs))
  if (theirs === undefined || (base === undefined && blobs.base !== undefined)) {
    // No commit is named, and a footer is missing, is a mix of both sides or comes from another clone.
    const found = await searchSides(finder, blobs)
    base ??= found?.base
    theirs ??= found?.theirs
  }
  // The base has no text: both sides added the file, unless a common ancestor says otherwise.
  if (blobs.base === undefined) base ??= emptyTreeOid(finder.format)
  return {
    base,
    ours: ours ?? (await footerTree(finder, texts.ours)),
    theirs,
    isPlain: known?.isPlain ?? false,
    isWritten: known?.isWritten ?? false,
    isHere: ours !== undefined,
  }
}

interface Blobs {
  readonly base: string | undefined
  readonly ours: string
  readonly theirs: string
}

/** `events/` of HEAD if the index agrees with it, otherwise of the index, otherwise undefined. */
async function findOurs(finder: SideFinder, blob: string): Promise<string | undefined> {
  const named = await sideOf(finder, 'HEAD')
  const head = named?.current === blob ? named : undefined
  const { current, events } = ledgerPaths(finder.root)
  if (finder.index !== undefined) {
    if (head !== undefined && (await finder.indexEqualsHead(current, events)))
      return head.eventsTree
    const index = await placeOfIndex(finder.index, finder.root)
    if (index?.current?.oid === blob) return index.eventsTree
  }
  return head?.eventsTree
}

interface Found {
  readonly base: string | undefined
  readonly theirs: string
  readonly isPlain: boolean
  readonly isWritten: boolean
}

/** The first clue whose commit holds exactly `theirs`, and the base that belongs to it. */
async function matchClues(
  finder: SideFinder,
  clues: readonly MergeClue[],
  blobs: Blobs,
): Promise<Found | undefined> {
  for (const [i, clue] of clues.entries()) {
    // The first clue is usually right. If not, look up all others at once: that is as quick as a single lookup.
    if (i === 1) await Promise.all(clues.slice(1).map(({ commit }) => sideOf(finder, commit)))
    const named = await sideOf(finder, clue.commit)
    if (named === undefined) continue
    const parents = clue.kind === 'merge' ? [] : await parentsOf(finder, clue.commit, named)
    if (clue.kind === 'revert') {
      const theirs = parents.find((parent) => parent.current === blobs.theirs)
      if (theirs === undefined || named.current !== blobs.base) continue
      const trees = { base: named.eventsTree, theirs: theirs.eventsTree }
      return { ...trees, isPlain: false, isWritten: false }
    }
    if (named.current !== blobs.theirs) continue
    const bases = clue.kind === 'pick' ? parents : await mergeBase(finder, clue, named.commit)
    const base = bases.find((side) => side.current === blobs.base)
    // A commit may hold the same text without being the picked one; a stash does, for example.
    if (clue.kind === 'pick' && base === undefined && blobs.base !== undefined) continue
    const isPlain = clue.kind === 'merge' && base !== undefined
    const isWritten = isPlain || (clue.isRebased === true && base !== undefined)
    return { base: base?.eventsTree, theirs: named.eventsTree, isPlain, isWritten }
  }
  return undefined
}

/** The common ancestor, if it is one commit: with several, git merges them into a virtual one. */
async function mergeBase(finder: SideFinder, clue: MergeClue, theirs: string): Promise<Side[]> {
  const named = clue.base === undefined ? undefined : await sideOf(finder, clue.base)
  if (named !== undefined) return [named]
  const bases = await finder.mergeBases(theirs)
  if (bases.length !== 1 || bases[0] === undefined) return []
  const side = await sideOf(finder, bases[0])
  return side === undefined ? [] : [side]
}

/** Last resort: a commit in the history that made this exact change, or the commit that the change reverts. */
async function searchSides(finder: SideFinder, blobs: Blobs): Promise<Found | undefined> {
  const holders = await finder.searchHistory(blobs.theirs)
  const picks = holders.map((commit): MergeClue => ({ kind: 'pick', commit }))
  const exact = await matchClues(finder, picks, blobs)
  if (exact?.base !== undefined || blobs.base === undefined) return exact
  const undone = await finder.searchHistory(blobs.base)
  const reverts = undone.map((commit): MergeClue => ({ kind: 'revert', commit }))
  const reverted = await matchClues(finder, reverts, blobs)
  if (reverted !== undefined) return reverted
  const merges = holders.map((commit): MergeClue => ({ kind: 'merge', commit }))
  return (await matchClues(finder, merges, blobs)) ?? exact
}

/** Nothing moves during a merge, so every expression is looked up only once. */
function memoized(objects: RevisionReader): RevisionReader {
  const found = new Map<string, ReturnType<RevisionReader['find']>>()
  return {
    read: (oid) => objects.read(oid),
    find: (expression) => {
      const known = found.get(expression) ?? objects.find(expression)
      found.set(expression, known)
      return known
    },
    close: () => objects.close(),
  }
}

/** What the commit that `expression` names holds; undefined when it names none. */
async function sideOf(finder: SideFinder, expression: string): Promise<Side | undefined> {
  const { objects, root, format } = finder
  const [commit, folder] = await Promise.all([
    objects.find(`${expression}^{commit}`),
    objects.find(`${expression}:${root}`),
    objects.find(`${expression}:${ledgerPaths(root).events}`), // read next
  ])
  if (commit?.type !== 'commit') return undefined
  const { current, events } = ledgerIn(folder, format)
  return {
    commit: commit.oid,
    current: current?.oid,
    eventsTree: events?.oid ?? emptyTreeOid(format),
  }
}

/** An expression in git's syntax, so that a parent can be looked up before its id is known. */
function parentOf(commit: string, number: number): string {
  return `${commit}^${number}`
}

async function parentsOf(finder: SideFinder, name: string, { commit }: Side): Promise<Side[]> {
  const object = await finder.objects.read(commit)
  if (object?.type !== 'commit') return []
  const { parents } = decodeCommit(object.content)
  const sides = parents.map((_, i) => sideOf(finder, parentOf(name, i + 1)))
  return (await Promise.all(sides)).filter((side) => side !== undefined)
}

/** The tree that the footer of a text names, if the repository has it. */
async function footerTree(finder: SideFinder, text: Uint8Array): Promise<string | undefined> {
  const tree = parseProvenance(Buffer.from(text).toString('utf8'))?.eventsTree
  if (tree === undefined || tree === emptyTreeOid(finder.format)) return tree
  return (await finder.objects.read(tree))?.type === 'tree' ? tree : undefined
}
