/** Who wrote an event, on which branch, and when. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { json, writeEvent } from './words.ts'
import { longTest } from '../support/long.ts'

interface Added {
  readonly agent: string
  readonly branch: string
  readonly ts: string
  readonly path: string
}

function add(repo: Repo, env: NodeJS.ProcessEnv = {}, ...words: string[]): Added {
  const ran = repo.tryLedgerWith({ env }, 'event', 'add', '--now', 'x', '--json', ...words)
  if (ran.status !== 0) throw new Error(ran.stderr)
  return JSON.parse(ran.stdout) as Added
}

describe('the agent', () => {
  const GT_ROLE = 'gastown/polecats/nux'
  const all = { LEDGER_AGENT: 'ledger-agent', BD_ACTOR: 'actor', GT_ROLE }

  test('is the first identity set of flag, LEDGER_AGENT, BD_ACTOR, GT_ROLE, folder, user.name', () => {
    const folder = 'rig/polecats/slit/repo'
    const sandbox = new Sandbox()
    mkdirSync(join(sandbox.folder, 'rig/polecats/slit'), { recursive: true })
    const repo = sandbox.init(folder)
    expect(add(repo, all, '--agent', 'flag').agent).toBe('flag')
    expect(add(repo, all).agent).toBe('ledger-agent')
    expect(add(repo, { ...all, LEDGER_AGENT: '' }).agent).toBe('actor')
    expect(add(repo, { GT_ROLE }).agent).toBe(GT_ROLE)
    expect(add(repo, { GT_ROLE: 'polecat' }).agent, 'a bare role names nobody').toBe('slit')
    expect(add(repo).agent).toBe('slit')
    const other = sandbox.init('other')
    expect(add(other).agent).toBe('Ada')
    other.git('config', 'user.name', ' ')
    const { stderr } = other.tryLedger('event', 'add', '--now', 'x')
    expect(stderr).toContain(
      'no agent is named, so the event is attributed to "unknown"; next: --agent NAME\n',
    )
  })

  test('keeps its slashes in the event, and is made harmless in the file name', () => {
    const repo = ledgerRepo()
    const { path, agent } = add(repo, { GT_ROLE: '../../gas town/polecats/nüx' })
    expect(agent).toBe('../../gas town/polecats/nüx')
    expect(path).toMatch(
      new RegExp(`^${EVENTS}/[^/]*_\\.\\.-\\.\\.-gas-town-polecats-n--x_[0-9a-f]{8}\\.md$`),
    )
  })

  test('is stored safely if it is not a plain line', () => {
    const repo = ledgerRepo()
    expect(add(repo, {}, '--agent', 'a: "b"\n---\nc').agent).toBe('a: "b"\n---\nc')
    expect(repo.tryLedger('event', 'validate').status).toBe(0)
  })

  test('is unknown if no identity is set', () => {
    const sandbox = new Sandbox()
    const env = { GIT_CONFIG_GLOBAL: '/dev/null' }
    expect(add(sandbox.init(), env).agent).toBe('unknown')
  })
})

describe('the branch', () => {
  test("is the flag's, HEAD's, GT_BRANCH's or (detached)", () => {
    const repo = ledgerRepo()
    const env = { GT_BRANCH: 'polecat/nux' }
    expect(add(repo, env, '--branch', 'flag').branch).toBe('flag')
    expect(add(repo, env).branch).toBe('main')
    repo.git('switch', '-q', '-c', 'feat/a b'.replace(' ', '-'))
    expect(add(repo, env).branch).toBe('feat/a-b')
    repo.git('switch', '-q', '--detach')
    expect(add(repo, env).branch).toBe('polecat/nux')
    expect(add(repo).branch).toBe('(detached)')
  })
})

describe('the clock', () => {
  const millis = (ts: string) => Date.parse(ts)
  // As an event is written: a full second has no fraction.
  const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')

  test('writes the current time if there are no events', () => {
    const before = Date.now()
    const { ts } = add(ledgerRepo())
    expect(millis(ts)).toBeGreaterThanOrEqual(before)
    expect(millis(ts)).toBeLessThanOrEqual(Date.now())
  })

  test('a slow clock writes 1 ms after the newest event', () => {
    const repo = ledgerRepo()
    const ahead = Date.now() + 120_000
    writeEvent(repo, 'ahead.md', 'now: from a fast clock', iso(ahead))
    expect(add(repo).ts).toBe(iso(ahead + 1))
    expect(add(repo).ts).toBe(iso(ahead + 2))
  })

  longTest('ignores and reports an event further ahead than clock.max_drift', () => {
    const repo = ledgerRepo()
    writeEvent(repo, '2099.md', 'now: from the future', '2099-01-01T00:00:00Z')
    const ahead = Date.now() + 600_000
    writeEvent(repo, 'ahead.md', 'now: ten minutes', iso(ahead))
    expect(millis(add(repo).ts)).toBeLessThanOrEqual(Date.now())
    expect(repo.ledger('event', 'validate')).toMatch(/^2099\.md.*\n|\n2099\.md/)
    expect(json<{ ahead: string[] }>(repo, 'status').ahead.toSorted()).toEqual([
      '2099.md',
      'ahead.md',
    ])

    repo.write('.ledger-git.yaml', 'clock:\n  max_drift: 1h\n')
    expect(add(repo).ts).toBe(iso(ahead + 1))
  })

  test('a retraction removes an event of 2099 from the ledger', () => {
    const repo = ledgerRepo()
    writeEvent(repo, '2099.md', 'now: from the future', '2099-01-01T00:00:00Z')
    add(repo)
    repo.ledger('event', 'retract', '2099.md')
    expect(json(repo, 'show')).toMatchObject({ now: { value: 'x' } })
    // Not again.
    const events = () => repo.git('ls-files', '--others', '--cached', 'thoughts')
    const before = events()
    const again = repo.tryLedger('event', 'retract', '2099.md')
    expect(again.status).toBe(0)
    expect(again.stderr).toContain('already retracted')
    expect(json(repo, 'event', 'retract', '2099.md')).toEqual({
      path: null,
      retracts: [],
      commit: null,
    })
    expect(events()).toBe(before)
    // A commit that cannot be made is an error, as for `event add`.
    const { path } = add(repo)
    repo.git('switch', '-q', '--detach')
    const ran = repo.tryLedger('event', 'retract', path, '--commit')
    expect(ran.stderr).toContain('HEAD is detached')
    expect(ran.status).not.toBe(0)
  })
})
