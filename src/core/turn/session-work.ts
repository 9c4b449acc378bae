/** What is known of a session when its event is made. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Todo } from '../session/todos.ts'

export interface SessionWork {
  readonly entries: readonly TranscriptEntry[]
  /** Those of them that no event has told yet. */
  readonly untold: readonly TranscriptEntry[]
  /** The list as the hooks told it; undefined: as the entries tell it. */
  readonly todos: readonly Todo[] | undefined
  /** Made in this session, oldest first, without the ledger's own. */
  readonly commits: readonly { readonly oid: string; readonly subject: string }[]
  /** Files that were changed and are in none of `commits`. */
  readonly files: readonly string[]
  /** Folders of the repository; what was changed elsewhere is told apart. */
  readonly tops: readonly string[]
  /** As the hook said it; undefined: the last one among the entries. */
  readonly lastMessage: string | undefined
  /** Questions that are known to be open from elsewhere. */
  readonly questions: readonly string[]
  /** What the user asked first; undefined: the first prompt among the entries. */
  readonly firstPrompt: string | undefined
  /** True when somebody set a goal. One that a session's end guessed is replaced by a newer guess. */
  readonly ledgerHasGoal: boolean
}
