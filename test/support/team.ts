/**
 * Random teams: clones and linked worktrees of one bare origin that add events, merge, squash, rebase, cherry-pick,
 * revert, stash, pull and push. The same seed gives the same history.
 */

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { EVENTS, Sandbox } from './git-repo.ts'
import type { Ran, Repo } from './git-repo.ts'

/** Mulberry32: small, seeded, good enough to pick from lists. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Step {
  readonly member: string
  readonly what: string
}

/** The fault found after a step, for the message of the failing test. */
export class TeamFailure extends Error {}

export class Team {
  readonly origin: Repo
  readonly members: Repo[] = []
  readonly steps: Step[] = []
  readonly #random: () => number
  #count = 0

  constructor(seed: number) {
    this.#random = randomOf(seed)
    const sandbox = new Sandbox('ledger-team')
    this.origin = sandbox.init('origin.git', '--bare')
    const first = this.#clone(sandbox, 'ann')
    first.write('README.md', '# team\n')
    first.ledger('install')
    first.git('add', '-A')
    first.git('commit', '-q', '-m', 'setup')
    first.git('push', '-q', '-u', 'origin', 'HEAD:main')
    const clones = 1 + this.#below(2)
    for (const name of ['bob', 'cleo'].slice(0, clones)) {
      this.#clone(sandbox, name).ledger('install')
    }
    if (this.#below(2) === 0) {
      const folder = join(sandbox.folder, 'ann linked')
      first.git('worktree', 'add', '-q', '-b', 'linked', folder, 'main')
      this.members.push(sandbox.at(folder))
    }
    for (const [i, member] of this.members.entries()) {
      member.git('switch', '-q', '-c', `work${i}`)
    }
  }

  /** One random step of one random member. Throws `TeamFailure` if git ends in a way that it must not. */
  step(): void {
    const member = this.#pick(this.members)
    const [weight, moves] = [this.#below(100), MOVES]
    const move = moves.find(({ below }) => weight < below) ?? moves[0]
    const name = member.folder.split('/').at(-1) ?? ''
    this.steps.push({ member: name, what: move?.name ?? '' })
    switch (move?.name) {
      case 'merge':
        return this.#mergeLike(member, ['merge', '--no-edit', this.#other(member)])
      case 'merge --no-ff':
        return this.#mergeLike(member, ['merge', '--no-ff', '--no-edit', this.#other(member)])
      case 'squash':
        return this.#squash(member)
      case 'rebase':
        return this.#mergeLike(member, [
          'rebase',
          ...this.#pick([[], ['--apply'], ['--rebase-merges']]),
          this.#other(member),
        ])
      case 'cherry-pick':
        return this.#cherryPick(member)
      case 'revert':
        return this.#revert(member)
      case 'stash':
        return this.#stash(member)
      case 'pull':
        return this.#pull(member)
      case 'push':
        return this.#push(member)
      case 'switch':
        return this.#switch(member)
      case 'own':
        return this.#own(member)
      case 'pending':
        this.#event(member)
        return
      default:
        return this.#commit(member)
    }
  }

  #clone(sandbox: Sandbox, name: string): Repo {
    sandbox.at(sandbox.folder).git('clone', '-q', this.origin.folder, name)
    const repo = sandbox.at(join(sandbox.folder, name))
    this.members.push(repo)
    return repo
  }

  /** An event that collides with the others as often as possible: few agents, keys, instants and words. */
  #event(member: Repo): string {
    const below = (limit: number) => this.#below(limit)
    const word = (prefix: string, of: number) => `${prefix} ${below(of)}`
    const maybe = (share: number, fields: () => object) => (below(100) < share ? fields() : {})
    this.#count += 1
    const head = {
      ts: new Date(Date.UTC(2026, 1, this.#pick([1, 1, 20]), 0, below(40)))
        .toISOString()
        .replace('.000Z', 'Z'),
      agent: this.#pick(['ann', 'bob', 'crisp']),
      ...maybe(80, () => ({ branch: this.#pick(['main', 'work0', 'work1']) })),
      ...maybe(20, () => ({ stream: this.#pick(['work1', 'parser']) })),
      type: this.#pick(['note', 'note', 'handoff', 'session_end', 'checkpoint']),
      session: `s${this.#count}`,
    }
    const body = {
      ...maybe(15, () => ({ title: word('title', 3) })),
      ...maybe(30, () => ({ goal: word('goal', 3) })),
      ...maybe(20, () => ({ test: word('npm test', 3) })),
      ...maybe(60, () => ({ now: word('now', 9) })),
      ...maybe(70, () => ({ this_session: [word('done', 12), word('step', 12)] })),
      ...maybe(30, () => ({ next: [word('step', 12), word('done', 12)].slice(below(3)) })),
      ...maybe(50, () => ({ decisions: { [word('key', 4)]: this.#pick(['yes it is', 7, null]) } })),
      ...maybe(20, () => ({ checkpoints: [{ phase: below(4), status: this.#pick(STATUSES) }] })),
      ...maybe(30, () => ({ open_questions: [`why ${below(4)}?`] })),
      ...maybe(25, () => ({ resolved_questions: [`why ${below(4)}?`] })),
      ...maybe(12, () => ({ retracts: this.#someEvents(member) })),
      ...maybe(8, () => ({ supersedes: [this.#pick(['ann', 'bob'])] })),
    }
    const yaml = (value: object) => stringify(value, { indentSeq: below(4) === 0 })
    const fields = Object.keys(body).length === 0 ? '' : `\n${yaml(body)}`
    const text = `---\n${yaml(head)}---\n${fields}`
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const path = `${EVENTS}/${head.ts.replaceAll(':', '-')}_${head.agent}_${hash}.md`
    member.write(path, text)
    return path
  }

  #someEvents(member: Repo): string[] {
    const names = member
      .git('ls-files', EVENTS)
      .split('\n')
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.slice(EVENTS.length + 1))
    return names.length === 0 ? ['nobody.md'] : [this.#pick(names)]
  }

  #commit(member: Repo): void {
    for (let i = this.#below(3); i >= 0; i--) this.#event(member)
    this.#count += 1
    member.write(`code/${this.#count}.txt`, `${this.#count}\n`)
    member.git('add', 'code')
    // Never amends the setup commit: another root would make the histories unrelated.
    const isRoot = member.tryGit('rev-parse', '-q', '--verify', 'HEAD~1').status !== 0
    const amend =
      this.#below(10) === 0 && !isRoot ? ['--amend', '--no-edit'] : ['-m', `work ${this.#count}`]
    member.git('commit', '-q', ...amend)
  }

  /** A commit of the ledger's own, beside an event that is staged. */
  #own(member: Repo): void {
    const add = ['event', 'add', '--done']
    member.ledger(...add, `staged ${this.#count}`, '--stage')
    member.ledger(...add, `own ${this.#count}`, '--commit')
    const checked = member.tryLedger('check', '--staged')
    if (checked.status !== 0) throw new TeamFailure(`own: ${checked.stdout}`)
    this.#commit(member)
  }

  #squash(member: Repo): void {
    const ran = member.tryGit('merge', '--squash', this.#other(member))
    if (!this.#settle(member, ran, 'merge')) return
    if (member.git('diff', '--cached', '--name-only') === '') return
    member.git('commit', '-q', '-m', 'squashed')
  }

  #cherryPick(member: Repo): void {
    const commits = this.#commits(member, `HEAD..${this.#other(member)}`)
    if (commits.length === 0) return
    const chosen = commits.slice(0, 1 + this.#below(3))
    this.#mergeLike(member, ['cherry-pick', ...chosen])
  }

  #revert(member: Repo): void {
    const commits = this.#commits(member, 'HEAD').filter((commit) => commit !== '')
    // Never reverts the setup commit: without it there is no ledger.
    const candidates = commits.slice(1).slice(-6)
    if (candidates.length === 0) return
    this.#mergeLike(member, ['revert', '--no-edit', this.#pick(candidates)])
  }

  #stash(member: Repo): void {
    this.#event(member)
    member.ledger('event', 'add', '--done', `stashed ${this.#count}`, '--stage')
    member.git('stash', '-q')
    this.#commit(member)
    const ran = member.tryGit('stash', 'pop')
    if (ran.status !== 0) throw new TeamFailure(`stash pop: ${ran.stdout}${ran.stderr}`)
    member.git('commit', '-q', '-a', '-m', 'unstashed')
  }

  #pull(member: Repo): void {
    member.git('fetch', '-q', 'origin')
    const how = this.#pick([['--rebase'], ['--no-rebase', '--no-edit']])
    this.#mergeLike(member, ['pull', ...how, 'origin', 'main'])
  }

  #push(member: Repo): void {
    const branch = member.git('symbolic-ref', '--short', 'HEAD')
    const target = this.#below(2) === 0 ? 'main' : branch
    const ran = member.tryGit('push', 'origin', `HEAD:refs/heads/${target}`)
    if (ran.status !== 0 && !/rejected|fetch first|stale info/.test(ran.stderr)) {
      throw new TeamFailure(`push: ${ran.stderr}`)
    }
  }

  #switch(member: Repo): void {
    const branch = `b${this.#below(3)}-${member.folder.split('/').at(-1)?.slice(-6)}`
    const exists = member.tryGit('rev-parse', '-q', '--verify', `refs/heads/${branch}`).status === 0
    member.git('switch', '-q', ...(exists ? [] : ['-c']), branch)
  }

  /** Runs a command that merges. It may stop only because of conflicts outside the ledger. */
  #mergeLike(member: Repo, args: string[]): void {
    const ran = member.tryGit(...args)
    this.#settle(member, ran, args[0] ?? '', args)
  }

  /** False if the command was aborted. A pick that is empty or impossible is not a failure. */
  #settle(member: Repo, ran: Ran, verb: string, args: readonly string[] = []): boolean {
    let now = ran
    for (let i = 0; now.status !== 0; i++) {
      const output = now.stdout + now.stderr
      const conflicts = member.git('ls-files', '-u')
      if (conflicts.includes('thoughts/') || /ledger-git/.test(output) || i > 20) {
        throw new TeamFailure(`${[...args].join(' ')}: ${output}\n${conflicts}`)
      }
      const isPick = verb === 'cherry-pick' || verb === 'revert'
      if (isPick && conflicts === '' && /empty|nothing (?:added )?to commit/i.test(output)) {
        now = member.tryGit(verb, '--skip')
        // A single step that changes nothing has already ended.
        if (/no (?:cherry-pick|revert|cherry-pick or revert) in progress/.test(now.stderr))
          return false
        continue
      }
      const known = /CONFLICT|is a merge but no -m option|would be overwritten|not something/.exec(
        output,
      )
      if (known === null) throw new TeamFailure(`${args.join(' ')}: ${output}`)
      if (known[0] === 'would be overwritten' && !/untracked/.test(output)) {
        throw new TeamFailure(`${args.join(' ')}: ${output}`)
      }
      const kind = verb === 'pull' ? (args[1] === '--rebase' ? 'rebase' : 'merge') : verb
      const aborted = member.tryGit(kind, '--abort')
      if (aborted.status !== 0) member.git('reset', '-q', '--hard')
      return false
    }
    return true
  }

  #commits(member: Repo, range: string): string[] {
    return member.git('rev-list', '--reverse', '--no-merges', range).split('\n').filter(Boolean)
  }

  #other(member: Repo): string {
    const refs = member
      .git('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes/origin')
      .split('\n')
      .filter((ref) => !ref.endsWith('/HEAD'))
    return this.#pick(refs)
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(list: readonly T[]): T {
    const item = list[this.#below(list.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

const STATUSES = ['pending', 'in_progress', 'validated', 'failed']

const MOVES = [
  { name: 'commit', below: 30 },
  { name: 'pending', below: 33 },
  { name: 'own', below: 37 },
  { name: 'merge', below: 46 },
  { name: 'merge --no-ff', below: 50 },
  { name: 'squash', below: 56 },
  { name: 'rebase', below: 64 },
  { name: 'cherry-pick', below: 71 },
  { name: 'revert', below: 78 },
  { name: 'stash', below: 83 },
  { name: 'pull', below: 90 },
  { name: 'push', below: 96 },
  { name: 'switch', below: 100 },
]
