/**
 * Messages to people, on standard error. They mention commands, such as `ledger-git install`, which not everybody can
 * type, so people see the name that works for them. Data, files and JSON keep `ledger-git`.
 */

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { attempt } from '../files/files.ts'
import { inOwnName } from '../../core/text/own-name.ts'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'

/** `git ledger`, `ledger-git` or `npx ledger-git`, for a process that runs `script`. */
export function ownName(
  env: NodeJS.ProcessEnv,
  script: string,
  exists: (path: string) => boolean = existsSync,
): string {
  // Set by the launcher, for the alias.
  if (env['LEDGER_GIT_TYPED'] === 'git ledger' || basename(script) === 'git-ledger')
    return 'git ledger'
  if (!script.includes('/node_modules/')) return 'ledger-git'
  // npm puts such folders on PATH for the commands that it runs; the user's shell does not have them.
  const folders = (env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
  const isTypedAsIs =
    !script.includes('/node_modules/.bin/') &&
    folders.some((folder) => folder !== '' && exists(join(folder, 'ledger-git')))
  if (isTypedAsIs) return 'ledger-git'
  // npx finds nothing in a worktree where nobody ran `npm install`.
  return hasAlias(env['LEDGER_GIT_HOME']) ? 'git ledger' : 'npx ledger-git'
}

/** True if `install` wrote the alias: `home` is the folder of the launcher that started this. */
function hasAlias(home: string | undefined): boolean {
  const config = home && attempt(() => readFileSync(join(home, 'config'), 'utf8'))
  return config !== undefined && /^\[alias\]$/m.test(config)
}

export function talk(text: string): void {
  const name = ownName(process.env, process.argv[1] ?? '')
  process.stderr.write(inOwnName(stripControlChars(text), name))
}

export function say(message: string): void {
  talk(`${message}\n`)
}
