/** Tests that need something that a machine may lack: vitest skips them and prints the reason. */

import { execFileSync, spawnSync } from 'node:child_process'
import { isAtLeast } from '../../src/core/text/version.ts'

/** For `skipIf`: true unless the condition holds; then the reason is printed. */
export function notRunUnless(condition: boolean, what: string, why: string): boolean {
  if (!condition) process.stderr.write(`not run: ${what}: ${why}\n`)
  return !condition
}

/** util-linux's script(1), which creates a terminal. */
export const hasScript = () => spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** git 2.54 and newer run us from their configuration, whatever is in the hook files. */
export const IS_CONFIG_GIT = isAtLeast(
  /\d+(?:\.\d+)+/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0] ?? '0',
  '2.54',
)

/** For `skipIf`: the effect of hook files is visible only on older versions of git. */
export function needsHookFiles(what: string): boolean {
  return notRunUnless(!IS_CONFIG_GIT, what, 'this git runs hooks from its configuration')
}
