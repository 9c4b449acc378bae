/** What makes the dashboard look again, and what does not. */

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FleetFeed } from '../../../src/app/dashboard/fleet-feed.ts'
import { FleetEyes } from '../../../src/io/server/fleet-eyes.ts'
import { fleetMarks, watchedFolders } from '../../../src/io/server/fleet-marks.ts'
import { FleetWatch } from '../../../src/io/server/fleet-watch.ts'
import { BUSY_FLEET, NOW } from '../../support/fleets.ts'
import { EVENTS, Sandbox } from '../../support/git-repo.ts'

function repository() {
  const repo = new Sandbox().init()
  repo.commit('first', { 'a.txt': 'a' })
  repo.write(`${EVENTS}/.gitkeep`, '')
  mkdirSync(join(repo.folder, '.git/ledger-git/sessions'), { recursive: true })
  return { repo, commonDir: join(repo.folder, '.git') }
}

const TIMES = { settle: 5, poll: 20, pollHidden: 40, lookAnyway: 60_000 }

function watched(commonDir: string, times: typeof TIMES) {
  let looks = 0
  const gather = async () => {
    looks += 1
    return BUSY_FLEET
  }
  const audience = { streams: 1, lookedAt: Date.now() }
  const eyes = new FleetEyes(() => watch.soon())
  const look = async (isWatched: boolean) => {
    if (!isWatched) eyes.close()
    return isWatched ? eyes.look(commonDir) : ''
  }
  const feed = new FleetFeed(gather, { now: () => NOW }, 'run')
  const watch = new FleetWatch(feed, audience, look, times)
  onTestFinished(() => {
    watch.close()
    eyes.close()
  })
  return { looks: () => looks, audience, watch }
}

const quiet = () => new Promise((resolve) => setTimeout(resolve, 120))

test('marks differ for what the fleet is read from, and for nothing else', () => {
  const { repo, commonDir } = repository()
  repo.git('worktree', 'add', '-q', '../side')
  const side = repo.sandbox.at(join(repo.sandbox.folder, 'side'))
  side.write(`${EVENTS}/.gitkeep`, '')
  let before = fleetMarks(commonDir)
  const changes = (action: () => void) => {
    action()
    const after = fleetMarks(commonDir)
    const isOther = after !== before
    before = after
    return isOther
  }
  expect(changes(() => {})).toBe(false)
  expect(changes(() => repo.write('b.txt', 'b'))).toBe(false)
  expect(changes(() => repo.write('.git/ledger-git/cache/x', 'x'))).toBe(false)
  expect(changes(() => repo.git('hash-object', '-w', 'a.txt'))).toBe(false)
  expect(changes(() => repo.git('branch', 'topic'))).toBe(true)
  expect(changes(() => repo.git('pack-refs', '--all'))).toBe(true)
  expect(changes(() => repo.write(`${EVENTS}/one.md`, 'x'))).toBe(true)
  expect(changes(() => side.write(`${EVENTS}/two.md`, 'x'))).toBe(true)
  expect(changes(() => repo.write('.git/ledger-git/sessions/s.json', '{}'))).toBe(true)
  expect(changes(() => side.git('switch', '-q', '-c', 'other'))).toBe(true)
  expect(changes(() => repo.git('worktree', 'add', '-q', '../third'))).toBe(true)
  rmSync(join(side.folder, EVENTS), { recursive: true })
  expect(changes(() => symlinkSync('events', join(side.folder, EVENTS)))).toBe(true)
  expect([...watchedFolders(commonDir).values()]).toContain(join(repo.folder, EVENTS))
  expect(changes(() => rmSync(side.folder, { recursive: true }))).toBe(true)
  expect(changes(() => renameSync(commonDir, `${commonDir}-away`))).toBe(true)
  expect(changes(() => renameSync(`${commonDir}-away`, commonDir))).toBe(true)
})

test.each([
  ['told by the system', { ...TIMES, poll: 20 }],
  ['by polling', { ...TIMES, settle: 60_000 }],
])('looks when something changed, and only then: %s', async (_, times) => {
  const { repo, commonDir } = repository()
  const { looks } = watched(commonDir, times)
  await expect.poll(looks).toBe(1)
  await quiet()
  expect(looks()).toBe(1)
  repo.write(`${EVENTS}/one.md`, 'x')
  await expect.poll(looks).toBe(2)
  await quiet()
  expect(looks()).toBe(2)
})

test('is told by the system long before it polls', async () => {
  const { repo, commonDir } = repository()
  const { looks, audience } = watched(commonDir, { ...TIMES, pollHidden: 60_000 })
  await expect.poll(looks).toBe(1)
  audience.lookedAt = 0
  repo.write(`${EVENTS}/one.md`, 'x')
  await expect.poll(looks).toBe(2)
})

test('does nothing while no page is open, and looks when one is', async () => {
  const { repo, commonDir } = repository()
  const { looks, audience } = watched(commonDir, TIMES)
  await expect.poll(looks).toBe(1)
  audience.streams = 0
  await quiet()
  repo.write(`${EVENTS}/one.md`, 'x')
  await quiet()
  expect(looks()).toBe(1)
  audience.streams = 1
  await expect.poll(looks).toBe(2)
})

test('time alone is a reason to look, while somebody does', async () => {
  const { commonDir } = repository()
  const { looks, audience } = watched(commonDir, { ...TIMES, lookAnyway: 50 })
  await expect.poll(looks).toBeGreaterThan(2)
  audience.lookedAt = 0
  await quiet()
  const before = looks()
  await quiet()
  expect(looks()).toBe(before)
})

test('a repository that goes and comes back is looked at each time', async () => {
  const { repo, commonDir } = repository()
  const { looks } = watched(commonDir, TIMES)
  await expect.poll(looks).toBe(1)
  const away = `${repo.folder}-away`
  renameSync(repo.folder, away)
  await expect.poll(looks).toBe(2)
  renameSync(away, repo.folder)
  await expect.poll(looks).toBeGreaterThan(2)
  await quiet()
  const before = looks()
  writeFileSync(join(repo.folder, EVENTS, 'later.md'), 'x')
  await expect.poll(looks).toBeGreaterThan(before)
})

test('a disk that does not answer is waited for by one look; a change meanwhile is looked at after it', async () => {
  let asked = 0
  let answer = (_marks: string) => {}
  const look = () => {
    asked += 1
    return new Promise<string>((resolve) => (answer = resolve))
  }
  const feed = new FleetFeed(async () => BUSY_FLEET, { now: () => NOW }, 'run')
  const watch = new FleetWatch(feed, { streams: 1, lookedAt: Date.now() }, look, TIMES)
  onTestFinished(() => watch.close())
  await expect.poll(() => asked).toBe(1)
  watch.soon()
  await quiet()
  expect([asked, feed.state.text]).toEqual([1, undefined])
  answer('marks')
  await expect.poll(() => asked).toBe(2)
  expect(feed.state.text).toBeDefined()
})
