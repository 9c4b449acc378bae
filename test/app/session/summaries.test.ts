/** A session's last event, written by a summarizer, on real git: there is one event, whichever process dies. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { finishSummary, settleSummaries } from '../../../src/app/report/summaries.ts'
import type { SummaryPort } from '../../../src/app/shadow/session-ports.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { Actor, MINUTE, Stage } from './actors.ts'

const THEIRS = 'now: the limit counts per user\nnext: []\n'
const OURS = 'Counted in memory'

let stage: Stage
let actor: Actor
let asked: string[]

function events(): string[] {
  const folder = join(stage.repo.folder, EVENTS)
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

function jobs() {
  return stage.within(stage.repo, undefined, async ({ summaries }) => summaries.list())
}

/** Finishes as the process does that the end of the session starts. */
function finish(
  answer: Awaited<ReturnType<SummaryPort['ask']>>,
  about: (real: SummaryPort) => Partial<SummaryPort> = () => ({}),
) {
  return stage.within(stage.repo, undefined, (context) => {
    const ask: SummaryPort['ask'] = async (command, digest) => {
      asked.push(command, digest)
      return answer
    }
    return finishSummary(
      { ...context, summaries: { ...context.summaries, ask, ...about(context.summaries) } },
      actor.session,
    )
  })
}

const settle = () => stage.within(stage.repo, undefined, (context) => settleSummaries(context))

beforeEach(async () => {
  asked = []
  stage = new Stage()
  stage.worker = { pid: 4711, startTime: '1' }
  stage.repo.git('config', 'ledger.summarizer', 'summarize --short')
  stage.repo.write(`${EVENTS}/.gitkeep`, '')
  actor = new Actor(stage, 'one')
  await actor.prompt('Add a rate limit with key AKIAnothing')
  stage.repo.write('limit.ts', 'export {}\n')
  await actor.signal('turn_end', { lastMessage: `${OURS}.` })
  await actor.end()
})

describe('the end of a session', () => {
  test('leaves a job and no event yet', async () => {
    expect(events()).toEqual([])
    expect(await jobs()).toMatchObject([{ session: 'one', agent: 'claude', worker: stage.worker }])
    await actor.end()
    expect(await jobs()).toHaveLength(1)
  })

  test('leaves one job even if the session was killed before it saved its end', async () => {
    const before = await stage.state('one')
    await stage.within(stage.repo, undefined, async ({ sessions }) => {
      const lastSignOfLife = new Date(stage.now - MINUTE).toISOString()
      const state = before && {
        ...before,
        phase: 'idle' as const,
        endEvent: undefined,
        lastSignOfLife,
      }
      await sessions.change('one', async () => ({ state, result: undefined }))
    })
    await actor.end()
    expect(events()).toEqual([])
    expect(await jobs()).toHaveLength(1)
    expect((await stage.state('one'))?.endEvent).toBe(before?.endEvent)
  })

  test('is reported to a session that starts before the event exists', async () => {
    const { context } = await new Actor(stage, 'two').start()
    expect(context).toContain(OURS)
  })
})

describe('the event', () => {
  test("has the program's words and the session's fields", async () => {
    await finish({ text: THEIRS })
    const [event, ...more] = events()
    expect(more).toEqual([])
    expect(event).toContain('now: the limit counts per user')
    expect(event).toMatch(/^agent: claude$[^]*^type: session_end$[^]*^session: one$/m)
    expect(event).not.toContain(OURS)
    expect(await jobs()).toEqual([])
    const { endEvent = '' } = (await stage.state('one')) ?? {}
    expect(stage.repo.read(`${EVENTS}/${endEvent}`)).toBe(event)
    expect(asked[0]).toBe('summarize --short')
    expect(asked[1]).toContain(OURS)
  })

  test.each([
    ['fails', { failed: 'ended with status 1' }],
    ['retracts an event', { text: 'retracts: [2026-01-09T08-00-00Z_crisp_00c0ffee.md]' }],
    ['answers in prose', { text: 'I am sorry.' }],
  ])('has our own words if the program %s', async (_, answer) => {
    await finish(answer)
    expect(events()).toHaveLength(1)
    expect(events()[0]).toContain(OURS)
    expect(events()[0]).not.toContain('retracts')
    expect(await jobs()).toEqual([])
  })

  test('is written once, even if two processes and a later contact try', async () => {
    await finish({ text: THEIRS })
    await finish({ text: 'now: something else' })
    stage.life = 'gone'
    await settle()
    expect(events()).toHaveLength(1)
  })
})

describe('if the process died', () => {
  test('before it had an answer, the next contact writes our own event', async () => {
    await settle()
    expect(events()).toEqual([]) // it is still alive
    stage.life = 'gone'
    await settle()
    await settle()
    expect(events()).toHaveLength(1)
    expect(events()[0]).toContain(OURS)
    await finish({ text: THEIRS })
    expect(events()).toHaveLength(1)
  })

  test.each(['before', 'after'])('%s the event was written, its words are kept', async (when) => {
    const killed = () => {
      throw new Error('killed')
    }
    const dies = ({ write }: SummaryPort): Partial<SummaryPort> => {
      if (when === 'after') return { remove: killed }
      return { write: (job) => (write(job), killed()) }
    }
    await expect(finish({ text: THEIRS }, dies)).rejects.toThrow('killed')
    expect(events()).toHaveLength(when === 'after' ? 1 : 0)
    stage.life = 'gone'
    await settle()
    expect(events()).toHaveLength(1)
    expect(events()[0]).toContain('the limit counts per user')
    expect(await jobs()).toEqual([])
  })

  test('before it was recorded, the next contact waits a little', async () => {
    const [job] = await jobs()
    const { worker: _, ...unknown } = job!
    await stage.within(stage.repo, undefined, async ({ summaries }) => summaries.write(unknown))
    await settle()
    expect(events()).toEqual([])
    stage.now += MINUTE
    await settle()
    expect(events()).toHaveLength(1)
  })
})

test('a command that a commit can bring is not run but named', async () => {
  stage.repo.git('config', '--unset', 'ledger.summarizer')
  stage.repo.write('tools.inc', '[ledger]\n\tsummarizer = evil\n')
  stage.repo.git('config', 'include.path', '../tools.inc')
  const other = new Actor(stage, 'two')
  await other.turn({ 'more.ts': 'export {}\n' })
  await other.end()
  expect(events().some((text) => text.includes('session: two'))).toBe(true)
  expect(stage.said.join('\n')).toContain(`it is set in ${join(stage.repo.folder, 'tools.inc')}`)
  expect(await jobs()).toMatchObject([{ session: 'one' }])
})
