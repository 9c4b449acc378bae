/** Tests that need what a machine may not have: skipped by vitest, with the reason in its output. */

import { execFileSync, spawnSync } from 'node:child_process'
import { isAtLeast } from '../../src/core/text/version.ts'

/** For `skipIf`: true, and the reason printed, unless the condition holds. */
export function notRunUnless(condition: boolean, what: string, why: string): boolean {
  if (!condition) process.stderr.write(`not run: ${what}: ${why}\n`)
  return !condition
}

/** util-linux's script(1), which makes a terminal. */
export const hasScript = () => spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** git 2.54 and newer run us from their configuration, whatever happens to the hook files. */
export const IS_CONFIG_GIT = isAtLeast(
  /\d+(?:\.\d+)+/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0] ?? '0',
  '2.54',
)

/** For `skipIf`: what hook files do is seen on older gits only. */
export function needsHookFiles(what: string): boolean {
  return notRunUnless(!IS_CONFIG_GIT, what, 'this git runs hooks from its configuration')
}
