/**
 * A user who may only read: if the tests run as root, another user; otherwise the same user without write permission.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLI } from './git-repo.ts'
import { notRunUnless } from './not-run.ts'

export const IS_ROOT = process.getuid?.() === 0
const AS = IS_ROOT ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
const WHY = 'it needs a user that is not root, or setpriv and a Node that another user can start'

let reachable: string | undefined

/** A copy of the package's `dist` that everybody can read: the clone may be in a private folder of its owner. */
function dist(): string {
  if (reachable !== undefined) return reachable
  const folder = mkdtempSync(join(tmpdir(), 'ledger-package-'))
  chmodSync(folder, 0o755)
  const root = dirname(dirname(CLI))
  for (const name of ['dist', 'githooks', 'templates', 'gitattributes.template', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  spawnSync('chmod', ['-R', 'a+rX', folder])
  return (reachable = join(folder, 'dist'))
}

/** The command line that starts a file of `dist` as that user. */
export function asOther(file: 'main.js' | 'git-entry.cjs'): [program: string, ...words: string[]] {
  const [program, ...words] = [...AS, process.execPath, join(IS_ROOT ? dist() : dirname(CLI), file)]
  return [program ?? '', ...words]
}

/** The command line that starts any program as that user. */
export function asOtherUser(...program: string[]): [program: string, ...words: string[]] {
  const [first, ...words] = [...AS, ...program]
  return [first ?? '', ...words]
}

/** For `skipIf`: true if the command cannot be started as that user; then the reason is printed. */
export function needsOther(what: string): boolean {
  const [program, ...words] = asOther('main.js')
  const { status } = spawnSync(program, [...words, '--version'], { cwd: tmpdir() })
  return notRunUnless(status === 0, what, WHY)
}
