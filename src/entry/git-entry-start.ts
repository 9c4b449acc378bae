/**
 * Entry point of `dist/hot.cjs`, which the launcher starts for git and for agents where it finds it.
 * Loads `hot-main.cjs` with what V8 has compiled of it before.
 */

import { CodeCache } from '../io/cache/code-cache.ts'

/** Hash of all source; filled in by the build. */
declare const LEDGER_GIT_BUILD: string

/** `merge-driver`, `hook-pre-commit`, `agent-hook-Stop`: what uses the same functions each time. */
const [command = '', first = '', second = ''] = process.argv.slice(2)
const which = { hook: first, 'agent-hook': second }[command]
const home = process.env['LEDGER_GIT_CACHE']
const { versions, arch } = process
const code = new CodeCache({
  bundle: import.meta.dirname,
  cache:
    home === undefined || home === ''
      ? undefined
      : `${home}/${LEDGER_GIT_BUILD}-${versions.v8}-${arch}/code`,
  command: [command, which ?? ''].join('-').replace(/[^A-Za-z-]/g, ''),
})
process.once('exit', () => code.save())
code.load('./hot-main.cjs')
