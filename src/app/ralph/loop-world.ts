/** What our own loop needs from outside. */

import type { FileChange } from '../../core/checkpoint/condensation.ts'
import type { Handover } from '../../core/ralph/loop.ts'
import type { WorkMark } from '../../core/ralph/work-mark.ts'
import type { LoopFiles } from '../loops/loop-files.ts'

export interface AgentRun {
  /** Undefined if the command could not be started. */
  readonly status: number | undefined
  /** The end of what it printed on standard output, in whole lines. */
  readonly output: string
  readonly isInterrupted: boolean
  /** The run was ended because it took too long. */
  readonly isLate: boolean
}

/** What an iteration left behind besides its work. */
export interface LookBack {
  /** The highest percentage of the window that was seen. */
  readonly peak: number | undefined
  /** Undefined if no checkpoint was taken. */
  readonly handover: Handover | undefined
}

/** What an iteration is going to take. */
export interface ItemAhead {
  readonly said: string
  /** For the agent, if the item does not fit into a context. */
  readonly warning: string | undefined
}

export interface LoopWorld {
  readonly worktree: LoopFiles
  /** Called before an iteration; undefined if there is no estimate. */
  foresee(prompt: string): Promise<ItemAhead | undefined>
  /** Runs the agent as a separate process; the prompt is its standard input. */
  runAgent(prompt: string, iteration: number): Promise<AgentRun>
  /** Called before an iteration; the returned function is called after it. `cutOff`: why it did not end by itself. */
  watch(iteration: number): Promise<(cutOff: string | undefined) => Promise<LookBack>>
  /** Where the last session here stopped; undefined if it did nothing. */
  killedAt(): Promise<Handover | undefined>
  mark(): Promise<WorkMark>
  /** Changes committed between the heads of two marks. */
  committed(before: WorkMark, after: WorkMark): Promise<readonly FileChange[]>
  /** True for files that ledger-git itself writes. */
  isOurs(path: string): boolean
  say(line: string): void
}
