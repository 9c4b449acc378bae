/** What a loop of our own needs from outside. */

import type { FileChange } from '../../core/checkpoint/condensation.ts'
import type { Handover } from '../../core/ralph/loop.ts'
import type { WorkMark } from '../../core/ralph/work-mark.ts'
import type { LoopFiles } from '../loops/loop-files.ts'

export interface AgentRun {
  /** Undefined where the command could not be started. */
  readonly status: number | undefined
  /** The end of what it printed on standard output, in whole lines. */
  readonly output: string
  readonly isInterrupted: boolean
  /** It was ended because it took too long. */
  readonly isLate: boolean
}

/** What an iteration left besides its work. */
export interface LookBack {
  /** Percent of the window, the highest that was seen. */
  readonly peak: number | undefined
  /** Undefined where no checkpoint was taken. */
  readonly handover: Handover | undefined
}

/** What an iteration is going to take. */
export interface ItemAhead {
  readonly said: string
  /** For the agent, where the item does not fit into a context. */
  readonly warning: string | undefined
}

export interface LoopWorld {
  readonly worktree: LoopFiles
  /** Before an iteration; undefined where it cannot be told. */
  foresee(prompt: string): Promise<ItemAhead | undefined>
  /** A process of its own; the prompt is its standard input. */
  runAgent(prompt: string, iteration: number): Promise<AgentRun>
  /** Called before an iteration; the answer is called after it: `cutOff` says why it did not end by itself. */
  watch(iteration: number): Promise<(cutOff: string | undefined) => Promise<LookBack>>
  /** The process of an agent that is at work here. */
  agentAtWork(): number | undefined
  /** Where the session stood that lived here last; undefined where it did nothing. */
  killedAt(): Promise<Handover | undefined>
  mark(): Promise<WorkMark>
  /** Between the heads of two marks. */
  committed(before: WorkMark, after: WorkMark): Promise<readonly FileChange[]>
  /** Written by ledger-git, whoever runs. */
  isOurs(path: string): boolean
  say(line: string): void
}
