import { describe, expect, test } from 'vitest'
import { parseEvent } from '../../../src/core/event/parse-event.ts'

const HEAD = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n'
const parse = (body: string) => parseEvent({ file: 'e.md', id: 'id', text: HEAD + body })
const salvaged = (body: string) => {
  const { event, problems, warnings } = parse(body)
  expect(warnings.map(({ code }) => code)).toContain('salvaged')
  return { event, lost: problems.map(({ code, section }) => [code, section]) }
}

describe('one bad line loses nothing else', () => {
  test('keeps a text with an unquoted colon', () => {
    const { event, lost } = salvaged('goal: Ship: now\nnow: fine\ntest: a: "b" c\n')
    expect(event).toMatchObject({ goal: 'Ship: now', now: 'fine', test: 'a: "b" c' })
    expect(lost).toEqual([])
  })

  test('keeps items that start with a quoted word or contain a colon', () => {
    const { event, lost } = salvaged(
      'this_session:\n- "Quoted" word first\n- \'Single\': and more: yes\n- plain\nnext:\n- n\n',
    )
    expect(event?.thisSession).toEqual(['"Quoted" word first', "'Single': and more: yes", 'plain'])
    expect(event?.next).toEqual(['n'])
    expect(lost).toEqual([])
  })

  test('reports a broken flow list, and reads its neighbours', () => {
    const { event, lost } = salvaged('now: x\nthis_session: [a, b\nnext: [c]\n')
    expect(event).toMatchObject({ now: 'x', thisSession: [], next: ['c'] })
    expect(lost).toEqual([['section-unreadable', 'this_session']])
  })

  test('reports no loss for a comment', () => {
    const { event, lost } = salvaged('decisions:\n  db: pg: 16\n# later: more\n  os: any\n')
    expect(event?.decisions.map(({ key }) => key)).toEqual(['db', 'os'])
    expect(lost).toEqual([])
  })

  test('accepts tabs for indentation', () => {
    const { event } = salvaged('now: x\nthis_session:\n\t- a\n\t- b\nbad: : :\n')
    expect(event).toMatchObject({ now: 'x', thisSession: ['a', 'b'] })
  })

  test('keeps done items, which YAML takes for nested lists', () => {
    const { event, lost } = salvaged('this_session:\n- [x] did it\n- [ ] not yet\nnow: n\n')
    expect(event?.thisSession).toEqual(['[x] did it', '[ ] not yet'])
    expect(event?.now).toBe('n')
    expect(lost).toEqual([])
  })

  test('reads decisions pair by pair', () => {
    const { event, lost } = salvaged(
      'decisions:\n  a: "b" c\n  "k: 1": v\n  x y: p: q\n  no pair here\n  gone: null\nnow: n\n',
    )
    expect(event?.decisions.map(({ key, value }) => [key, value])).toEqual([
      ['a', '"b" c'],
      ['k: 1', 'v'],
      ['x y', 'p: q'],
      ['gone', null],
    ])
    expect(lost).toEqual([['section-unreadable', 'decisions']])
    expect(event?.now).toBe('n')
  })

  test('keeps an item over several lines and nested items', () => {
    const { event } = salvaged('this_session:\n- "a" b\n  goes on\n  - inner\n- c\n')
    expect(event?.thisSession).toEqual(['"a" b goes on - inner', 'c'])
  })

  test('keeps the fields of checkpoints next to a bad section', () => {
    const { event } = salvaged('now: a: b\ncheckpoints:\n- phase: 5\n  status: failed\n')
    expect(event?.checkpoints).toMatchObject([{ phase: '5', status: 'failed' }])
  })

  test('treats text before the first key and after a heading as free text', () => {
    const { event } = salvaged('I did: a lot: today\nnow: x\n\n## Notes\n- "a" b\nnext:\n- n\n')
    expect(event).toMatchObject({ now: 'x', next: ['n'], thisSession: [] })
  })

  test('ignores unknown sections that are broken', () => {
    const { event, lost } = salvaged('files: [a, b\nnow: x\nblockers: {a\n')
    expect([event?.now, lost]).toEqual(['x', []])
  })

  test('reads block scalars', () => {
    const { event } = salvaged('now: |\n  one\n  two\ngoal: a: b\n')
    expect([event?.now, event?.goal]).toEqual(['one\ntwo', 'a: b'])
  })

  test('treats special JavaScript property names as ordinary keys', () => {
    const { event } = salvaged('now: a: b\ndecisions:\n  __proto__: x\n  constructor: "y" z\n')
    expect(event?.decisions.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('tolerant, never silent', () => {
  // If a comment ended the section, the rest would be dropped silently.
  test('a comment between items does not end the list', () => {
    const { event, lost } = salvaged('this_session:\n- "a" b\n# and\n- second\nnow: n\n')
    expect([event?.thisSession, lost]).toEqual([['"a" b', 'second'], []])
  })

  // In the pattern of an item, `.` does not match a Unicode line separator.
  test('a line separator inside an item does not join it to the previous one', () => {
    const { event } = salvaged('this_session:\n- "a" b\n- "say\u2028x" : y\n')
    expect(event?.thisSession).toHaveLength(2)
  })

  // Text that is not indented cannot belong to the scalar above it.
  test('free text after a field is not part of the field', () => {
    expect(parse('now: x\n\nSome free text here.\n').event?.now).toBe('x')
  })
})
