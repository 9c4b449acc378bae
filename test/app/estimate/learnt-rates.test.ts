/** Estimates are compared with what sessions really used, and later estimates learn from the difference. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepEstimate, learntRates } from '../../../src/app/estimate/learnt-rates.ts'
import type { SessionContext } from '../../../src/app/shadow/session-context.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { AT, keepState, sessionContext, sessionHere } from '../../support/session-context.ts'

const NOON = Date.parse(AT)
const minutes = (n: number) => NOON + n * 60_000
const iso = (millis: number) => new Date(millis).toISOString()

/** Responses one minute apart, each adding this many tokens at two and a half characters per token. */
function transcript(repo: Repo, name: string, growths: readonly number[]): string {
  let tokens = 20_000
  const lines = growths.flatMap((growth, i) => {
    tokens += growth
    const usage = { input_tokens: tokens }
    return [
      { type: 'user', message: { content: 'x'.repeat(Math.max(0, growth) * 2.5) } },
      {
        type: 'assistant',
        timestamp: iso(minutes(i)),
        message: { id: `m${i}`, usage, content: [] },
      },
    ]
  })
  const path = join(repo.folder, '..', `${name}.jsonl`)
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

async function contextAt(repo: Repo, millis: number): Promise<SessionContext> {
  const clock = { now: () => millis }
  return sessionContext(repo.folder, repo.sandbox.env, { clock })
}

const folder = (repo: Repo) => join(repo.folder, '.git/ledger-git/estimates')

test('learns the ratio from ended sessions, at least three, and keeps no task texts', async () => {
  const repo = ledgerRepo()
  for (const [i, share] of [0.5, 2, 1].entries()) {
    const at = await contextAt(repo, minutes(2))
    const path = transcript(repo, `s${i}`, [0, 0, 0, 4000 * share, 6000 * share])
    const state = await sessionHere(at, `s${i}`, { transcript: { path, offset: 0 } })
    keepEstimate(at, state.id, 'a secret task', 10_000)
    keepEstimate(at, state.id, 'a secret task', 99_000) // the same task again: the first estimate counts
    const later = await contextAt(repo, minutes(60))
    expect(learntRates(later)).toMatchObject({ ratio: 1.5, compared: i })
    await keepState(at, { ...state, phase: 'ended' })
    expect(learntRates(later).compared).toBe(i + 1)
  }
  expect(learntRates(await contextAt(repo, minutes(60)))).toMatchObject({ ratio: 1, compared: 3 })
  const texts = readdirSync(folder(repo)).map((name) =>
    readFileSync(join(folder(repo), name), 'utf8'),
  )
  expect(texts.join('')).not.toContain('secret task')
})

test('compares a task up to the point where the session starts its next task', async () => {
  const repo = ledgerRepo()
  const first = await contextAt(repo, minutes(1.5))
  const path = transcript(repo, 's', [0, 0, 3000, 2000, 9000])
  await sessionHere(first, 's', { transcript: { path, offset: 0 } })
  keepEstimate(first, 's', 'one', 10_000)
  keepEstimate(await contextAt(repo, minutes(3.5)), 's', 'two', 10_000)
  expect(learntRates(await contextAt(repo, minutes(60))).compared).toBe(1)
  const kept = readdirSync(folder(repo)).map(
    (name) => JSON.parse(readFileSync(join(folder(repo), name), 'utf8')) as { actual?: number },
  )
  expect(kept.map(({ actual }) => actual)).toContain(5000)
})

test('learns characters per token from transcripts, and keeps the value for a day', async () => {
  const repo = ledgerRepo()
  const now = await contextAt(repo, minutes(60))
  expect(learntRates(now)).toMatchObject({ charactersPerToken: 2.7, calibration: undefined })
  const path = transcript(
    repo,
    's',
    Array.from({ length: 30 }, () => 1000),
  )
  await sessionHere(now, 's', { transcript: { path, offset: 0 } })
  expect(learntRates(now).charactersPerToken).toBe(2.5)
  writeFileSync(path, '')
  expect(learntRates(now).charactersPerToken).toBe(2.5)
  expect(learntRates(await contextAt(repo, minutes(60 * 26))).charactersPerToken).toBe(2.7)
})

test('ignores damaged estimates and removes old ones', async () => {
  const repo = ledgerRepo()
  const now = await contextAt(repo, minutes(0))
  await sessionHere(now, 's')
  keepEstimate(now, 's', 'one', 10_000)
  writeFileSync(join(folder(repo), 'torn.json'), '{"version": 1, "sess')
  expect(learntRates(now).compared).toBe(0)
  learntRates(await contextAt(repo, minutes(60 * 24 * 200)))
  expect(readdirSync(folder(repo))).toEqual(['torn.json'])
})
