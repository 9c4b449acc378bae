import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flushOutbox } from '../../../src/app/tracker/flush-outbox.ts'
import { enqueueCheckpoint, enqueueProgress, enqueueShards } from '../../support/tell-tracker.ts'
import { runs } from '../../support/long.ts'
import type { MemoryTrackerContext, Mood } from '../../support/memory-tracker.ts'
import { Killed, memoryTracker } from '../../support/memory-tracker.ts'

const DAY = 24 * 60 * 60 * 1000
const ASKED = { isAsked: true, again: false } as const
const BY_ITSELF = { isAsked: false, again: false } as const

function checkpoint(context: MemoryTrackerContext, issue: string, name: string) {
  return enqueueCheckpoint(context, {
    issue,
    branch: undefined,
    level: 'L2',
    percent: 87,
    iteration: undefined,
    title: `Context Checkpoint ${name}`,
    handoffPath: `.claude/handoffs/${name}.md`,
    text: `text of ${name}`,
  })
}

const titles = (context: MemoryTrackerContext, issue: string) =>
  context.tracker.issue(issue).comments.map(({ body }) => /Checkpoint (\S+)\*\*/.exec(body)?.[1])

/** Each of these can happen, in any order. */
type Step =
  | { readonly kind: 'put'; readonly issue: string; readonly name: string }
  | { readonly kind: 'shards'; readonly issue: string; readonly names: readonly string[] }
  | { readonly kind: 'progress'; readonly issue: string; readonly done: number }
  | { readonly kind: 'flush'; readonly isAsked: boolean; readonly moods: readonly Mood[] }
  | { readonly kind: 'wait'; readonly millis: number }

const ISSUES = ['ANV-1', 'ANV-2', 'ANV-3']
const issue = fc.constantFrom(...ISSUES)
const name = fc.constantFrom('a', 'b', 'c', 'd', 'bad')
// Mostly well; otherwise nearly every item would end at its first call.
const mood = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Mood>('well') },
  { weight: 2, arbitrary: fc.constantFrom<Mood>('lost', 'killed') },
  { weight: 1, arbitrary: fc.constantFrom<Mood>('failed', 'limited', 'refused') },
)
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('put' as const), issue, name }),
    fc.record({
      kind: fc.constant('shards' as const),
      issue,
      names: fc.array(name, { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('progress' as const), issue, done: fc.nat(5) }),
    fc.record({
      kind: fc.constant('flush' as const),
      isAsked: fc.boolean(),
      moods: fc.array(mood, { maxLength: 12 }),
    }),
    fc.record({ kind: fc.constant('wait' as const), millis: fc.constantFrom(1, 40_000, DAY) }),
  ),
  { maxLength: 25 },
)

interface Put {
  readonly notes: Map<string, string[]>
  readonly shards: Map<string, Set<string>>
  readonly progress: Map<string, number>
}

async function play(context: MemoryTrackerContext, schedule: readonly Step[]): Promise<Put> {
  const put: Put = { notes: new Map(), shards: new Map(), progress: new Map() }
  for (const step of schedule) {
    switch (step.kind) {
      case 'put': {
        await checkpoint(context, step.issue, step.name)
        const notes = put.notes.get(step.issue) ?? []
        if (!notes.includes(step.name)) put.notes.set(step.issue, [...notes, step.name])
        break
      }
      case 'shards': {
        const shards = step.names.map((title) => ({ title, body: `do ${title}`, estimate: 45_000 }))
        await enqueueShards(context, { parent: step.issue, shards })
        const known = put.shards.get(step.issue) ?? new Set()
        put.shards.set(step.issue, new Set([...known, ...step.names]))
        break
      }
      case 'progress':
        await enqueueProgress(context, {
          parent: step.issue,
          plan: 'tasks.md',
          done: step.done,
          total: 5,
        })
        put.progress.set(step.issue, step.done)
        break
      case 'flush':
        context.tracker.moods = [...step.moods]
        await flushOutbox(context, { isAsked: step.isAsked, again: false }).catch(
          (error: unknown) => {
            if (!(error instanceof Killed)) throw error
          },
        )
        context.tracker.moods = []
        break
      case 'wait':
        context.tracker.now += step.millis
    }
  }
  return put
}

/** The tracker is well again: everything that is not rejected is sent. */
async function settle(context: MemoryTrackerContext): Promise<void> {
  context.tracker.now += 5001
  await flushOutbox(context, ASKED)
}

describe('whatever fails, gets lost or dies on the way', () => {
  test('each item is sent exactly once, and those of an issue in their order', async () => {
    const law = fc.asyncProperty(steps, fc.boolean(), async (schedule, honoursIds) => {
      const context = memoryTracker()
      context.tracker.honoursIds = honoursIds
      context.tracker.isBad = (text) => text === 'bad' || text.includes('Checkpoint bad')
      const put = await play(context, schedule)
      await settle(context)
      for (const issue of ISSUES) {
        const found = context.tracker.issue(issue)
        const notes = (put.notes.get(issue) ?? []).filter((name) => name !== 'bad')
        expect(titles(context, issue).filter((title) => title !== undefined)).toEqual(notes)
        const shards = [...(put.shards.get(issue) ?? [])].filter((name) => name !== 'bad')
        expect(found.children.map(({ title }) => title).sort()).toEqual(shards.sort())
        const progress = found.comments.filter(({ body }) => body.includes('parts done'))
        const done = put.progress.get(issue)
        expect(progress).toHaveLength(done === undefined ? 0 : 1)
        if (done !== undefined) expect(progress[0]?.body).toContain(`: ${done} of 5 parts done`)
        expect(found.labels).toContain('kept')
        if (notes.length > 0) expect(found).toMatchObject({ labels: ['kept', 'label 0'] })
        if (notes.length > 0) expect(found.state).toBe('s-paused')
      }
      // What is left was rejected, or is a link to a handoff that nobody pushed.
      const left = context.outbox.list().items
      expect(left.filter(({ rejected, content }) => !rejected && content.kind !== 'link')).toEqual(
        [],
      )
    })
    await fc.assert(law, runs(400, 120))
  })
})

describe('one run', () => {
  test('an item that was sent but cannot be found yet is recognized by its id', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    context.tracker.moods = ['well', 'well', 'well', 'lost']
    expect((await flushOutbox(context, ASKED)).failed).toHaveLength(1)
    context.tracker.blindLooks = 1
    const { sent, rejected } = await flushOutbox(context, ASKED)
    expect([sent.length, rejected.length]).toEqual([1, 0])
    expect(context.tracker.issue('ANV-1').comments).toHaveLength(1)
  })

  test('leaves a label and a state alone that the issue already has', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    await checkpoint(context, 'ANV-1', 'b')
    await flushOutbox(context, ASKED)
    expect(context.tracker.changes).toEqual([
      { label: 'label 0', state: 's-paused' },
      { label: undefined, state: undefined },
    ])
  })

  test('removes both files of an item that is in the outbox twice', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    const [item] = context.outbox.list().items
    if (item !== undefined) context.outbox.write({ ...item, place: item.place + 9 })
    expect(context.outbox.files.size).toBe(3)
    expect((await flushOutbox(context, ASKED)).sent).toHaveLength(1)
    // The link still waits.
    expect(context.outbox.files.size).toBe(1)
  })

  test('a rejected item holds up neither its issue nor another one', async () => {
    const context = memoryTracker()
    context.tracker.isBad = (text) => text.includes('Checkpoint bad')
    await checkpoint(context, 'ANV-1', 'bad')
    await checkpoint(context, 'ANV-1', 'b')
    await checkpoint(context, 'ANV-404', 'c')
    await checkpoint(context, 'ANV-2', 'd')

    const { sent, rejected } = await flushOutbox(context, BY_ITSELF)

    expect(sent.map((item) => item.issue)).toEqual(['ANV-1', 'ANV-2'])
    expect(rejected.map((item) => [item.issue, item.rejected])).toEqual([
      ['ANV-1', 'invalid input'],
      ['ANV-404', 'Entity not found'],
    ])
  })

  test('items that never get an answer come after those that were not tried yet', async () => {
    const context = memoryTracker()
    for (const number of [1, 2, 3]) await checkpoint(context, `ANV-${number}`, 'a')
    context.tracker.moods = ['failed', 'failed', 'failed']
    expect((await flushOutbox(context, ASKED)).stopped?.kind).toBe('failing')
    await checkpoint(context, 'ANV-4', 'a')
    context.tracker.moods = ['well', 'well', 'well', 'well', 'failed', 'failed', 'failed']
    expect((await flushOutbox(context, ASKED)).sent.map((item) => item.issue)).toEqual(['ANV-4'])
  })

  test('a rate limit stops everything until it ends, even for a user who asks', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    await checkpoint(context, 'ANV-2', 'a')
    context.tracker.moods = ['limited']
    expect((await flushOutbox(context, ASKED)).stopped).toEqual({ kind: 'paused', until: 5000 })
    const { calls } = context.tracker
    context.tracker.now = 4999
    expect((await flushOutbox(context, ASKED)).stopped).toEqual({ kind: 'paused', until: 5000 })
    expect(context.tracker.calls).toBe(calls)
    context.tracker.now = 5000
    expect((await flushOutbox(context, ASKED)).sent).toHaveLength(2)
  })

  test('automatic runs wait longer and longer before they retry an item', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    const waits: number[] = []
    for (let i = 0; i < 12; i += 1) {
      context.tracker.moods = ['failed']
      await flushOutbox(context, BY_ITSELF)
      const [item] = context.outbox.list().items
      waits.push((item?.notBefore ?? 0) - context.tracker.now)
      const { calls } = context.tracker
      context.tracker.now = (item?.notBefore ?? 0) - 1
      await flushOutbox(context, BY_ITSELF)
      expect(context.tracker.calls).toBe(calls)
      context.tracker.now += 1
    }
    expect(waits.slice(0, 3)).toEqual([30_000, 60_000, 120_000])
    expect(waits.at(-1)).toBe(6 * 60 * 60 * 1000)
  })

  test('a refused key does not count as a try of any item', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    context.tracker.moods = ['refused']
    expect((await flushOutbox(context, ASKED)).stopped).toEqual({
      kind: 'refused',
      why: 'no such key',
    })
    expect(context.outbox.list().items.map(({ tries }) => tries)).toEqual([0, 0])
  })

  test('without a key, the tracker is not called', async () => {
    const context = memoryTracker({ env: { LINEAR_API_KEY: ' ' } })
    await checkpoint(context, 'ANV-1', 'a')
    expect((await flushOutbox(context, ASKED)).stopped).toEqual({ kind: 'no-key' })
    expect(context.tracker.calls).toBe(0)
  })

  test('of two senders at once, one reports busy and nothing is sent twice', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    const both = await Promise.all([flushOutbox(context, ASKED), flushOutbox(context, ASKED)])
    expect(both.map(({ sent, stopped }) => [sent.length, stopped?.kind])).toEqual([
      [1, undefined],
      [0, 'busy'],
    ])
  })

  test.each(['two words', 'a\nb', 'schlüssel'])(
    '%j is no valid key: the tracker is not called',
    async (key) => {
      const context = memoryTracker({ env: { LINEAR_API_KEY: key } })
      await checkpoint(context, 'ANV-1', 'a')
      const { stopped } = await flushOutbox(context, ASKED)
      expect(stopped).toEqual({ kind: 'refused', why: 'it is not a single word' })
      expect(context.tracker.calls).toBe(0)
    },
  )

  test('remembers the state of an issue as it was left', async () => {
    const context = memoryTracker()
    context.tracker.now = 1000
    await enqueueProgress(context, { parent: 'ANV-1', plan: 'tasks.md', done: 0, total: 2 })
    await flushOutbox(context, ASKED)
    expect([...context.outbox.issues]).toEqual([['ANV-1', { state: 'Todo', at: 1000 }]])
    context.tracker.now = 2000
    await checkpoint(context, 'ANV-1', 'a')
    await flushOutbox(context, ASKED)
    expect([...context.outbox.issues]).toEqual([['ANV-1', { state: 'Paused', at: 2000 }]])
  })

  test('drops items after thirty days and logs them, except links', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    context.tracker.now = 30 * DAY
    context.tracker.moods = ['failed']
    expect((await flushOutbox(context, ASKED)).dropped).toEqual([])
    context.tracker.now = 30 * DAY + 1
    const { dropped } = await flushOutbox(context, ASKED)
    expect(dropped.map(({ content }) => content.kind)).toEqual(['checkpoint'])
    expect(context.logged.filter((line) => line.includes('dropped'))).toEqual([
      expect.stringMatching(/^tracker: ANV-1 checkpoint [0-9a-f-]{36}: dropped after 30 days$/),
    ])
    expect(context.outbox.files.size).toBe(0)
  })

  test('adds a link once the handoff is visible; until then the comment names its path', async () => {
    const context = memoryTracker()
    await checkpoint(context, 'ANV-1', 'a')
    await flushOutbox(context, ASKED)
    const issue = context.tracker.issue('ANV-1')
    expect(issue.comments[0]?.body).toContain('Handoff: `.claude/handoffs/a.md`')
    expect(issue.links.size).toBe(0)
    context.links.set('.claude/handoffs/a.md', 'https://github.com/o/r/blob/1/a.md')
    await flushOutbox(context, ASKED)
    expect([...issue.links]).toEqual([
      ['https://github.com/o/r/blob/1/a.md', 'Context Checkpoint a'],
    ])
    expect(issue.comments).toHaveLength(1)
    expect(context.outbox.files.size).toBe(0)
  })

  test('tries rejected items again on request', async () => {
    const context = memoryTracker()
    context.tracker.isBad = () => true
    await checkpoint(context, 'ANV-1', 'a')
    await flushOutbox(context, ASKED)
    context.tracker.isBad = () => false
    expect((await flushOutbox(context, ASKED)).sent).toEqual([])
    expect((await flushOutbox(context, { isAsked: true, again: true })).sent).toHaveLength(1)
  })

  test('reports a state that the team does not have, and still sends the comment', async () => {
    const context = memoryTracker()
    context.config['ledger.trackerState'] = 'Resting'
    await checkpoint(context, 'ANV-1', 'a')
    const { sent, remarks } = await flushOutbox(context, ASKED)
    expect(sent).toHaveLength(1)
    expect(remarks).toEqual(['ANV-1: the team has no state "Resting" (ledger.trackerState)'])
    expect(context.tracker.issue('ANV-1').state).toBe('s-todo')
  })
})
