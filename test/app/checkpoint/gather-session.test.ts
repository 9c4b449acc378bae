/** Which parts of a session's log, subagents and state go into a checkpoint. */

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { gatherSession } from '../../../src/app/checkpoint/gather-session.ts'
import { MAX_TRANSCRIPT } from '../../../src/core/checkpoint/checkpoint.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import { fresh } from '../../core/session/sessions.ts'
import { scene } from './checkpoints.ts'

const line = (type: string, text: string) =>
  JSON.stringify({ type, message: { role: type, content: [{ type: 'text', text }] } })

async function logged(text: string, about: Partial<SessionState> = {}, offset = 0) {
  const { repo, context } = await scene()
  repo.write('.git/log.jsonl', text)
  const transcript = { path: `${repo.folder}/.git/log.jsonl`, offset }
  return { repo, context, state: fresh({ transcript, ...about }) }
}

describe('the transcript', () => {
  test('is read from the stored offset in complete lines; its end is where the next part begins', async () => {
    const [first, second] = [line('user', 'one'), line('assistant', 'twö')]
    const text = `${first}\n${second}\n{"torn`
    const { context, state } = await logged(text, {}, first.length + 1)
    const found = await gatherSession(context, state, { commits: [], branch: 'main' })
    expect(found).toMatchObject({ transcript: `${second}\n`, transcriptOffset: first.length + 1 })
    expect(found.transcriptEnd).toBe(first.length + 1 + Buffer.byteLength(second) + 1)
    expect(found.isCut).toBe(false)
  })

  test('of a log that was replaced by a shorter one is read from its beginning', async () => {
    const { context, state } = await logged(`${line('user', 'new')}\n`, {}, 99_999)
    const found = await gatherSession(context, state, { commits: [], branch: 'main' })
    expect(found).toMatchObject({ transcriptOffset: 0, transcript: `${line('user', 'new')}\n` })
    expect(found.transcriptEnd).toBe(found.transcript.length)
  })

  test('of 200 MB keeps only the newest lines, in bounded memory', async () => {
    const { repo, context, state } = await logged('')
    const fd = openSync(`${repo.folder}/.git/log.jsonl`, 'r+')
    const size = 200 * 1024 * 1024
    ftruncateSync(fd, size)
    const last = `\n${line('assistant', 'the end')}\n`
    const many = `\n${line('user', 'x'.repeat(1000))}`.repeat(9000)
    writeSync(fd, many + last, size)
    closeSync(fd)
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    const found = await gatherSession(context, state, { commits: [], branch: 'main' })
    const after = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    expect(after - before).toBeLessThan(120 * 1024 * 1024)
    expect(found.isCut).toBe(true)
    expect(found.transcript.length).toBeLessThanOrEqual(MAX_TRANSCRIPT)
    expect(found.transcript.length).toBeGreaterThan(MAX_TRANSCRIPT - 2000)
    expect(found.transcript.endsWith(last)).toBe(true)
    expect(found.transcriptEnd).toBe(size + many.length + last.length)
    expect(found.transcriptOffset + found.transcript.length).toBe(found.transcriptEnd)
  })

  test.each([
    ['is missing', '/nowhere/log.jsonl', 'claude-code'],
    ['is a folder', '/tmp', 'claude-code'],
    ['is from an unknown agent', '', 'mystery'],
  ])('that %s is reported as missing, and the rest is gathered', async (_, path, agent) => {
    const { context, state } = await logged(`${line('user', 'one')}\n`, {
      agent,
      prompts: ['Fix it'],
      filesTouched: ['a.ts'],
    })
    const transcript = { path: path || (state.transcript?.path ?? ''), offset: 7 }
    const gathering = { commits: [], branch: undefined }
    const found = await gatherSession(context, { ...state, transcript }, gathering)
    expect(found).toMatchObject({ transcript: '', transcriptEnd: 7, prompts: ['Fix it'] })
    expect(found.context).toContain('- Missing: the transcript could not be read')
    expect(context.logged).toHaveLength(1)
  })
})

test("limits each subagent's transcript and names a missing one", async () => {
  const { repo, context, state } = await logged('')
  const task = (name: string, text: string) => {
    repo.write(`.git/${name}`, text)
    return { toolUseId: name, transcriptPath: `${repo.folder}/.git/${name}` }
  }
  const tasks = [
    task('t1', `${line('assistant', 'x'.repeat(1000))}\n`.repeat(2000)),
    task('t2', `${line('assistant', 'short')}\n`),
    { toolUseId: 't3', transcriptPath: '/nowhere' },
    { toolUseId: 't4', transcriptPath: undefined },
  ]
  const gathering = { commits: [], branch: 'main' }
  const found = await gatherSession(context, { ...state, tasks }, gathering)
  expect(found.tasks.map(({ toolUseId }) => toolUseId)).toEqual(['t1', 't2', 't3', 't4'])
  expect(found.tasks[0]?.transcript.length).toBeLessThanOrEqual(1024 * 1024)
  expect(found.tasks[1]?.transcript).toBe(`${line('assistant', 'short')}\n`)
  expect(found.context).toContain('the transcript of subagent t3')
  expect(found.context).not.toContain('t4')
})

test('context.md says what was asked, said, planned and changed, and no text in it can form a heading', async () => {
  const { repo, context, state } = await logged(
    `${line('user', 'from the log')}\n${line('assistant', 'also from the log')}\n`,
  )
  const commit = repo.commit('fix: the parser\n\nbody', { 'a.ts': '1' })
  const about: Partial<SessionState> = {
    prompts: ['Fix the parser\n# and \u001b[31mthis\n\n    code()'],
    lastMessage: 'Done.\n## Not a heading',
    todos: [
      { text: 'write', status: 'completed' },
      { text: 'test\n# x', status: 'in_progress' },
    ],
    filesTouched: ['a.ts'],
  }
  const gathering = { commits: [commit], branch: 'main' }
  const found = await gatherSession(context, { ...state, ...about }, gathering)
  expect(found.context).toBe(`# Fix the parser # and [31mthis code()

- Session: s1
- Agent: claude-code
- Branch: main

## First prompt

> Fix the parser
> # and [31mthis
>
>     code()

## Last message

> Done.
> ## Not a heading

## To-dos

- [x] write
- [>] test # x

## Commits

- ${commit} fix: the parser

## Files

- a.ts
`)
  const without = await gatherSession(context, state, gathering)
  expect(without.prompts).toEqual(['from the log'])
  expect(without.context).toContain('> also from the log')
})
