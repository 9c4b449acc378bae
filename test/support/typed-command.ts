/**
 * Runs typed commands of the built tool without a process for each: a helper has the tool loaded. Starting Node and
 * loading the bundle is most of a command's cost, and tests run thousands of commands.
 *
 * What only a process shows (its own start, the shortcut of `check`, signals, broken pipes) is not run here.
 * `LEDGER_LONG=1` runs everything in processes.
 */

import type { Ran } from './git-repo.ts'
import { startHelper } from './helpers/pipes.mjs'
import { IS_LONG } from './long.ts'

/** Commands that are not typed, or that print through the process itself. */
const OWN_PROCESS = new Set(['hook', 'merge-driver', 'handoff-driver', 'agent-hook', 'completion'])

export function needsOwnProcess(words: readonly string[]): boolean {
  return IS_LONG || words.length === 0 || OWN_PROCESS.has(words[0] ?? '')
}

let ask: ReturnType<typeof startHelper> | undefined

export function runTyped(
  words: readonly string[],
  cwd: string,
  { env, input }: { env: Readonly<Record<string, string | undefined>>; input: string },
): Ran {
  ask ??= startHelper('commands.mjs')
  const [{ status }, stdout, stderr] = ask({ words, cwd, env, input })
  return { status, stdout: String(stdout), stderr: withoutSigns(String(stderr)) }
}

/**
 * Without the progress messages that a command prints on slow machines when it is not on a terminal
 * (`src/cli/run-on-terminal.ts`).
 */
export function withoutSigns(stderr: string): string {
  return stderr.replace(/^ledger-git: [a-z ]+ …\n/gm, '')
}
