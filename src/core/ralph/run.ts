/** Whether our own loop continues or ends. A table: the first line that matches decides. */

export interface RunState {
  /** Completed iterations of this run. */
  readonly done: number
  readonly max: number | undefined
  /** Iterations since the last one that changed anything. */
  readonly idle: number
}

export interface Outcome {
  readonly promise: string | undefined
  /** The command could not be started. */
  readonly isMissing: boolean
  readonly isInterrupted: boolean
  /** Something has changed besides what ledger-git writes. */
  readonly hasChanged: boolean
}

export type Ending = 'missing' | 'interrupted' | 'promise' | 'maximum' | 'no-change'

/** This many iterations without a change are not a coincidence. */
const MAX_IDLE = 2

const ENDINGS: readonly (readonly [Ending, (state: RunState, outcome: Outcome) => boolean])[] = [
  ['missing', (_, { isMissing }) => isMissing],
  ['promise', (_, { promise }) => promise !== undefined],
  ['interrupted', (_, { isInterrupted }) => isInterrupted],
  ['no-change', ({ idle }) => idle >= MAX_IDLE],
  ['maximum', ({ done, max }) => max !== undefined && done >= max],
]

export function newRun(max: number | undefined): RunState {
  return { done: 0, max, idle: 0 }
}

export function afterIteration(
  { done, max, idle }: RunState,
  outcome: Outcome,
): { readonly state: RunState; readonly ending: Ending | undefined } {
  const state = { done: done + 1, max, idle: outcome.hasChanged ? 0 : idle + 1 }
  const ending = ENDINGS.find(([, fits]) => fits(state, outcome))?.[0]
  return { state, ending }
}
