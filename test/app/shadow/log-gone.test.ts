/** The agent's log is gone when a commit is made: the checkpoint contains what the steps stored of it. */

import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoints } from '../../sessions/readers.ts'
import { Actor, commitBy, Stage } from '../session/actors.ts'
import { sampleOf } from '../../support/long.ts'

const line = (type: 'user' | 'assistant', text: string) =>
  `${JSON.stringify({ type, uuid: text, message: { role: type, content: [{ type: 'text', text }] } })}\n`

const ASKED = line('user', 'Write a')
const DONE = line('assistant', 'I wrote a.')
const MORE = line('assistant', 'And more.')

const WRITE = { name: 'Write', files: ['a.txt'], mayWrite: false, todos: undefined }

/** A turn whose step stored the log, which is outside the repository. */
async function logged(said = ASKED + DONE) {
  const stage = new Stage()
  const log = join(stage.repo.sandbox.folder, 'log.jsonl')
  writeFileSync(log, said)
  const agent = new Actor(stage, 'maker')
  const about = { transcript: log }
  await agent.signal('turn_start', { ...about, prompt: 'Write a' })
  stage.repo.write('a.txt', 'a\n')
  await agent.signal('tool_used', { ...about, tool: WRITE })
  await agent.signal('turn_end', about)
  return { stage, agent, log, about }
}

type Logged = Awaited<ReturnType<typeof logged>>

/** The session's part of the checkpoint that a person's commit makes. */
async function condensed({ stage }: Logged) {
  const [id = ''] = await commitBy(stage, undefined, 'feat: a')
  const part = checkpoints(stage.repo)[id]?.['maker']
  expect(part).toMatchObject({ files: ['a.txt'], prompts: 'Write a' })
  return part
}

describe('a log that is missing or changed', () => {
  const CHANGES: [string, (made: Logged) => unknown, string][] = [
    ['removed: the checkpoint has the stored part', ({ log }) => rmSync(log), ASKED + DONE],
    [
      'emptied: the checkpoint has the stored part',
      ({ log }) => writeFileSync(log, ''),
      ASKED + DONE,
    ],
    [
      'replaced: the checkpoint has the stored and the new part',
      ({ log }) => writeFileSync(log, MORE),
      ASKED + DONE + MORE,
    ],
    [
      'replaced, and removed after another turn: the checkpoint has both stored parts',
      async ({ log, agent, about }) => {
        writeFileSync(log, MORE)
        await agent.signal('turn_start', about)
        await agent.signal('turn_end', about)
        rmSync(log)
      },
      ASKED + DONE + MORE,
    ],
    [
      'grown: the checkpoint has all of it',
      ({ log }) => appendFileSync(log, MORE),
      ASKED + DONE + MORE,
    ],
  ]
  test.each(sampleOf(CHANGES, 2))('%s', async (_, change, transcript) => {
    const made = await logged()
    await change(made)
    const part = await condensed(made)
    expect(part?.transcript).toBe(transcript.trimEnd())
    expect(part?.context).toContain(transcript.includes(MORE) ? 'And more.' : 'I wrote a.')
    expect(part?.context).not.toContain('Missing')
  })

  test('still gives its last words to the event of a session that others end', async () => {
    const made = await logged()
    rmSync(made.log)
    made.stage.life = 'gone'
    const { context } = await new Actor(made.stage, 'next', 200).start()
    expect(context).toContain('I wrote a.')
  })

  test('is not repeated: the next checkpoint begins where this one ended', async () => {
    const made = await logged()
    const { stage, agent, about, log } = made
    rmSync(log)
    await condensed(made)
    writeFileSync(log, ASKED + DONE + MORE)
    await agent.signal('turn_start', { ...about, prompt: 'Write more' })
    stage.repo.write('a.txt', 'more\n')
    await agent.signal('tool_used', { ...about, tool: WRITE })
    await agent.signal('turn_end', about)
    const [id = ''] = await commitBy(stage, undefined, 'feat: more')
    expect(checkpoints(stage.repo)[id]?.['maker']?.transcript).toBe(MORE.trimEnd())
  })
})
