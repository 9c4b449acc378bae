/** What `ralph run` passes to the processes of an iteration, so that hooks and commands know their loop. */

const NAMES = {
  iteration: 'LEDGER_RALPH_ITERATION',
  prompt: 'LEDGER_RALPH_PROMPT',
  worktree: 'LEDGER_RALPH_WORKTREE',
} as const

export interface OwnLoop {
  readonly iteration: number
  /** Path relative to the top of the worktree. */
  readonly prompt: string
}

type Env = Readonly<Record<string, string | undefined>>

/** `worktree`: its top. Repositories that the agent creates elsewhere are not part of the loop. */
export function ownLoopEnv({ iteration, prompt }: OwnLoop, worktree: string) {
  return {
    [NAMES.iteration]: String(iteration),
    [NAMES.prompt]: prompt,
    [NAMES.worktree]: worktree,
  }
}

/** Undefined outside an iteration and in other worktrees. */
export function readOwnLoop(env: Env, worktree: string | undefined): OwnLoop | undefined {
  const { [NAMES.iteration]: iteration = '', [NAMES.prompt]: prompt = '' } = env
  const isIn = worktree !== undefined && env[NAMES.worktree] === worktree
  if (!isIn || prompt === '' || !/^\d{1,9}$/.test(iteration)) return undefined
  return { iteration: Number(iteration), prompt }
}
