/** Marks of commits at work, one file each, in the worktree's own git folder. */

import { randomBytes } from 'node:crypto'
import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkStore } from '../../app/ports/history.ts'
import type { CommitMark } from '../../core/commit/commit-mark.ts'
import { isAtWork, parseMark, renderMark } from '../../core/commit/commit-mark.ts'
import { nameToText } from '../../core/git/objects.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { attempt, readRegularFile, namesIn, unwritable, writePrivate } from '../files/files.ts'
import { judge } from '../process/process-table.ts'

/** Below the git folder; the shims test for it. */
const FOLDER = 'ledger-git/commits'

export function markFiles(gitDir: string): MarkStore {
  const folder = join(gitDir, FOLDER)
  const stat = (name: string) => statSync(join(gitDir, name), { throwIfNoEntry: false })
  // In a reftable the log has no file of its own: any ref that moved counts.
  const headLog = () => stat('logs/HEAD')?.size ?? stat('reftable/tables.list')?.mtimeMs
  const list = () =>
    namesIn(folder).flatMap((name) => {
      const bytes = name.endsWith('.json') ? readRegularFile(join(folder, name)) : undefined
      return (bytes && parseMark(name, bytes.toString('utf8'))) ?? []
    })
  const replace = (mark: CommitMark) => {
    const path = join(folder, mark.id)
    // Another process may remove the empty folder just now.
    for (let attempts = 1; ; attempts++) {
      try {
        writePrivate(path, renderMark(mark))
        return
      } catch (error) {
        if (attempts === 3) throw error instanceof LedgerError ? error : unwritable(path, error)
      }
    }
  }
  // Others are there; or nothing may be written here, and the next one tries again.
  const remove = (id: string) =>
    void attempt(() => {
      rmSync(join(folder, id), { force: true })
      rmdirSync(folder)
    })
  return {
    get isEmpty() {
      return !existsSync(folder)
    },
    list,
    newId: () => `${process.pid}-${randomBytes(4).toString('hex')}.json`,
    save: (mark) => {
      const written = { ...mark, writtenAt: Date.now(), headLog: headLog() }
      replace(written)
      return written
    },
    replace,
    remove,
    isAtWork: (mark, { isNewCommit } = { isNewCommit: false }) => {
      const { committer } = mark
      const state = committer === undefined ? 'unknown' : judge(committer.pid, committer.startTime)
      return !(isNewCommit && state === 'unknown') && isAtWork(mark, state, Date.now())
    },
    hasHeadMoved: (mark) => headLog() !== mark.headLog,
    copies: () => list().flatMap(({ copies }) => copies),
    dropCopy: (path) => {
      for (const mark of list()) {
        const copies = mark.copies.filter((copy) => nameToText(copy.path) !== path)
        if (copies.length === mark.copies.length) continue
        if (copies.length + mark.entries.length === 0) remove(mark.id)
        else replace({ ...mark, copies })
      }
    },
  }
}
