import { describe, expect, test } from 'vitest'
import { decodeEventText } from '../../../src/core/event/event-bytes.ts'
import { formatInstant } from '../../../src/core/event/instant.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'

const HEAD = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n'
const parse = (text: string) =>
  parseEvent({ file: 'e.md', id: 'id', text: decodeEventText(Buffer.from(text)) })
const read = (text: string) => {
  const { event, problems } = parse(text)
  expect(problems).toEqual([])
  if (event === undefined) throw new Error('no event')
  return event
}
const codes = (text: string) => parse(text).problems.map(({ code }) => code)

describe('front matter as found in the wild', () => {
  test('reads the event that hooks write', () => {
    const text =
      '---\nts: 2026-01-11T23:40:31.446Z\nagent: 0379d65b\nbranch: feat/x\n' +
      'type: session_end\nreason: clear\n---\n\n## Session End\nUpdated: 2026-01-11T23:40:31.446Z\n'
    const event = read(text)
    expect(event).toMatchObject({ agent: '0379d65b', branch: 'feat/x', reason: 'clear' })
    expect(event).toMatchObject({ type: 'session_end', now: undefined, thisSession: [] })
    expect(formatInstant(event.ts)).toBe('2026-01-11T23:40:31.446Z')
  })

  test.each([
    ['2026-01-10T13:03:52.417Z', '2026-01-10T13:03:52.417Z'],
    ['"2026-01-10T13:03:52Z"', '2026-01-10T13:03:52Z'],
    ['2026-01-10T13:03:52+10:00', '2026-01-10T03:03:52Z'],
    ['2026-01-10 13:03:52 -05:00', '2026-01-10T18:03:52Z'],
    ['2026-01-10', '2026-01-10T00:00:00Z'],
  ])('ts: %s', (ts, expected) => {
    expect(formatInstant(read(`---\nts: ${ts}\nagent: a\n---\n`).ts)).toBe(expected)
  })

  test('reads a time without offset as UTC, with a warning', () => {
    const parsed = parse('---\nagent: a\nts: 2026-01-10T13:03:52\n---\n')
    expect(parsed.event?.ts).toBe(read(HEAD).ts)
    expect(parsed.warnings).toMatchObject([{ code: 'ts-without-offset', line: 3 }])
  })

  test('keeps the spelling of agents that YAML takes for numbers', () => {
    for (const agent of ['0123', '1.10', '1e3', '0x1F', 'true', '12345678901234567890']) {
      expect(read(`---\nts: 2026-01-10\nagent: ${agent}\n---\n`).agent).toBe(agent)
    }
  })

  test('reads older field names, and prefers the current name in any order', () => {
    const older = 'timestamp: 2026-01-10\nsession_id: s1\nstream: x\nevent_type: handoff\n'
    expect(read(`---\n${older}---\n`)).toMatchObject({
      agent: 's1',
      session: 's1',
      branch: undefined,
      stream: 'x',
      type: 'handoff',
    })
    const own = 'ts: 2026-01-11\nagent: a\nbranch: main\ntype: note\n'
    for (const text of [older + own, own + older]) {
      const event = read(`---\n${text}---\n`)
      expect(event).toMatchObject({ agent: 'a', branch: 'main', type: 'note' })
      expect(formatInstant(event.ts)).toBe('2026-01-11T00:00:00Z')
    }
  })

  test('reads the unified schema, with all fields in the front matter and a fence in a block scalar', () => {
    const event = read(`---
schema_version: 1.0.0
event_type: handoff
timestamp: 2026-01-11T10:05:00.000Z
session_id: 383a53c3
goal: Continuous-Claude-v3-d6v - Oracle review
now: "Reviewed hooks; committed: \`9f54e05\`"
outcome: SUCCEEDED
this_session:
  - task: Reviewed hooks (1058→162 lines)
    files: []
  - task: "Fixed 4 issues: all"
    files: [a.ts]
next: []
decisions:
  Repo is source of truth: Git tracking; sync to global
  Use os.tmpdir() not /tmp/: "macOS uses /var"
continuation_prompt: |-
  ---
  Continue

  now: not this
  ---
metadata:
  original_format: handoff
---
`)
    expect(event).toMatchObject({
      agent: '383a53c3',
      type: 'handoff',
      now: 'Reviewed hooks; committed: `9f54e05`',
      thisSession: ['Reviewed hooks (1058→162 lines)', 'Fixed 4 issues: all'],
      next: [],
    })
    expect(event.decisions.map(({ key }) => key)).toEqual([
      'Repo is source of truth',
      'Use os.tmpdir() not /tmp/',
    ])
  })

  test('reads CRLF, old Mac line endings, a BOM and a missing final newline', () => {
    const text = `${HEAD}\nnow: x\nnext:\n- a\n`
    for (const variant of [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\ufeff${text}`,
      text.trimEnd(),
    ]) {
      expect(read(variant)).toEqual(read(text))
    }
    expect(read(HEAD.trimEnd()).agent).toBe('toast')
  })

  test.each([
    ['---\nagent: a\n---\n', 'missing-ts'],
    ['---\nts:\nagent: a\n---\n', 'missing-ts'],
    ['---\nts: yesterday\nagent: a\n---\n', 'bad-ts'],
    ['---\nts: [2026-01-10, 2026-01-11]\nagent: a\n---\n', 'bad-ts'],
    ['---\nts: 2026-01-10\n---\n', 'missing-agent'],
    ['---\nts: 2026-01-10\nagent: "  "\n---\n', 'missing-agent'],
    ['---\n- ts\n---\n', 'front-matter-yaml'],
    ['---\na: b: c\n---\n', 'front-matter-yaml'],
    ['---\n---\n', 'front-matter-yaml'],
    ['# just Markdown\n', 'no-front-matter'],
  ])('skips and reports %j', (text, code) => {
    expect(parse(text).event).toBeUndefined()
    expect(codes(text)).toEqual([code])
  })
})

describe('the body', () => {
  test('reads free text, a heading or nothing as an empty body', () => {
    for (const body of ['', '\n\n', 'Just words.\n', '## Heading\n\nText\n', 'It works — mostly\n'])
      expect(read(HEAD + body)).toEqual(read(HEAD))
  })

  test('reports a list as a body', () => {
    expect(codes(`${HEAD}- a\n- b\n`)).toEqual(['body-not-a-map'])
  })

  test('cannot override time, author, branch and reason of the front matter', () => {
    const head = HEAD.replace('---\n', '---\nbranch: main\nreason: clear\n')
    const event = read(`${head}ts: 2030-01-01\nagent: mallory\nbranch: x\nreason: y\nnow: z\n`)
    expect([event.ts, event.agent, event.branch]).toEqual([read(HEAD).ts, 'toast', 'main'])
    expect([event.reason, event.now]).toEqual(['clear', 'z'])
  })

  test('supplies keys that the front matter leaves out', () => {
    const event = read('---\nts: 2026-01-10\n---\nagent: "007"\nbranch: a b\nsession: s\nnow: x\n')
    expect(event).toMatchObject({ agent: '007', branch: 'a b', session: 's', now: 'x' })
    expect(codes('---\nts: 2026-01-10\n---\nnow: [\n')).toEqual(['missing-agent'])
  })

  test('reads items that are scalars, tasks, and sentences that YAML takes for maps', () => {
    const event = read(`${HEAD}this_session:
- plain
- 1.10
- true
- null
- task: the task
  files: [a]
- Fixed: the parser
- "quoted: text"
- [a, b]
- >-
  folded
  text
next: one thing
`)
    expect(event.thisSession).toEqual([
      'plain',
      '1.10',
      'true',
      'the task',
      'Fixed: the parser',
      'quoted: text',
      '[a, b]',
      'folded text',
    ])
    expect(event.next).toEqual(['one thing'])
  })

  test('reads decisions from a map, a list of maps or a list of texts, with values as written', () => {
    const map = read(`${HEAD}decisions:
  version: 1.10
  yes?: true
  gone: null
  also: ~
  empty: ""
  deep: {a: [b]}
  "k: e y": 'v'
  12: twelve
`).decisions
    expect(map.map(({ key, value, text }) => [key, value, text])).toEqual([
      ['version', 1.1, '1.10'],
      ['yes?', true, 'true'],
      ['gone', null, ''],
      ['also', null, ''],
      ['empty', '', ''],
      ['deep', '{a: [b]}', '{a: [b]}'],
      ['k: e y', 'v', 'v'],
      ['12', 'twelve', 'twelve'],
    ])
    const list = read(`${HEAD}decisions:\n- a: 1\n- just this\n- b: 2\n  c: 3\n-\n`).decisions
    expect(list.map(({ key, text }) => `${key}=${text}`)).toEqual([
      'a=1',
      'just this=',
      'b=2',
      'c=3',
    ])
  })

  test('reads checkpoints with keys in any order or without a list, and reports others', () => {
    const text = `${HEAD}checkpoints:
- phase: 5
  status: validated
  updated: 2026-01-10T13:00:00Z
- status: failed
  phase: "1.10"
- updated: 2026-01-10
- words
`
    expect(parse(text).event?.checkpoints.map(({ phase, status }) => [phase, status])).toEqual([
      ['5', 'validated'],
      ['1.10', 'failed'],
    ])
    expect(codes(text)).toEqual(['checkpoint-unreadable', 'checkpoint-unreadable'])
    expect(read(`${HEAD}checkpoints: {phase: 1}\n`).checkpoints).toHaveLength(1)
  })

  test('reads retracts as file names, with or without a folder', () => {
    const event = read(`${HEAD}retracts:\n- a.md\n- thoughts/events/b.md\n`)
    expect(event.retracts).toEqual(['a.md', 'b.md'])
  })

  test('treats null as absent, but not an empty list', () => {
    expect(read(`${HEAD}now:\nnext:\nthis_session: ~\n`)).toEqual(read(HEAD))
    expect(read(`${HEAD}next: []\n`).next).toEqual([])
    expect(read(`${HEAD}next: ""\n`).next).toEqual([])
  })

  test('takes the last value of a repeated key, with a warning', () => {
    const parsed = parse(`${HEAD}now: a\nnow: b\n`)
    expect(parsed.event?.now).toBe('b')
    expect(parsed.warnings).toMatchObject([{ code: 'duplicate-key', section: 'now' }])
  })

  // The same off-by-one error as with `bodyLine` in front-matter.
  test('reports problems with the line of the file', () => {
    expect(parse(`${HEAD}\ncheckpoints:\n- words\n`).problems[0]?.line).toBe(7)
  })
})

describe('a body in a fence', () => {
  const fence = (body: string, ticks = '```', word = 'ledger') =>
    `${HEAD}\n${ticks}${word}\n${body}${ticks}\n`

  test.each([
    ['ours', fence('now: x\n')],
    ['yaml', fence('now: x\n', '```', 'yaml')],
    ['a second word', fence('now: x\n', '```', 'yaml ledger')],
    ['a blank before the word', fence('now: x\n', '```', ' ledger')],
    ['a longer fence', fence('now: x\n', '`````')],
    ['a longer closing fence', fence('now: x\n').replace(/```\n$/, '`````  \n')],
    ['no newline after it', fence('now: x\n').trimEnd()],
    ['blank lines around it', `${HEAD}\n\n \n\`\`\`ledger\nnow: x\n\`\`\`\n\n \n`],
    ['CRLF', fence('now: x\n').replaceAll('\n', '\r\n')],
    ['a BOM', `\ufeff${fence('now: x\n')}`],
    ['no empty line before it', fence('now: x\n').replace('---\n\n', '---\n')],
    ['an empty line after the first rule', fence('now: x\n').replace('---\n', '---\n\n')],
    ['a comment', fence('now: x\n# rename-guard: ab\n')],
    ['free text inside', fence('now: x\nfree: |\n  ```\n  text\n')],
  ])('is read: %s', (_, text) => {
    const parsed = parse(text)
    expect([parsed.problems, parsed.warnings]).toEqual([[], []])
    expect(parsed.event?.now).toBe('x')
  })

  test('reads an empty fence as an empty body', () => {
    expect(parse(fence(''))).toMatchObject({
      event: { now: undefined },
      problems: [],
      warnings: [],
    })
  })

  test.each([
    ['another word', fence('now: x\n', '```', 'json')],
    ['no word', fence('now: x\n', '```', '')],
    ['a word that only begins like ours', fence('now: x\n', '```', 'yamlish')],
    ['tildes', fence('now: x\n', '~~~')],
    ['indented', fence('now: x\n', '  ```')],
    ['never closed', fence('now: x\n').replace(/```\n$/, '')],
    ['closed by fewer', fence('now: x\n', '````').replace(/````\n$/, '```\n')],
    ['text after the fence', `${fence('now: x\n')}\nnext: y\n`],
    ['text before the fence', fence('now: x\n').replace('```ledger', 'goal: g\n```ledger')],
  ])('is read as text of a bare body: %s', (_, text) => {
    expect(parse(text).warnings).toMatchObject([{ code: 'salvaged' }])
  })

  test('reads a fence inside a bare body as text', () => {
    const event = read(`${HEAD}now: x\ngoal: |\n  \`\`\`yaml\n  now: y\n  \`\`\`\n`)
    expect([event.now, event.goal]).toEqual(['x', '```yaml\nnow: y\n```'])
  })

  test('reports problems with the line of the file', () => {
    const { problems } = parse(fence('now: x\nnext: [a\n'))
    expect(problems).toMatchObject([{ line: 8, section: 'next' }])
  })
})

describe('stream', () => {
  const of = (lines: string) => {
    const { branch, stream } = read(`---\nts: 2026-01-10\nagent: a\n---\n${lines}`)
    return [branch, stream]
  }

  test('is the branch if there is no other, except in a handoff', () => {
    expect(of('stream: s\n')).toEqual(['s', undefined])
    expect(of('stream: s\nbranch: b\n')).toEqual(['b', 's'])
    expect(of('stream: s\ntype: handoff\n')).toEqual([undefined, 's'])
    expect(of('stream: s\ntype: note\n')).toEqual(['s', undefined])
    expect(of('branch: b\n')).toEqual(['b', undefined])
  })
})
