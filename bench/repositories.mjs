/** Repositories with many events, made by `git fast-import` instead of one process per event. */

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = 'thoughts/shared/handoffs'
export const EVENTS = `${ROOT}/events`
/** Events that each side of a merge adds. */
const NEW = 10

export class Repositories {
  #sandbox
  #events
  #say
  #bySize = new Map()
  #scenes = new Map()
  #copies = 0

  constructor(sandbox, events, say) {
    this.#sandbox = sandbox
    this.#events = events
    this.#say = say
  }

  /**
   * A worktree on `main`: ledger-git installed, `events` canonical events, `current.md` fresh. The tag
   * `empty` is the commit before the first event. Built once; to change it, take a copy.
   */
  withEvents(events) {
    const known = this.#bySize.get(events)
    if (known !== undefined) return known
    this.#say(`  building a repository of ${events} events`)
    const folder = join(this.#sandbox.folder, `events-${events}`)
    this.#init(folder)
    const files = this.#events.range(0, events).map(({ name, text }) => [`${EVENTS}/${name}`, text])
    importCommit(this.#sandbox, folder, 'main', files)
    this.#sandbox.git(folder, 'reset', '-q', '--hard')
    this.commitLedger(folder)
    this.#bySize.set(events, folder)
    return folder
  }

  /** Name and text of new events, at instants among those of the first `size` events. */
  eventsAmong(size, from, count) {
    return this.#events.among(size, from, count)
  }

  #init(folder) {
    const { git, ledger } = bound(this.#sandbox, folder)
    this.#sandbox.git(this.#sandbox.folder, 'init', '-q', folder)
    writeFileSync(join(folder, 'README.md'), '# bench\n')
    ledger('install')
    git('add', '-A')
    git('commit', '-q', '-m', 'chore: set up ledger-git')
    git('tag', 'empty')
    if (this.#bySize.size > 0) return
    this.#events.verifyAgainst(this.#sandbox, folder)
    git('clean', '-qfd')
  }

  /** Updates `current.md` and commits everything. */
  commitLedger(folder) {
    const { git, ledger } = bound(this.#sandbox, folder)
    ledger('synthesize', '--no-confirm')
    git('add', '-A')
    git('commit', '-q', '-m', 'feat: events')
  }

  copyOf(folder) {
    const copy = join(this.#sandbox.folder, `copy-${(this.#copies += 1)}`)
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    this.#sandbox.git(copy, 'update-index', '-q', '--refresh')
    return copy
  }

  /**
   * A copy with the branch `ours` and branches `theirs-0` to `theirs-<merges>`, all from `main` and each
   * with ten events of its own, from anywhere in time. Built once a size: each user begins by forgetting what was cached.
   */
  withBranches(events, merges) {
    const known = this.#scenes.get(events)
    if (known !== undefined && known.merges >= merges) return known.folder
    const folder = this.#buildBranches(events, merges)
    this.#scenes.set(events, { merges, folder })
    return folder
  }

  #buildBranches(events, merges) {
    const folder = this.copyOf(this.withEvents(events))
    const { git } = bound(this.#sandbox, folder)
    const names = ['ours', ...Array.from({ length: merges + 1 }, (_, i) => `theirs-${i}`)]
    names.forEach((name, i) => {
      git('checkout', '-q', '-b', name, 'main')
      mkdirSync(join(folder, EVENTS), { recursive: true })
      for (const event of this.eventsAmong(events, events + i * NEW, NEW)) {
        writeFileSync(join(folder, EVENTS, event.name), event.text)
      }
      this.commitLedger(folder)
    })
    git('checkout', '-q', 'ours')
    return folder
  }
}

/** Deletes what ledger-git keeps between runs: a cold run has none of it. */
export function forgetCache(folder) {
  rmSync(join(folder, '.git/ledger-git/cache'), { recursive: true, force: true })
}

/** One commit on `branch` that adds `files`, as one pack. */
export function importCommit(
  sandbox,
  folder,
  branch,
  files,
  { parent = true, compression = 1 } = {},
) {
  const head = `commit refs/heads/${branch}
committer Bench <bench@example.com> 1767225600 +0000
data 7
import
${parent ? `from refs/heads/${branch}^0\n` : ''}`
  const parts = [Buffer.from(head)]
  for (const [path, content] of files) {
    const bytes = Buffer.from(content)
    parts.push(Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes)
    parts.push(Buffer.from('\n'))
  }
  const words = ['-c', `core.compression=${compression}`, 'fast-import', '--quiet']
  sandbox.run(folder, 'git', words, { input: Buffer.concat(parts) })
}

function bound(sandbox, folder) {
  return {
    git: (...args) => sandbox.git(folder, ...args),
    ledger: (...args) => sandbox.ledger(folder, ...args),
  }
}
