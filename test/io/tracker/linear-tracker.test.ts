import { parse, validate, buildSchema } from 'graphql'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { flushOutbox } from '../../../src/app/tracker/flush-outbox.ts'
import { enqueueCheckpoint, enqueueProgress, enqueueShards } from '../../support/tell-tracker.ts'
import { OPERATIONS } from '../../../src/io/tracker/linear-operations.ts'
import { linearTracker } from '../../../src/io/tracker/linear-tracker.ts'
import { IS_LONG, sampleOf } from '../../support/long.ts'
import type { LinearServer, ServerMood } from '../../support/linear-server.ts'
import { linearServer } from '../../support/linear-server.ts'
import type { MemoryTrackerContext } from '../../support/memory-tracker.ts'
import { memoryTracker } from '../../support/memory-tracker.ts'

const ASKED = { isAsked: true, again: false } as const

async function withLinear(timeout?: number) {
  const linear = await linearServer()
  const context: MemoryTrackerContext = memoryTracker({
    openTracker: ({ endpoint }, key) =>
      linearTracker({ endpoint, key, clock: context.clock, timeout }),
  })
  context.config['ledger.linearEndpoint'] = linear.endpoint
  return { linear, context }
}

type Context = Awaited<ReturnType<typeof withLinear>>['context']

async function putAll(context: Context): Promise<void> {
  await enqueueCheckpoint(context, {
    issue: undefined,
    branch: 'jo/anv-1-login',
    level: 'L2',
    percent: 87,
    iteration: 4,
    title: 'Context Checkpoint L2 at 87% - ANV-1',
    handoffPath: '.claude/handoffs/2026-01-07-1145-3f2a.md',
    text: 'Now: wire the form; the password is hunter2',
  })
  const shards = [
    { title: 'Part 1: schema', body: 'do it', estimate: 45_000 },
    { title: 'Part 2: routes', body: 'and that', estimate: undefined },
  ]
  await enqueueShards(context, { parent: 'ANV-1', shards })
  await enqueueProgress(context, { parent: 'ANV-1', plan: 'tasks.md', done: 1, total: 2 })
}

function expectAll(linear: LinearServer): void {
  expect(linear.invalid).toEqual([])
  expect(linear.comments).toHaveLength(2)
  const [checkpoint, progress] = linear.comments
  expect(checkpoint?.['issueId']).toBe('uuid-of-1')
  expect(checkpoint?.['body']).toBe(
    '**Context Checkpoint L2 at 87% - ANV-1** (L2 at 87%, iteration 4)\n\n' +
      'Now: wire the form; the password is [redacted: password]\n\n' +
      'Handoff: `.claude/handoffs/2026-01-07-1145-3f2a.md`\n\n' +
      `\`ledger-git ${checkpoint?.id}\`\n`,
  )
  expect(progress?.['body']).toContain('**Plan** `tasks.md`: 1 of 2 parts done')
  expect(linear.children.map(({ id, ...child }) => ({ ...child, id: id.length }))).toMatchObject([
    { teamId: 'team-anv', parentId: 'uuid-of-1', title: 'Part 1: schema' },
    { teamId: 'team-anv', parentId: 'uuid-of-1', title: 'Part 2: routes' },
  ])
  expect(linear.children[0]?.['description']).toMatch(/^About 45,000 tokens\.\n\ndo it\n\n/)
  expect(linear.labels.map(({ name }) => name)).toEqual(['context-checkpointed'])
  expect(linear.issueLabels).toEqual(['label-kept', linear.labels[0]?.id])
  expect(linear.state).toBe('paused')
}

describe('Linear', () => {
  test('each operation is valid in its schema', () => {
    const text = readFileSync(new URL('linear-schema.graphql', import.meta.url), 'utf8')
    const schema = buildSchema(text)
    for (const operation of Object.values(OPERATIONS)) {
      expect(validate(schema, parse(operation)).map(String)).toEqual([])
    }
    const misspelt = OPERATIONS.change.replace('IssueUpdateInput', 'IssueUpdate')
    expect(validate(schema, parse(misspelt))).not.toEqual([])
  })

  test('gets a comment, a label, a state, sub-issues and progress', async () => {
    const { linear, context } = await withLinear()
    await putAll(context)
    const { sent, remarks, stopped } = await flushOutbox(context, ASKED)
    expect({ sent: sent.length, remarks, stopped }).toEqual({
      sent: 4,
      remarks: [],
      stopped: undefined,
    })
    expectAll(linear)
    expect([...linear.keys]).toEqual(['key'])
  })

  test('reuses a label of the workspace, but not one of another team', async () => {
    const { linear, context } = await withLinear()
    linear.labels.push({ id: 'other', name: 'context-checkpointed', team: { id: 'team-other' } })
    linear.labels.push({ id: 'all', name: 'Context-Checkpointed', team: null })
    await putAll(context)
    await flushOutbox(context, ASKED)
    expect(linear.labels).toHaveLength(2)
    expect(linear.issueLabels).toEqual(['label-kept', 'all'])
  })

  // Each call fails once, in each way: the result is always the same.
  const limited = {
    status: 400,
    body: '{"errors":[{"message":"x","extensions":{"code":"RATELIMITED"}}]}',
  }
  const moods: Record<string, ServerMood> = {
    lost: 'lost',
    cut: 'cut',
    silent: 'silent',
    'a page of a proxy': { status: 502, body: '<html>Bad Gateway</html>' },
    limited,
  }
  const names = Object.keys(moods).filter(
    (name) => IS_LONG || !['cut', 'a page of a proxy'].includes(name),
  )
  test.each(names)('has everything once after a failure at any call: %s', async (name) => {
    const mood = moods[name] ?? 'well'
    const { linear: whole, context: first } = await withLinear()
    await putAll(first)
    await flushOutbox(first, ASKED)
    const calls = whole.asked.length
    expect(calls).toBeGreaterThan(8)
    // The silent server takes its time at each call.
    const all = Array.from({ length: calls }, (_, i) => i)
    const places = mood === 'silent' ? [3] : sampleOf(all, 3)
    for (const place of places) {
      const { linear, context } = await withLinear(mood === 'silent' ? 300 : undefined)
      await putAll(context)
      linear.moods = [...Array.from({ length: place }, () => 'well' as const), mood]
      await flushOutbox(context, ASKED)
      context.tracker.now += 2 * 60_000
      await flushOutbox(context, ASKED)
      expectAll(linear)
    }
  })

  test('follows no redirect, so that the key goes to one address only', async () => {
    const { linear, context } = await withLinear()
    const elsewhere = await linearServer()
    linear.moods = [{ status: 307, headers: { location: elsewhere.endpoint } }]
    await putAll(context)
    const { failed } = await flushOutbox(context, ASKED)
    expect(failed[0]?.why).toBe('the address answers with a redirect (307), which is not followed')
    expect(elsewhere.asked).toEqual([])
  })

  test('does not read an endless answer to its end', async () => {
    const { linear, context } = await withLinear()
    linear.moods = [{ status: 200, body: `{"data":"${'x'.repeat(1024 * 1024)}"}` }]
    await putAll(context)
    const { failed } = await flushOutbox(context, ASKED)
    expect(failed[0]?.why).toBe('the answer has more than 1048576 bytes')
  })

  test('rejects an unknown issue with its own message', async () => {
    const { context } = await withLinear()
    await enqueueProgress(context, { parent: 'ANV-2', plan: 'tasks.md', done: 1, total: 2 })
    const { rejected } = await flushOutbox(context, ASKED)
    expect(rejected.map((item) => item.rejected)).toEqual(['Entity not found: Issue'])
  })

  test('stops the run when it does not know the key', async () => {
    const { linear, context } = await withLinear()
    const body = JSON.stringify({
      errors: [{ message: 'no', extensions: { type: 'authentication error' } }],
    })
    linear.moods = [{ status: 401, body }]
    await putAll(context)
    expect((await flushOutbox(context, ASKED)).stopped).toEqual({ kind: 'refused', why: 'no' })
    expect(linear.asked).toHaveLength(1)
  })
})
