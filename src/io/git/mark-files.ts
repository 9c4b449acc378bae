/** Marks of commits in progress, one file each, in the worktree's own git folder. */

import { randomBytes } from 'node:crypto'
import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkStore } from '../../app/ports/history.ts'
import type { CommitMark } from '../../core/commit/commit-mark.ts'
import { isAtWork, parseMark, renderMark } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { attempt, readRegularFile, namesIn, unwritable, writePrivate } from '../files/files.ts'
import { judge, recentInfo } from '../process/process-table.ts'

/** Below the git folder; the shims test whether it exists. */
const FOLDER = 'ledger-git/commits'
/** Next to it: events that no branch has yet. No hook needs to run for them. */
const KEPT = 'ledger-git/kept'

export function markFiles(gitDir: string): MarkStore {
  const folder = join(gitDir, FOLDER)
  const kept = keptEvents(join(gitDir, KEPT))
  const stat = (name: string) => statSync(join(gitDir, name), { throwIfNoEntry: false })
  // In a reftable, the log has no separate file, so a move of any ref counts.
  const headLog = () => stat('logs/HEAD')?.size ?? stat('reftable/tables.list')?.mtimeMs
  const list = () => marksIn(folder)
  const replace = (mark: CommitMark) => {
    const path = join(folder, mark.id)
    // Another process may remove the empty folder meanwhile.
    for (let attempts = 1; ; attempts++) {
      try {
        writePrivate(path, renderMark(mark))
        return
      } catch (error) {
        if (attempts === 3) throw error instanceof LedgerError ? error : unwritable(path, error)
      }
    }
  }
  const remove = (id: string) => removeFrom(folder, id)
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
      const state =
        committer === undefined ? 'unknown' : judge(committer.pid, committer.startTime, recentInfo)
      return !(isNewCommit && state === 'unknown') && isAtWork(mark, state, Date.now())
    },
    hasHeadMoved: (mark) => headLog() !== mark.headLog,
    ...kept,
    copies: () => [...kept.kept(), ...list().flatMap(({ copies }) => copies)],
    dropCopy: (path) => {
      kept.forget([textToName(path)])
      for (const mark of list()) {
        const copies = mark.copies.filter((copy) => nameToText(copy.path) !== path)
        if (copies.length === mark.copies.length) continue
        if (copies.length + mark.entries.length === 0) remove(mark.id)
        else replace({ ...mark, copies })
      }
    },
  }
}

/** One file for each event, as a mark that has nothing to settle. */
function keptEvents(folder: string): Pick<MarkStore, 'keep' | 'kept' | 'forget'> {
  const fileFor = (path: ByteName) => `${nameToText(path.slice(path.lastIndexOf('/') + 1))}.json`
  return {
    keep: ({ path, bytes }) => {
      const id = fileFor(path)
      const about = { committer: undefined, headLog: undefined, indexFile: undefined }
      const mark = { ...about, id, writtenAt: Date.now(), isOwn: false, isPartial: false }
      const text = renderMark({ ...mark, entries: [], copies: [{ path, oid: '', bytes }] })
      // In an agent's sandbox, nothing below `.git` can be written.
      attempt(() => writePrivate(join(folder, id), text))
    },
    kept: () => (attempt(() => marksIn(folder)) ?? []).flatMap(({ copies }) => copies),
    forget: (paths) => {
      for (const path of paths) removeFrom(folder, fileFor(path))
    },
  }
}

function marksIn(folder: string): CommitMark[] {
  return namesIn(folder).flatMap((name) => {
    const bytes = name.endsWith('.json') ? readRegularFile(join(folder, name)) : undefined
    return (bytes && parseMark(name, bytes.toString('utf8'))) ?? []
  })
}

/** Removes a file, and the folder if it is then empty. If nothing may be written here, the next process tries again. */
function removeFrom(folder: string, id: string): void {
  attempt(() => {
    rmSync(join(folder, id), { force: true })
    rmdirSync(folder)
  })
}
