/**
 * Jobs for the summarizer: `<common-dir>/ledger-git/summaries/<session>.json`, which only their owner may read, each
 * with a lock next to it; and the process that does a job.
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SummaryPort } from '../../app/shadow/session-ports.ts'
import type { SummaryJob } from '../../core/summarizer/summary-job.ts'
import { parseJob, renderJob } from '../../core/summarizer/summary-job.ts'
import { isSessionId } from '../../core/session/session-state.ts'
import { attempt, namesIn, orUnwritable, writePrivate } from '../files/files.ts'
import { takeLock, tryLock, underLock, whileHeld } from '../files/lock.ts'
import { identify } from '../process/process-table.ts'
import { startSelf } from '../process/start-apart.ts'

/** Milliseconds that a summarizer may take. */
const TIMEOUT = 60_000

/** `top`: the top of the worktree, where the process runs. */
export function summaryStore(commonDir: string, top: string, env: NodeJS.ProcessEnv): SummaryPort {
  const home = join(commonDir, 'ledger-git')
  const folder = join(home, 'summaries')
  const pathOf = (session: string) => {
    if (!isSessionId(session)) throw new Error(`not a session: ${JSON.stringify(session)}`)
    return join(folder, `${session}.json`)
  }
  const read = (session: string) => {
    const text = attempt(() => readFileSync(pathOf(session), 'utf8'))
    const job = text === undefined ? undefined : parseJob(text)
    return job?.session === session ? job : undefined
  }
  const write = (job: SummaryJob) => writePrivate(pathOf(job.session), renderJob(job))
  const locked = async (session: string, action: () => Promise<void>, wait = 0) => {
    const path = `${pathOf(session)}.lock`
    const lock = wait === 0 ? tryLock(path) : await takeLock(path, wait)
    if (lock !== undefined) await whileHeld(lock, action)
    return lock !== undefined
  }
  return {
    read,
    write,
    locked,
    list: () =>
      namesIn(folder).flatMap((name) => {
        const session = /^([^.].*)\.json$/s.exec(name)?.[1] ?? ''
        return isSessionId(session) ? (read(session) ?? []) : []
      }),
    remove: (session) => orUnwritable(folder, () => rmSync(pathOf(session), { force: true })),
    // A process that holds the lock is working on the job, and no note is needed.
    note: (session, worker) =>
      underLock(`${pathOf(session)}.lock`, () => {
        const job = read(session)
        if (job !== undefined) write({ ...job, worker })
      }),
    start: (session) => {
      const pid = startSelf(['summarize', session], top, env)
      return pid === undefined ? undefined : identify(pid)
    },
    // Not run in the worktree, where a relative path could name a file that came with a commit.
    ask: async (command, digest) => {
      // Imported here, since no hook needs it.
      const { runFilter } = await import('../process/run-filter.ts')
      const bounds = { folder: home, env: { ...env, LEDGER_GIT: '0' }, timeout: TIMEOUT }
      return runFilter(command, digest, bounds)
    },
  }
}
