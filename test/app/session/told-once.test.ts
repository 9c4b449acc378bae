/** What a session's events report from its log: each decision once, and no part of a secret. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent as says, call, user } from '../../core/report/endings.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { SECRETS } from '../../support/secrets.ts'
import { AT } from '../../support/session-context.ts'
import { Actor, MINUTE, Stage } from './actors.ts'

const QUESTION = { question: 'Where should the counters live?', header: 'Storage', options: [] }

/** The records, timestamped this many minutes after the test's beginning. */
function at(minutes: number, lines: readonly string[]): string[] {
  const timestamp = new Date(Date.parse(AT) + minutes * MINUTE).toISOString()
  return lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), timestamp }))
}

const answered = (answer: string) =>
  call(
    'AskUserQuestion',
    { questions: [QUESTION] },
    { content: 'x' },
    { answers: { [QUESTION.question]: answer } },
  )

/** A session whose log is a file that the test writes. */
class Logged {
  readonly stage = new Stage()
  readonly actor: Actor
  readonly #lines: string[] = []

  constructor(session = 'one') {
    this.actor = new Actor(this.stage, session)
  }

  /** One run of the session: a prompt, new log records, and its end. Returns the event's text. */
  async run(...lines: string[]): Promise<string> {
    const { repo } = this.stage
    this.#lines.push(...lines)
    const transcript = join(repo.sandbox.folder, 'log.jsonl')
    writeFileSync(transcript, `${this.#lines.join('\n')}\n`)
    await this.actor.signal('turn_start', { prompt: 'Add a rate limit', transcript })
    await this.actor.signal('turn_end', { transcript })
    await this.actor.signal('session_end', { transcript })
    this.stage.now += 10 * MINUTE
    const folder = join(repo.folder, EVENTS)
    const names = readdirSync(folder).filter((name) => name.endsWith('.md'))
    return readFileSync(join(folder, names.sort().at(-1) ?? ''), 'utf8')
  }
}

describe('decisions and the test run', () => {
  test('are reported by the next event, and again only if the user repeats them', async () => {
    const session = new Logged()
    const tested = call('Bash', { command: 'npm test' }, { content: 'ok' })
    const first = await session.run(
      ...at(1, [user('Add a rate limit'), ...answered('Memory'), ...tested, says('Counted.')]),
    )
    expect(first).toContain('Memory (asked: Where should the counters live?)')
    expect(first).toContain('test: npm test')
    const second = await session.run(...at(11, [user('Go on'), says('The limit is per user.')]))
    expect(second).toContain('The limit is per user.')
    expect(second).not.toMatch(/Memory|npm test/)
    const third = await session.run(
      ...at(21, [user('Ask again'), ...answered('Memory'), says('Memory it is.')]),
    )
    expect(third).toContain('Memory (asked: Where should the counters live?)')
  })

  test('of a session whose log was copied are not reported', async () => {
    const text = await new Logged().run(
      ...at(-5, [user('Add a rate limit'), ...answered('Memory'), says('Counted.')]),
      ...at(1, [user('Go on'), says('The limit is per user.')]),
    )
    expect(text).toContain('The limit is per user.')
    expect(text).not.toContain('Memory')
  })
})

test('resolves a question when the user goes on without answering it', async () => {
  const session = new Logged()
  const first = await session.run(
    ...at(1, [user('Add a rate limit'), says('Should it be per user?')]),
  )
  expect(first).toMatch(/open_questions:\n\s*- "?Should it be per user\?/)
  const second = await session.run(...at(11, [user('Go on'), says('The limit is per user.')]))
  expect(second).toMatch(/resolved_questions:\n\s*- "?Should it be per user\?/)
  const third = await session.run(...at(21, [user('And log it'), says('It is logged.')]))
  // The question is already resolved, so this event has none.
  expect(third).not.toContain('questions:')
})

test('redacts a secret before a label cuts it in half', async () => {
  const secret = SECRETS.find(({ kind }) => kind === 'github-token')?.secret ?? ''
  const command = `curl https://api.example.org/${'v1/'.repeat(24)}${secret}`
  expect([command.length > 125, command.indexOf(secret) < 112]).toEqual([true, true])
  const text = await new Logged().run(
    ...at(1, [user('Add a rate limit'), ...call('Bash', { command })]),
  )
  expect(text).toContain('no answer yet from')
  expect(text).not.toContain(secret.slice(0, 8))
})
