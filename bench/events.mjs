/**
 * Events as `ledger-git event add` writes them, made without starting a process for each.
 *
 * The texts come from a fixed sequence, so they are the same in every run and on every machine. The writer of
 * the source gives them their form; `verifyAgainst` checks that the measured command writes the same.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const AGENTS = 20
const BRANCHES = 50
const AGENTS_PER_BRANCH = 3
const DECISIONS = 200
const START = Date.UTC(2025, 0, 1)

const VERBS = 'add fix review measure move remove rename simplify test trace verify write'.split(
  ' ',
)
const THINGS = (
  'the parser|the merge of two ledgers|error messages of the installer|the cache of parsed events|' +
  'retries of the upload queue|the migration of accounts|the login form|rate limits of the API|' +
  'the nightly build|the index of search results|timeouts in the worker|the public documentation'
).split('|')
const REASONS = (
  'since two callers rely on it|after the report from support|as agreed in the review|' +
  'because the old one was quadratic|before the release branch is cut|so that CI stays under a minute'
).split('|')

export class Events {
  #writer
  /** `writer`: the exports of the product's `core/event/{write-event,instant}.ts`. */
  constructor(writer) {
    this.#writer = writer
  }

  /** Name and text of `count` events of the sequence, starting at `from`. */
  range(from, count) {
    return Array.from({ length: count }, (_, i) => this.#write(fieldsOf(from + i)))
  }

  /** The same, but at random instants among those of the first `size` events. */
  among(size, from, count) {
    return Array.from({ length: count }, (_, i) => {
      const random = sequence(from + i + 1_000_003)
      const instant = START + random(size) * 60_000 + random(60_000)
      return this.#write({ ...fieldsOf(from + i), ts: new Date(instant).toISOString() })
    })
  }

  #write(fields) {
    const { renderEvent, eventFileName, parseInstant } = this.#writer
    const text = renderEvent(fields)
    const { ts, agent } = fields
    return { name: eventFileName(parseInstant(ts).instant, agent, text), text }
  }

  /** Throws if `event add` writes other bytes, or uses another name. */
  verifyAgainst(sandbox, folder) {
    const fields = { ...fieldsOf(12_345), commit: sandbox.git(folder, 'rev-parse', 'HEAD') }
    const path = sandbox.ledger(folder, 'event', 'add', ...optionsOf(fields))
    const { name, text } = this.#write(fields)
    if (!path.endsWith(`/${name}`) || readFileSync(join(folder, path), 'utf8') !== text)
      throw new Error(
        `${sandbox.cli} does not write the events of this source: ${path}, not ${name}`,
      )
    sandbox.ledger(folder, 'event', 'validate')
    // Merely deleted, it would count as lost.
    sandbox.ledger(folder, 'event', 'drop', name)
  }
}

/** One sentence of each of the first events, for tools that take only a text. */
export function sentences(count) {
  return Array.from({ length: count }, (_, i) => fieldsOf(i).now)
}

function optionsOf({ ts, agent, branch, now, thisSession, next, decisions }) {
  return [
    `--ts=${ts}`,
    `--agent=${agent}`,
    `--branch=${branch}`,
    `--now=${now}`,
    ...thisSession.flatMap((item) => ['--done', item]),
    ...next.flatMap((item) => ['--next', item]),
    ...decisions.flatMap(({ key, value }) => ['--decision', `${key}=${value}`]),
  ]
}

function fieldsOf(i) {
  const random = sequence(i + 1)
  const branch = random(BRANCHES)
  const agent = (branch * 7 + random(AGENTS_PER_BRANCH)) % AGENTS
  const sentence = () =>
    `${VERBS[random(VERBS.length)]} ${THINGS[random(THINGS.length)]} ` +
    `(#${random(9000) + 1000}) ${REASONS[random(REASONS.length)]}`
  return {
    ts: new Date(START + i * 60_000 + random(60_000)).toISOString(),
    agent: `agent-${agent}`,
    branch: `feature/topic-${branch}`,
    type: 'note',
    commit: createHash('sha1').update(`commit ${i}`).digest('hex'),
    now: sentence(),
    thisSession: Array.from({ length: 2 + random(2) }, sentence),
    next: [sentence()],
    decisions: [{ key: `topic-${random(DECISIONS)}`, value: sentence() }],
  }
}

/** A fixed sequence of pseudo-random numbers; the returned function gives one below `limit` (mulberry32). */
function sequence(seed) {
  let state = Math.imul(seed, 0x9e3779b1)
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
