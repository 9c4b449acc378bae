/** Marks of commits at work, one file each, in the worktree's own git folder. */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkStore, NewMark } from '../../app/ports.ts'
import type { CommitMark, EventCopy } from '../../core/commit/commit-mark.ts'
import { isAtWork, parseMark, renderMark } from '../../core/commit/commit-mark.ts'
import { nameToText } from '../../core/git/objects.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { attempt, readRegularFile, namesIn, unwritable, writeFileAtomic } from '../files/files.ts'
import { judge } from '../process/process-table.ts'

/** Below the git folder; the shims test for it. */
const FOLDER = 'ledger-git/commits'

export class MarkFiles implements MarkStore {
  readonly #gitDir: string

  constructor(gitDir: string) {
    this.#gitDir = gitDir
  }

  get isEmpty(): boolean {
    return !existsSync(this.#folder)
  }

  list(): CommitMark[] {
    const names = namesIn(this.#folder).filter((name) => name.endsWith('.json'))
    return names.flatMap((name) => {
      const bytes = readRegularFile(join(this.#folder, name))
      return (bytes && parseMark(name, bytes.toString('utf8'))) ?? []
    })
  }

  newId(): string {
    return `${process.pid}-${randomBytes(4).toString('hex')}.json`
  }

  save(mark: NewMark): CommitMark {
    const written = { ...mark, writtenAt: Date.now(), headLog: this.#headLog() }
    this.replace(written)
    return written
  }

  replace(mark: CommitMark): void {
    const path = join(this.#folder, mark.id)
    // Another process may remove the empty folder just now.
    for (let attempt = 1; ; attempt++) {
      try {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
        writeFileAtomic(path, renderMark(mark), 0o600)
        return
      } catch (error) {
        if (attempt === 3) throw error instanceof LedgerError ? error : unwritable(path, error)
      }
    }
  }

  remove(id: string): void {
    // Others are there; or nothing may be written here, and the next one tries again.
    attempt(() => {
      rmSync(join(this.#folder, id), { force: true })
      rmdirSync(this.#folder)
    })
  }

  isAtWork(mark: CommitMark, { isNewCommit } = { isNewCommit: false }): boolean {
    const { committer } = mark
    const state = committer === undefined ? 'unknown' : judge(committer.pid, committer.startTime)
    return !(isNewCommit && state === 'unknown') && isAtWork(mark, state, Date.now())
  }

  hasHeadMoved(mark: CommitMark): boolean {
    return this.#headLog() !== mark.headLog
  }

  copies(): EventCopy[] {
    return this.list().flatMap(({ copies }) => copies)
  }

  dropCopy(path: string): void {
    for (const mark of this.list()) {
      const copies = mark.copies.filter((copy) => nameToText(copy.path) !== path)
      if (copies.length === mark.copies.length) continue
      if (copies.length + mark.entries.length === 0) this.remove(mark.id)
      else this.replace({ ...mark, copies })
    }
  }

  #headLog(): number | undefined {
    return statSync(join(this.#gitDir, 'logs/HEAD'), { throwIfNoEntry: false })?.size
  }

  get #folder(): string {
    return join(this.#gitDir, FOLDER)
  }
}
