import { describe, expect, test } from 'vitest'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import { ledgerToJson } from '../../../src/core/ledger/ledger-json.ts'
import { event, instant } from '../../support/arbitraries.ts'

const ts = instant('2026-01-10T00:00:00Z')
const who = { ts: '2026-01-10T00:00:00Z', agent: 'toast', branch: 'main' }

describe('ledgerToJson', () => {
  test('has the documented shape', () => {
    const ledger = foldLedger(
      [
        event({
          branch: 'main',
          goal: 'g',
          now: 'n\n<!-- x',
          thisSession: ['- [x] did'],
          next: ['later'],
          decisions: [
            { key: 'k', value: 1.1, text: '1.10' },
            { key: 'no', value: false, text: 'false' },
            { key: 'gone', value: null, text: '' },
          ],
          checkpoints: [{ phase: '5', status: 'validated', updated: undefined }],
          openQuestions: ['why?'],
        }),
      ],
      [{ code: 'bad-ts', file: 'x.md', line: 2, section: undefined }],
    )
    expect(ledgerToJson(ledger, 'tree')).toEqual({
      format: 1,
      title: null,
      goal: { value: 'g', ...who },
      test: null,
      now: { value: 'n\n<!-- x', ...who },
      this_session: [{ text: 'did', ...who }],
      next: [{ text: 'later', ...who, stream: null, resting: false }],
      decisions: { k: { value: 1.1, ...who }, no: { value: false, ...who } },
      checkpoints: [
        { phase: '5', status: 'validated', updated: '2026-01-10T00:00:00Z', agent: 'toast' },
      ],
      open_questions: [{ text: 'why?', ts: who.ts, agent: 'toast' }],
      agents: [{ ...who, stream: null, now: 'n\n<!-- x', resting: false }],
      meta: {
        event_count: 1,
        latest_ts: '2026-01-10T00:00:00Z',
        events_tree: 'tree',
        skipped: [{ file: 'x.md', problem: 'line 2: ts is not an ISO 8601 time' }],
      },
    })
  })

  test('represents an empty ledger', () => {
    const json = ledgerToJson(foldLedger([]), 'tree')
    expect(json).toMatchObject({ goal: null, now: null, this_session: [], decisions: {} })
    expect(json.meta).toEqual({
      event_count: 0,
      latest_ts: null,
      events_tree: 'tree',
      skipped: [],
    })
  })

  test('treats special JavaScript property names as ordinary keys', () => {
    const keys = ['__proto__', 'constructor', 'toString']
    const decisions = keys.map((key) => ({ key, value: 'v', text: 'v' }))
    const json = ledgerToJson(foldLedger([event({ ts, decisions })]), 'tree')
    expect(Object.keys(JSON.parse(JSON.stringify(json)).decisions)).toEqual(keys)
    expect(({} as { value?: unknown }).value).toBeUndefined()
  })

  test('contains all items in full, although the file shows the newest 100', () => {
    const thisSession = Array.from({ length: 1000 }, (_, i) => `item ${i}`)
    expect(ledgerToJson(foldLedger([event({ thisSession })]), 't').this_session).toHaveLength(1000)
    const now = 'x'.repeat(5000)
    expect(ledgerToJson(foldLedger([event({ now })]), 't').now?.value).toBe(now)
  })
})
