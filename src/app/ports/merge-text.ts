/** Types for three-way merges of texts. */

/** Three versions of a file. */
export interface MergeTexts {
  readonly base: Uint8Array
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
}

export interface MergedText {
  readonly content: Uint8Array
  /** The content has conflict markers. */
  readonly isConflict: boolean
}

/** Git's own three-way merge of texts. */
export type MergeText = (sides: MergeTexts) => MergedText
