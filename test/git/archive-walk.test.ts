/** Random histories of three worktrees that archive: there is never a conflict, and nothing lasting is lost. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_LONG } from '../support/long.ts'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo } from '../support/git-repo.ts'
import { everAdded, readSnapshots } from '../support/oracle.ts'
import { randomOf } from '../support/team.ts'
import { DOING, lawBroken, purge, SETTINGS, similarEvent, since } from './archive-scene.ts'

// LEDGER_TEAM_STEPS=400 LEDGER_TEAM_SEED=7 npx vitest run --project git test/git/archive-walk
const STEPS = Number(process.env['LEDGER_TEAM_STEPS'] ?? (IS_LONG ? 24 : 8))
const SEED = Number(process.env['LEDGER_TEAM_SEED'] ?? 1)
const ARCHIVED = 'chore(ledger): archive'

test(
  `three worktrees that archive at random agree after merging, seed ${SEED}`,
  () => {
    const walk = new Walk(SEED)
    try {
      for (let i = 0; i < STEPS; i++) walk.step()
      for (const name of NAMES) walk.merge('ann', name)
      for (const name of NAMES) walk.merge(name, 'ann')
      expect(new Set(NAMES.map((name) => walk.tree(name))).size).toBe(1)
    } catch (error) {
      const told = `LEDGER_TEAM_SEED=${SEED} LEDGER_TEAM_STEPS=${STEPS}\n${walk.told.join('\n')}`
      throw new Error(`${told}\n${String(error)}`, { cause: error })
    }
    expect(walk.told.some((line) => line.includes('archive'))).toBe(true)
  },
  60_000 + STEPS * 4000,
)

const NAMES = ['ann', 'bob', 'cleo'] as const
type Name = (typeof NAMES)[number]

class Walk {
  readonly told: string[] = []
  readonly #replicas: Record<Name, Repo>
  readonly #random: () => number
  #count = 0

  constructor(seed: number) {
    this.#random = randomOf(seed)
    const ann = ledgerRepo()
    ann.write('.git/info/exclude', `${SETTINGS}\n`)
    const linked = (name: Name): Repo => {
      ann.git('worktree', 'add', '-q', '-b', name, `../${name}`)
      return ann.sandbox.at(join(ann.sandbox.folder, name))
    }
    ann.git('branch', '-q', '-m', 'ann')
    for (let i = 0; i < 4; i++) this.#event(ann)
    ann.commit('old events')
    this.#replicas = { ann, bob: linked('bob'), cleo: linked('cleo') }
  }

  step(): void {
    const name = this.#pick(NAMES)
    const other = this.#pick(NAMES.filter((one) => one !== name))
    const repo = this.#replicas[name]
    const move = this.#pick(MOVES)
    switch (move) {
      case 'add':
        for (let i = this.#below(2); i >= 0; i--) this.#event(repo)
        repo.commit('add')
        return this.#check(name, move)
      case 'archive':
      case 'purge': {
        const retention = ['--retention', this.#pick(['7d', since(EARLY), since(LATE)])]
        if (move === 'purge') purge(repo, ...retention)
        else repo.ledger('archive', '--commit', ...retention)
        return this.#check(name, `${move} ${retention.join(' ')}`)
      }
      case 'revert':
        return this.#replay(name, ['revert', '--no-edit'], `^${ARCHIVED}`, 'HEAD')
      case 'pick':
        return this.#replay(name, ['cherry-pick', '--allow-empty'], '^add', `HEAD..${other}`)
      case 'rebase':
        return this.#rebase(name, other)
      case 'merge':
        return this.merge(name, other)
    }
  }

  merge(name: Name, other: Name): void {
    this.#git(name, 'merge', '-q', '--no-edit', other)
  }

  tree(name: Name): string {
    return this.#replicas[name].git('rev-parse', 'HEAD^{tree}')
  }

  /**
   * Skipped if the commits include a revert: it would not restore events that were already back, and would be replayed
   * after archiving commits that removed them.
   */
  #rebase(name: Name, other: Name): void {
    const reverts = ['rev-list', '--grep=^Revert', `${other}..HEAD`]
    if (this.#replicas[name].git(...reverts) === '') this.#git(name, 'rebase', '-q', other)
  }

  /** Replays or reverts one of the commits with this subject. */
  #replay(name: Name, words: readonly string[], subject: string, range: string): void {
    const log = ['rev-list', '--no-merges', `--grep=${subject}`, range]
    const commits = this.#replicas[name]
      .git(...log)
      .split('\n')
      .filter(Boolean)
    if (commits.length > 0) this.#git(name, ...words, this.#pick(commits.slice(0, 4)))
  }

  /** Runs a command that merges. Some of them stop when nothing changes: that is not a conflict. */
  #git(name: Name, ...args: string[]): void {
    const repo = this.#replicas[name]
    const ran = repo.tryGit(...args)
    if (ran.status !== 0) {
      const output = ran.stdout + ran.stderr
      const isEmpty =
        /nothing to commit|is now empty/.test(output) && repo.git('ls-files', '-u') === ''
      if (!isEmpty) throw new Error(`${name}: ${args.join(' ')}: ${output}`)
      repo.tryGit(args[0] ?? '', '--skip')
      // Its message was never used; we would take it for one that is being edited.
      const message = repo.git(
        'rev-parse',
        '--path-format=absolute',
        '--git-path',
        'COMMIT_EDITMSG',
      )
      rmSync(message, { force: true })
    }
    this.#check(name, args.join(' '))
  }

  #check(name: Name, what: string): void {
    const repo = this.#replicas[name]
    this.told.push(`${this.told.length}: ${name}: ${what}`)
    expect(repo.status()).toBe('')
    const head = repo.git('rev-parse', 'HEAD')
    for (const held of readSnapshots(repo, [head])) {
      expect(lawBroken(everAdded(repo, [head]), held)).toBeUndefined()
    }
  }

  /** An event at an instant of its own, old or recent. */
  #event(repo: Repo): void {
    this.#count += 1
    const day = this.#pick(['2026-01-02', '2026-01-08', '2026-01-12', '2027-01-02'])
    const second = new Date(this.#count * 1000).toISOString().slice(10)
    const more = this.#below(3) === 0 ? DOING : {}
    similarEvent(repo, `${day}${second}`.replace('.000', ''), more)
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }
}

const EARLY = '2026-01-05T00:00:00Z'
const LATE = '2026-01-10T00:00:00Z'
const MOVES = [
  ...(['add', 'add', 'add', 'archive', 'archive', 'archive', 'purge', 'revert', 'pick'] as const),
  ...(['merge', 'merge', 'merge', 'rebase'] as const),
]
