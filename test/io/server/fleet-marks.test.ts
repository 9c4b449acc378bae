/** Which changes make the dashboard read the fleet again, and which do not. */

import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fleetMarks } from '../../../src/io/server/fleet-marks.ts'
import { EVENTS, Sandbox } from '../../support/git-repo.ts'

function repository() {
  const repo = new Sandbox().init()
  repo.commit('first', { 'a.txt': 'a' })
  repo.write(`${EVENTS}/.gitkeep`, '')
  mkdirSync(join(repo.folder, '.git/ledger-git/sessions'), { recursive: true })
  return { repo, commonDir: join(repo.folder, '.git') }
}

test('fleetMarks changes with what the fleet is read from, and with nothing else', () => {
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
  expect(changes(() => rmSync(side.folder, { recursive: true }))).toBe(true)
  expect(changes(() => renameSync(commonDir, `${commonDir}-away`))).toBe(true)
  expect(changes(() => renameSync(`${commonDir}-away`, commonDir))).toBe(true)
})
