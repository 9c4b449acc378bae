/** Files as ledger-git writes them, full of what formatters look for. */

import * as fc from 'fast-check'
import { changeLedger } from '../../src/core/active-ledger/change-ledger.ts'
import { newLedger } from '../../src/core/active-ledger/template.ts'
import { renderContextHandoff } from '../../src/core/context/handoff-document.ts'
import { START_RATES } from '../../src/core/estimate/work.ts'
import { readPlan } from '../../src/core/plan/read-plan.ts'
import { shardPlan } from '../../src/core/plan/shard.ts'
import { EMPTY } from '../core/context/empty-handoff.ts'
import { SPEC_KIT } from '../core/plan/plans.ts'
import { readCanonicalEvent } from '../../src/core/event/canonical-event.ts'
import { archivePath, renderArchived } from '../../src/core/event/archive-file.ts'
import { canonicalBody } from '../../src/core/event/canonical-body.ts'
import type { LedgerEvent, NewEvent } from '../../src/core/event/event.ts'
import { foldLedger } from '../../src/core/ledger/join.ts'
import { parseEvent } from '../../src/core/event/parse-event.ts'
import { renderLedger } from '../../src/core/ledger/render.ts'
import { newSnapshot } from '../../src/core/event/snapshot.ts'
import { eventFileName, renderEvent } from '../../src/core/event/write-event.ts'
import { HOSTILE_TEXTS, instant } from '../support/arbitraries.ts'

/* oxlint-disable unicorn/no-useless-spread -- the spreads keep lists of words in rows */
const WORDS = fc.constantFrom(
  ...['fix it', "it's", 'say "x"', '# one', '*bold*', '_under_', '**', '`code`', '```', '``````'],
  ...[
    '🎉 done',
    '日本語のテキスト',
    'Ünïcode',
    ' edge ',
    '\ttab\t',
    'a  b',
    '---',
    '***',
    '- [x] a',
  ],
  ...['* item', '1) one', '<b>x</b>', '<!-- c -->', '| a | b |', '|---|---|', '[a](b)', '![a](b)'],
  ...['https://example.invalid/a_b?c=d&e', '1.10', '007', '1e3', 'null', 'yes', '12:30', '-', '+'],
  ...['2026-01-10', 'src/a_b/c.ts', 'C:\\path', '$ npm test -- --run', '> quote', 'a: b', 'end:'],
  ...[
    'x #y',
    '&a',
    '*a',
    '!a',
    '%a',
    '@a',
    '{a}',
    '[a]',
    '~',
    '\\',
    'two\nlines',
    '\u2028',
    '\u0085',
  ],
  ...['&amp;', ':::note', '+++', '===', '[^1]: x', '{{ x }}', '$$x$$', 'a\\', 'e\u0301', '\u200b'],
)
/* oxlint-enable unicorn/no-useless-spread */
const anyText = fc.oneof(
  { weight: 3, arbitrary: WORDS },
  { weight: 4, arbitrary: fc.array(WORDS, { minLength: 2, maxLength: 5 }).map((w) => w.join(' ')) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  {
    weight: 1,
    arbitrary: fc.array(WORDS, { minLength: 30, maxLength: 60 }).map((w) => w.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
)
const anyTexts = fc.array(anyText, { maxLength: 3 })
const anyCommit = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 8,
  maxLength: 8,
})
const anyStamp = fc.constantFrom(
  '2026-01-10T13:03:52Z',
  '2026-01-10T13:03:52.417Z',
  '2026-01-11T00:00:00.000Z',
)

const anyEvent: fc.Arbitrary<NewEvent> = fc.record(
  {
    ts: anyStamp,
    agent: fc
      .oneof(fc.constantFrom('toast', 'Jane Doe', '1234', 'a/polecats/b'), anyText)
      .filter((text) => text.trim() !== ''),
    branch: fc.oneof(fc.constantFrom('main', 'feat/x_y', 'fix/#12', '(detached)'), anyText),
    type: fc.constantFrom('note', 'handoff', 'session_end'),
    reason: anyText,
    session: fc.oneof(fc.uuid(), anyText),
    commit: fc.oneof(anyCommit, fc.constantFrom('12345678', '1234567890'.repeat(4))),
    stream: anyText,
    title: anyText,
    goal: anyText,
    test: anyText,
    now: anyText,
    thisSession: anyTexts,
    next: anyTexts,
    decisions: fc.uniqueArray(
      fc.record({
        key: anyText.filter((text) => text.trim().length < 300 && text.trim() !== ''),
        value: fc.option(anyText),
      }),
      { maxLength: 3, selector: ({ key }) => key.trim() },
    ),
    checkpoints: fc.array(
      fc.record({
        phase: fc.constantFrom('5', '1.10', 'a: b'),
        status: anyText,
        updated: anyStamp,
      }),
      { maxLength: 2 },
    ),
    openQuestions: anyTexts,
    resolvedQuestions: anyTexts,
    retracts: fc.constantFrom([], ['2026-01-09T08-00-00Z_crisp_00c0ffee.md']),
  },
  // As every command writes them.
  { requiredKeys: ['ts', 'agent', 'branch', 'type'] },
)

/** What a session leaves for the next one and its active ledger, with such texts in them; shards of a plan. */
export function makeDocuments(count: number, seed: number): Map<string, string> {
  const files = new Map<string, string>()
  const said = fc.record({ text: anyText, texts: anyTexts })
  for (const [i, { text, texts }] of fc.sample(said, { numRuns: count, seed }).entries()) {
    const decisions = [{ key: `k ${text}`, value: text }]
    const path = 'pkg/__init__.py'
    const listed = { done: texts, next: texts, questions: texts, decisions }
    const about = { task: text, now: text, findings: texts, files: [{ path, lines: undefined }] }
    const handoff = { ...EMPTY, ...listed, ...about, status: [{ code: ' M', path }] }
    files.set(`handoffs/${i}.md`, renderContextHandoff(handoff))
    const own = { session: 'a-1', platform: 'claude', branch: 'main' }
    const empty = newLedger({ ...own, updated: '2026-01-10T13:03:52Z' })
    const gate = { name: 'tests', status: 'passed', notes: text }
    const change = { ...listed, goal: text, now: text, modified: [path], gate, time: '10:45' }
    files.set(`active/${i}.md`, changeLedger(empty, { ...change, checkpoints: texts }))
  }
  const plan = `${SPEC_KIT}\n* [ ] T009 rename __init__ and *all*\n- [ ] T010 the rest\n      more of it`
  const request = {
    limit: 16_000,
    into: 3,
    parent: 'plan.md',
    sizes: new Map(),
    rates: START_RATES,
  }
  const read = readPlan(plan)
  const shards = read === undefined ? [] : shardPlan(read, plan, request)
  for (const [i, { text }] of shards.entries()) files.set(`shards/${i}.md`, text)
  return files
}

/** A body as somebody writes it, with what only unknown keys have: depth, numbers, empty lists. */
const BODY = `now: "x"
mood: {deep: [[1, {a: [], b: {}}], two], 'odd key': "\\t"}
text: |
  # heading
  \`\`\`js
  x
  \`\`\`
times: [2026-01-10T00:00:00Z, 2026-01-10, 1.10, ~, true]
`

export interface Material {
  readonly files: ReadonlyMap<string, string>
  readonly events: ReadonlyMap<string, LedgerEvent>
}

/** Events, snapshots, archived events and renderings by path. */
export function makeFiles(count: number, seed: number): Material {
  const files = new Map<string, string>()
  const events = new Map<string, LedgerEvent>()
  const add = (event: NewEvent): LedgerEvent => {
    const text = renderEvent(event)
    const file = eventFileName(instant(event.ts), event.agent, text)
    const read = parseEvent({ file, id: 'a'.repeat(40), text }).event
    if (read === undefined) throw new Error(`unreadable: ${text}`)
    files.set(`events/${file}`, text)
    events.set(`events/${file}`, read)
    return read
  }
  const given = fc.sample(anyEvent, { numRuns: count, seed })
  given.push({
    ts: '2026-01-10T00:00:00Z',
    agent: 'a',
    branch: 'main',
    body: canonicalBody(BODY)?.body,
  })
  given.push({ ts: '2026-01-10T00:00:00Z', agent: 'nobody' })
  const read = given.map(add)
  for (const { file, ts } of read) {
    const bytes = Buffer.from(files.get(`events/${file}`) ?? '')
    files.set(`archive/${archivePath(file, ts)}`, renderArchived({ file, bytes }))
  }
  const notText = Buffer.from([0xff, 0xfe, 0x0a])
  files.set('archive/2026-01-10/x.json', renderArchived({ file: 'x.md', bytes: notText }))
  for (let at = 0; at < read.length; at += 4) {
    const some = read.slice(at, at + 4)
    const unique = some.map((event, i) => ({ ...event, id: String(i).repeat(40) }))
    const snapshot = newSnapshot(unique)
    if (snapshot !== undefined) {
      const event = add(snapshot)
      const text = files.get(`events/${event.file}`) ?? ''
      if (readCanonicalEvent({ file: '', id: '', text }) === undefined) throw new Error(text)
    }
    files.set(`${at}/current.md`, renderLedger(foldLedger(unique), 'a'.repeat(40)))
  }
  return { files, events }
}
