/** What is known about a session when its event is made. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Todo } from '../session/todos.ts'

export interface SessionWork {
  readonly entries: readonly TranscriptEntry[]
  /** Entries that no event has reported yet. */
  readonly untold: readonly TranscriptEntry[]
  /** The list as reported by hooks; undefined: use the list in the entries. */
  readonly todos: readonly Todo[] | undefined
  /** Commits made in this session, oldest first, without the ledger's own. */
  readonly commits: readonly { readonly oid: string; readonly subject: string }[]
  /** Changed files that are in none of `commits`. */
  readonly files: readonly string[]
  /** Those of `files` that differ from HEAD at the end; undefined if git was not asked. */
  readonly uncommitted?: ReadonlySet<string> | undefined
  /** Folders of the repository. Changes elsewhere are reported separately. */
  readonly tops: readonly string[]
  /** As reported by the hook; undefined: the last message in the entries. */
  readonly lastMessage: string | undefined
  /** Open questions known from other sources. */
  readonly questions: readonly string[]
  /** The user's first request; undefined: the first prompt in the entries. */
  readonly firstPrompt: string | undefined
  /** True if somebody set a goal. A goal guessed at the end of a session does not count: a newer guess replaces it. */
  readonly ledgerHasGoal: boolean
}
