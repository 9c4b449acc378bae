/** The workflows that `install --ci` writes, run as their hosts run them, with real git, npm and HTTP. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { hasHttpGit, JOB_TOKEN, VERSION } from '../../support/ci-host.ts'
import type { GithubWorkflow } from '../../support/ci-job.ts'
import { CURRENT } from '../../support/git-repo.ts'
import { IS_LONG, sampleOf } from '../../support/long.ts'
import { notRunUnless } from '../../support/not-run.ts'
import { ARCHIVE, oldEvents } from '../../cli/archive-words.ts'
import { doneIn, HANDOFF, handoffText, PROSE } from '../../git/handoff-scene.ts'
import { HOSTS, Team } from './ci-team.ts'
import { isHeadFresh } from './in-process.ts'

/** What both hosts share runs for one of them. */
const ONE = sampleOf(HOSTS, 2)

const isMissing = notRunUnless(hasHttpGit(), 'jobs of CI', 'this git has no HTTP')

/** Names of the branches that a job moved. */
function movedSince(team: Team, before: Record<string, string>): string[] {
  const after = team.tips()
  return Object.keys({ ...before, ...after }).filter((name) => after[name] !== before[name])
}

// GitLab's job merges a base in test/app/setup/ci-hostile.test.ts.
test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: merges the base where only the ledger conflicts, whichever result page lists the branch',
  async (host) => {
    const team = await Team.start()
    const toast = team.branch('toast')
    team.branch('other-conflict', { 'shared.txt': 'theirs\n' })
    team.repo.git('switch', '-q', '--detach', 'main')
    team.push('clean', { 'clean.txt': 'x\n' })
    for (const name of ['fork', 'nobody-asks', 'late']) team.branch(name)
    for (const [name, text] of [
      ['handoff', handoffText('theirs')],
      ['other-prose', handoffText('theirs').replace(PROSE, 'Something else.')],
    ] as const) {
      team.repo.git('switch', '-q', '--detach', 'main')
      team.push(name, { [HANDOFF]: text })
    }
    team.moveMain({ [HANDOFF]: handoffText('ours') })
    const before = team.tips()
    team.host.pageSize = 2
    const names = ['clean', 'other-conflict', 'toast', 'gone', 'late', 'handoff', 'other-prose']

    const ran = await team.mergeBase(host, names, [{ branch: 'fork', isFork: true }])

    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('other-conflict: left alone')
    expect(ran.stdout).toContain('gone: left alone')
    expect(ran.stdout).toContain('other-prose: left alone')
    expect(movedSince(team, before).toSorted()).toEqual(['handoff', 'late', 'toast'])
    const { repo } = team
    repo.git('fetch', '-q')
    expect(doneIn(repo.git('show', `origin/handoff:${HANDOFF}`))).toEqual(['ours', 'theirs'])
    repo.git('switch', '-q', '--detach', 'origin/toast')
    expect(repo.read(CURRENT)).toContain('- [x] done on toast\n- [x] on main\n')
    expect(await isHeadFresh(repo)).toBe(true)
    const main = repo.git('rev-parse', 'main')
    expect(repo.git('log', '-1', '--format=%P|%an|%s')).toBe(
      `${toast} ${main}|ledger-git|Merge branch 'main' into toast`,
    )
  },
)

test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: does nothing if no request is open',
  async (host) => {
    const team = await Team.start()
    team.branch('toast')
    team.moveMain()
    const before = team.tips()
    const ran = await team.mergeBase(host, [])
    expect(ran.status, ran.stderr).toBe(0)
    expect(movedSince(team, before)).toEqual([])
  },
)

test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: reports a push that the host refuses, and fails after all other branches are done',
  async (host) => {
    const team = await Team.start()
    team.branch('locked')
    team.branch('toast')
    team.moveMain()
    team.protect('locked', 'GH006: protected by the owner')
    const before = team.tips()

    const ran = await team.mergeBase(host, ['locked', 'toast'])

    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('GH006: protected by the owner')
    expect(ran.stdout + ran.stderr).not.toContain('meanwhile')
    expect(movedSince(team, before)).toEqual(['toast'])
  },
)

test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: leaves a branch that moved or was deleted meanwhile alone, without failing',
  async (host) => {
    const team = await Team.start()
    team.branch('moved')
    team.branch('deleted')
    team.moveMain()
    const { repo } = team
    const newer = repo.git(
      'commit-tree',
      '-p',
      'origin/moved',
      '-m',
      'newer',
      'origin/moved^{tree}',
    )
    repo.git('push', '-q', '--no-verify', 'origin', `${newer}:refs/heads/side`)
    team.host.beforePush = () => {
      repo.git('--git-dir=../remote.git', 'update-ref', 'refs/heads/moved', newer)
      repo.git('--git-dir=../remote.git', 'update-ref', '-d', 'refs/heads/deleted')
    }

    const ran = await team.mergeBase(host, ['moved', 'deleted'])

    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('moved: moved meanwhile')
    expect(ran.stdout).toContain('deleted: moved meanwhile')
    expect(team.tips()).toMatchObject({ moved: newer })
    expect(team.tips()).not.toHaveProperty('deleted')
  },
)

test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: fails if the token may not push',
  async (host) => {
    const team = await Team.start()
    team.branch('toast')
    team.moveMain()
    team.host.pushers = []
    const ran = await team.mergeBase(host, ['toast'])
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toMatch(/401|Authentication failed/)
    expect(ran.stdout + ran.stderr).not.toContain('meanwhile')
  },
)

// Such folders are merged in test/git/driver-places.test.ts, and such branches in test/app/setup/ci-hostile.test.ts.
test.skipIf(isMissing || !IS_LONG).each(ONE)(
  '%s: works with a ledger folder and branch names that are not ASCII',
  async (host) => {
    const root = `docs/Übergabe "an" alle's $HOME`
    const team = await Team.start(`ledger:\n  root: ${JSON.stringify(root)}\n`)
    team.branch('toast')
    team.branch('übung')
    team.moveMain()
    const before = team.tips()
    const ran = await team.mergeBase(host, ['toast', 'übung'])
    expect(ran.status, ran.stderr).toBe(0)
    expect(movedSince(team, before)).toEqual(['toast', 'übung'])
    expect(team.repo.git('ls-tree', '-r', '--name-only', '-z', 'main')).toContain(root)
  },
)

test.skipIf(isMissing).each(ONE)('%s: never pushes a stale ledger', async (host) => {
  const team = await Team.start()
  team.branch('other')
  const others = team.repo.read(CURRENT)
  team.branch('forged')
  // A footer that names another branch's events: git before 2.44 does not say which commit is merged.
  team.repo.write(CURRENT, others)
  team.repo.git('add', CURRENT)
  const env = { LEDGER_GIT: '0' }
  team.repo.run('git', ['commit', '-q', '--no-verify', '-m', 'forged'], { env })
  team.repo.git('push', '-q', '--no-verify', 'origin', 'HEAD:refs/heads/forged')
  team.moveMain()
  const before = team.tips()

  const ran = await team.mergeBase(host, ['forged'])

  expect(ran.status, ran.stderr).toBe(0)
  const isLeft = movedSince(team, before).length === 0
  expect(ran.stdout.includes('forged: left alone, its ledger would be stale')).toBe(isLeft)
  if (isLeft) return
  team.repo.git('fetch', '-q')
  team.repo.git('switch', '-q', '--detach', 'origin/forged')
  expect(await isHeadFresh(team.repo)).toBe(true)
})

test.skipIf(isMissing || !IS_LONG)(
  'the archive job of docs/ci.md archives and pushes',
  async () => {
    const team = await Team.start()
    team.host.pushers = [JOB_TOKEN]
    oldEvents(team.repo)
    team.repo.git('push', '-q', '--no-verify', 'origin', 'main')
    const doc = readFileSync(new URL('../../../docs/ci.md', import.meta.url), 'utf8')
    const [, text = ''] = /```yaml\n(name: archive\n.*?)```/s.exec(doc) ?? []
    const workflow = parse(text.replaceAll('<version>', VERSION)) as GithubWorkflow
    const head = team.repo.git('rev-parse', 'main')

    const ran = await team.machine.github(workflow, { name: 'archive', head })

    expect(ran.status, ran.stderr).toBe(0)
    team.repo.git('fetch', '-q')
    expect(team.repo.git('rev-parse', 'origin/main~')).toBe(head)
    expect(
      team.repo.changed('origin/main').filter((path) => path.startsWith(ARCHIVE)),
    ).toHaveLength(2)
  },
)
