/**
 * Typed commands of the built tool without a process for each: a helper has it loaded. Starting Node and
 * loading the bundle is most of what a command costs, and tests run thousands.
 *
 * What only a process shows (its own start, `check`'s shorter way, signals, broken pipes) is not
 * run here. `LEDGER_LONG=1` runs everything in processes.
 */

import type { Ran } from './git-repo.ts'
import { startHelper } from './helpers/pipes.mjs'
import { IS_LONG } from './long.ts'

/** They are not typed, or print through the process itself. */
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

/** Without what a command off a terminal says where the machine is slow (`src/cli/run-on-terminal.ts`). */
export function withoutSigns(stderr: string): string {
  return stderr.replace(/^ledger-git: [a-z ]+ …\n/gm, '')
}
