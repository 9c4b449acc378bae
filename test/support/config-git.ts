/** Which git runs the tests. */

import { execFileSync } from 'node:child_process'
import { isAtLeast } from '../../src/core/version.ts'

/** git 2.54 and newer run us from their configuration, whatever happens to the hook files. */
export const IS_CONFIG_GIT = isAtLeast(
  /\d+(?:\.\d+)+/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0] ?? '0',
  '2.54',
)
