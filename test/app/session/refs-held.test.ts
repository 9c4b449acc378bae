/**
 * Refs that cannot be moved or are broken: no turn stays open because of them, and no session end goes unreported.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EVENTS } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'
import { Actor, Stage } from './actors.ts'

const CHECKPOINTS = 'refs/heads/ledger/checkpoints/v1'

function events({ repo }: Stage): string[] {
  const folder = join(repo.folder, EVENTS)
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

const shadowRef = ({ repo }: Stage) =>
  repo.git('for-each-ref', '--format=%(refname)', 'refs/ledger/')

/** Files of the only shadow chain. */
const shadowFiles = (stage: Stage) =>
  stage.repo.git('ls-tree', '-r', '--name-only', shadowRef(stage)).split('\n')

/** A session with a saved turn. */
async function scene() {
  const stage = new Stage()
  const agent = new Actor(stage, 'one')
  await agent.turn({ 'a.txt': 'a\n' })
  return { stage, agent }
}

describe('a held lock on a shadow ref', () => {
  longTest('leaves no turn open, and the next step has what its shell made', async () => {
    const { stage, agent } = await scene()
    const lock = join(stage.repo.folder, '.git', `${shadowRef(stage)}.lock`)
    writeFileSync(lock, '')
    await agent.turn({ 'b.txt': 'b\n' })
    expect(await stage.state('one')).toMatchObject({
      phase: 'idle',
      filesTouched: ['a.txt', 'b.txt'],
    })
    rmSync(lock)
    await agent.turn({ 'c.txt': 'c\n' })
    const saved = ['a', 'b', 'c'].map((name) => `sessions/one/files/${name}.txt`)
    expect(shadowFiles(stage)).toEqual(expect.arrayContaining(saved))
  })

  test('does not keep a session from ending, with its event', async () => {
    const { stage, agent } = await scene()
    await agent.prompt('Write b')
    stage.repo.write('b.txt', 'b\n')
    writeFileSync(join(stage.repo.folder, '.git', `${shadowRef(stage)}.lock`), '')
    await agent.signal('session_end', { lastMessage: 'The parser is done.' })
    expect(await stage.state('one')).toMatchObject({ phase: 'ended' })
    expect(events(stage)).toEqual([expect.stringContaining('b.txt')])
  })

  longTest('does not keep a commit from being linked', async () => {
    const { stage, agent } = await scene()
    await agent.prompt('Write b')
    stage.repo.write('b.txt', 'b\n')
    const lock = join(stage.repo.folder, '.git', `${shadowRef(stage)}.lock`)
    writeFileSync(lock, '')
    const [id] = await agent.commit('b')
    expect(await stage.state('one')).toMatchObject({
      phase: 'active_committed',
      base: stage.repo.git('rev-parse', 'HEAD'),
      awaiting: [{ checkpoint: id }],
    })
    rmSync(lock)
    await agent.signal('turn_end')
    expect(await stage.state('one')).toMatchObject({ lastCheckpoint: id, awaiting: [] })
  })
})

test('an empty shadow ref is started anew', async () => {
  const { stage, agent } = await scene()
  const ref = shadowRef(stage)
  stage.repo.write(`.git/${ref}`, '')
  await agent.turn({ 'b.txt': 'b\n' })
  expect(shadowRef(stage)).toBe(ref)
  const saved = ['a', 'b'].map((name) => `sessions/one/files/${name}.txt`)
  expect(shadowFiles(stage)).toEqual(expect.arrayContaining(saved))
})

test('a turn is saved as a step if its checkpoint cannot be written', async () => {
  const { stage, agent } = await scene()
  await agent.prompt('Write b and c')
  stage.repo.write('b.txt', 'b\n')
  const [id] = await agent.commit('b')
  const lock = join(stage.repo.folder, '.git', `${CHECKPOINTS}.lock`)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  stage.repo.write('c.txt', 'c\n')
  await agent.signal('turn_end')
  expect(await stage.state('one')).toMatchObject({ phase: 'idle', awaiting: [{ checkpoint: id }] })
  expect(shadowFiles(stage)).toContain('sessions/one/files/c.txt')
  rmSync(lock)
  await agent.end()
  await new Actor(stage, 'two').start()
  expect(await stage.state('one')).toMatchObject({ lastCheckpoint: id, awaiting: [] })
})
