/** `<common-dir>/ledger-git/log/sessions.log`: one line per incident, to explain what happened. Best effort. */

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'
import { attempt } from '../files/files.ts'

/** Bytes; the previous file is kept as `sessions.log.1`. */
const MAX_SIZE = 256 * 1024
const MAX_LINE = 1000

export function sessionLog(commonDir: string, now: () => number): (line: string) => void {
  const path = join(commonDir, 'ledger-git', 'log', 'sessions.log')
  return (line) => {
    const text = stripControlChars(line).replace(/\s+/g, ' ').slice(0, MAX_LINE)
    // A session goes on without it.
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      rotate(path)
      // One write at the file's end: lines of two processes do not mix.
      const time = new Date(now()).toISOString()
      appendFileSync(path, `${time} ${process.pid} ${text}\n`, { mode: 0o600 })
    })
  }
}

function rotate(path: string): void {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size > MAX_SIZE) renameSync(path, `${path}.1`)
}
