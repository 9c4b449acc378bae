/** What a person does during an open turn is not attributed to the agent if the agent only read or was stopped. */

import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { checkpoints } from '../../sessions/readers.ts'
import { Actor, commitBy, Stage } from './actors.ts'
import { sampleOf } from '../../support/long.ts'

const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } })
const call = (name: string, input: object) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: name, name, input }] },
})
const STOPPED = user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])

/** The record of an Esc now. The times of files are less exact than the clock. */
async function stoppedNow() {
  await sleep(20)
  return { ...STOPPED, timestamp: new Date().toISOString() }
}

const FILES = Object.fromEntries(
  ['old.txt', 'other.txt', 'more/old.txt', 'gone/old.txt'].map((path) => [path, 'old\n']),
)

/** An open turn as its log shows it; hooks report nothing about it. */
async function open(...records: object[]) {
  const stage = new Stage(FILES)
  const transcript = join(stage.repo.sandbox.folder, 'log.jsonl')
  const log = (...lines: object[]) =>
    appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  writeFileSync(transcript, '')
  log(user('Write'), call('Write', { file_path: 'old.txt' }), user('Explain'), ...records)
  const agent = new Actor(stage, 'agent')
  await agent.signal('turn_start', { prompt: 'Explain', transcript })
  return { stage, agent, log }
}

function filesOf(stage: Stage, id: string) {
  return checkpoints(stage.repo)[id]?.['agent']?.files.toSorted()
}

const SHELL = { name: 'Bash', files: [], mayWrite: true, todos: undefined }
const READ = call('Read', { file_path: 'old.txt' })

describe("a person's commit during a turn", () => {
  test("belongs to no session if the turn only reads, and neither do the person's other changes", async () => {
    const { stage, agent } = await open(READ)
    stage.repo.write('mine.txt', 'a person\n')
    stage.repo.write('other.txt', 'a person\n')
    expect(await commitBy(stage, undefined, 'by hand', stage.repo, 'mine.txt')).toEqual([])
    await agent.signal('turn_end')
    expect(await stage.state('agent')).toMatchObject({ phase: 'idle', filesTouched: [] })
    expect(await commitBy(stage, undefined, 'by hand')).toEqual([])
  })

  test.each([[[user('Go on')]], [[]]])(
    'belongs to no session after a prompt, logged: %j',
    async (logged) => {
      const { stage, agent, log } = await open(READ)
      stage.repo.write('mine.txt', 'a person\n')
      log(...logged)
      await agent.prompt('Go on')
      expect(await stage.state('agent')).toMatchObject({ filesTouched: [] })
    },
  )

  const WRITING: [string, object][] = [
    ['a shell that is still running', call('Bash', { command: 'make' })],
    ['a tool of another server', call('mcp__files__write', {})],
    ['a subagent', call('Agent', { prompt: 'Write' })],
    ['a tool that writes a file', call('Write', { file_path: 'other.txt' })],
  ]
  test.each(sampleOf(WRITING, 3))('is linked if the log has %s', async (_, record) => {
    const { stage } = await open(READ, record)
    stage.repo.write('made.txt', 'made\n')
    expect(await commitBy(stage, undefined, 'feat: made')).toHaveLength(1)
  })

  test.each([
    { name: 'Bash', files: [], mayWrite: true, todos: undefined },
    { name: 'Write', files: ['other.txt'], mayWrite: false, todos: undefined },
  ])('is linked if a hook reported $name, whatever the log says', async (tool) => {
    const { stage, agent } = await open(READ)
    await agent.signal('tool_used', { tool })
    stage.repo.write('made.txt', 'made\n')
    expect(await commitBy(stage, undefined, 'feat: made')).toHaveLength(1)
  })

  test('is linked if the log cannot be read', async () => {
    const stage = new Stage()
    await new Actor(stage, 'agent').prompt('Write')
    stage.repo.write('made.txt', 'made\n')
    expect(await commitBy(stage, undefined, 'feat: made')).toHaveLength(1)
  })

  test("is the session's own work if the session makes the commit", async () => {
    const { stage, agent } = await open(READ)
    stage.repo.write('made.txt', 'made\n')
    const [id = ''] = await agent.commit('feat: made')
    stage.repo.write('rest.txt', 'rest\n')
    await agent.signal('turn_end')
    const commits = [stage.repo.git('rev-parse', 'HEAD')]
    expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ commits })
    expect(await stage.state('agent')).toMatchObject({ filesTouched: ['rest.txt'] })
  })
})

describe('a turn that its user stopped', () => {
  test("is over at the next commit: its checkpoint is written, and later work is the person's", async () => {
    const { stage, log } = await open(call('Bash', { command: 'make' }))
    stage.repo.write('made.txt', 'made\n')
    log(await stoppedNow())
    const [id = ''] = await commitBy(stage, undefined, 'feat: made', stage.repo, 'made.txt')
    expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ files: ['made.txt'] })
    expect(await stage.state('agent')).toMatchObject({ phase: 'idle', awaiting: [] })
    stage.repo.write('mine.txt', 'a person\n')
    expect(await commitBy(stage, undefined, 'by hand')).toEqual([])
  })

  test('contains nothing that a person changed afterwards', async () => {
    const { stage, log } = await open(call('Bash', { command: 'make' }))
    stage.repo.write('made.txt', 'made\n')
    rmSync(join(stage.repo.folder, 'more/old.txt'))
    log(await stoppedNow())
    stage.repo.write('mine.txt', 'a person\n')
    rmSync(join(stage.repo.folder, 'gone'), { recursive: true })
    stage.repo.write('gone', 'a person\n')
    expect(await commitBy(stage, undefined, 'by hand', stage.repo, 'mine.txt', 'gone')).toEqual([])
    const [id = ''] = await commitBy(stage, undefined, 'feat: made')
    expect(filesOf(stage, id)).toEqual(['made.txt', 'more/old.txt'])
  })

  test('contains nothing that a person changed before its session ended', async () => {
    const { stage, agent, log } = await open(call('Bash', { command: 'make' }))
    stage.repo.write('made.txt', 'made\n')
    log(await stoppedNow())
    stage.repo.write('mine.txt', 'a person\n')
    await agent.end()
    expect(await stage.state('agent')).toMatchObject({ filesTouched: ['made.txt'] })
  })

  test('contains nothing that a person changed before the next prompt, even if the log already has that', async () => {
    const { stage, agent, log } = await open(call('Bash', { command: 'make' }))
    stage.repo.write('made.txt', 'made\n')
    log(await stoppedNow())
    stage.repo.write('mine.txt', 'a person\n')
    log(user('Go on'))
    await agent.prompt('Go on')
    expect(await stage.state('agent')).toMatchObject({ filesTouched: ['made.txt'] })
    // The new turn was not stopped.
    stage.repo.write('more.txt', 'more\n')
    await agent.signal('tool_used', { tool: SHELL })
    await agent.signal('turn_end')
    expect(await stage.state('agent')).toMatchObject({ filesTouched: ['made.txt', 'more.txt'] })
  })

  test('has a file that its tool named, whoever changed it last', async () => {
    const { stage, agent, log } = await open()
    const tool = { name: 'Write', files: ['made.txt'], mayWrite: false, todos: undefined }
    await agent.signal('tool_used', { tool })
    log(await stoppedNow())
    stage.repo.write('made.txt', 'a person\n')
    expect(await commitBy(stage, undefined, 'feat: made')).toHaveLength(1)
  })

  test('has only files that its tools named, where the log does not say when', async () => {
    const { stage, log } = await open(call('Bash', { command: 'make' }))
    stage.repo.write('made.txt', 'made\n')
    log(STOPPED)
    expect(await commitBy(stage, undefined, 'by hand')).toEqual([])
  })

  test('stays open if it went on', async () => {
    const { stage, log } = await open(call('Bash', { command: 'make' }))
    log(STOPPED, user('Go on'), call('Bash', { command: 'make more' }))
    stage.repo.write('made.txt', 'made\n')
    await commitBy(stage, undefined, 'feat: made')
    expect(await stage.state('agent')).toMatchObject({ phase: 'active_committed' })
  })
})

describe("a person's commit between turns, in a file of the session", () => {
  test("is linked if the person builds on the session's work", async () => {
    const stage = new Stage()
    await new Actor(stage, 'agent').turn({ 'old.txt': 'agent\n' })
    stage.repo.write('old.txt', 'agent\na person\n')
    stage.repo.write('mine.txt', 'a person\n')
    const [id = ''] = await commitBy(stage, undefined, 'by hand')
    expect(checkpoints(stage.repo)[id]?.['agent']).toMatchObject({ files: ['old.txt'] })
  })

  test("is not linked if all of the session's work is undone", async () => {
    const stage = new Stage()
    await new Actor(stage, 'agent').turn({ 'undone.txt': 'agent\n' })
    rmSync(join(stage.repo.folder, 'undone.txt'))
    stage.repo.write('mine.txt', 'a person\n')
    expect(await commitBy(stage, undefined, 'by hand')).toEqual([])
  })
})
