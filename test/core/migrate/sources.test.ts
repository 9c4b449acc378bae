/** What the path and the bytes alone decide: kind, time, session, and what is refused. */

import { describe, expect, test } from 'vitest'
import { readNote } from '../../../src/core/event/event-note.ts'
import { formatInstant } from '../../../src/core/event/instant.ts'
import { isCandidate, isInEvents, sessionInPath } from '../../../src/core/migrate/candidates.ts'
import { groupByFolder } from '../../../src/core/migrate/ledger-like.ts'
import { movedEvent } from '../../../src/core/migrate/migrated-event.ts'
import { isOlderEvent, originOf, readSource } from '../../../src/core/migrate/read-source.ts'
import { readSourceText } from '../../../src/core/migrate/source-text.ts'
import { readLedgerMarkdown } from '../../../src/core/migrate/ledger-markdown.ts'
import { sourceTime } from '../../../src/core/migrate/metadata.ts'
import { markdown } from './migrated.ts'

const ROOT = 'thoughts/shared/handoffs'

test.each([
  ['empty', '', 'empty'],
  ['blank', ' \n\n', 'empty'],
  ['binary', 'a\0b', 'binary'],
  ['UTF-16', Buffer.from('\ufeffgoal: a', 'utf16le'), 'not-utf8'],
  ['UTF-16 in the other byte order', Buffer.from('\ufeffgoal: a', 'utf16le').swap16(), 'not-utf8'],
  ['Latin-1', Buffer.from('caf\u00e9', 'latin1'), 'not-utf8'],
])('refuses %s bytes', (_, bytes, problem) => {
  expect(readSourceText(Buffer.from(bytes))).toEqual({ problem })
})

test('reads CRLF, a BOM and a missing final line break as plain text', () => {
  expect(readSourceText(Buffer.from('\ufeffa\r\nb'))).toEqual({ text: 'a\nb' })
})

describe('kinds', () => {
  const kind = (path: string, text: string) => readSource(path, text, false).kind

  test.each([
    ['a.md', '## Next\n- [ ] a', 'markdown'],
    ['a.md', '# Handoff: x\nprose', 'markdown'],
    ['thoughts/ledgers/CONTINUITY_a.md', 'prose', 'markdown'],
    ['README.md', '# Our tool\n\nprose', 'none'],
    ['a.json', '{"goal": "- [ ] a"}', 'none'],
    ['a.yaml', 'goal: a', 'yaml'],
    ['a.yml', 'version: 3', 'none'],
    ['a.txt', 'goal: a\nnow: b', 'yaml'],
    ['a.md', '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n', 'event'],
    ['a.md', '---\ntimestamp: 2026-01-01\nevent_type: x\nsession_id: a\n---\n', 'event'],
    ['a.md', '---\ndate: 2026-01-01\nsession_id: a\n---\n## Now\na', 'markdown'],
    ['a.md', '# Work Stream: x\n_synthesized:\n', 'none'],
  ])('%s: %j is of kind %s', (path, text, expected) => {
    expect(kind(path, text)).toBe(expected)
  })
})

test.each([
  [`${ROOT}/current.md`, true],
  ['thoughts/ledgers/CONTINUITY_CLAUDE-x.md', true],
  ['CONTINUITY.md', true],
  ['.claude/handoffs/2026-07-30-1140-3ed.md', true],
  [`${ROOT}/general/2026-01-01_a.yaml`, true],
  [`${ROOT}/parser/current.md`, true],
  [`${ROOT}/parser/events/a.md`, true],
  [`${ROOT}/parser/task-01.md`, false],
  [`${ROOT}/events/a.md`, false],
  [`${ROOT}/events/a.yaml`, false],
  [`${ROOT}/archive/2026-01-01/a.yaml`, false],
  ['docs/x.yaml', false],
])('%s is a candidate: %s', (path, expected) => {
  expect(isCandidate(path, ROOT)).toBe(expected)
  expect(isInEvents(path, ROOT)).toBe(path.startsWith(`${ROOT}/events/`))
})

test.each([
  [`${ROOT}/parser/current.md`, 'parser'],
  [`${ROOT}/general/a.yaml`, 'general'],
  ['thoughts/ledgers/CONTINUITY_CLAUDE-beat.md', 'beat'],
  ['thoughts/ledgers/CONTINUITY_beat.md', 'beat'],
  [`${ROOT}/current.md`, undefined],
  ['CONTINUITY.md', undefined],
])('the work stream of %s is %s', (path, session) => {
  expect(sessionInPath(path, ROOT)).toBe(session)
})

test('a folder groups everything below it', () => {
  const paths = ['a/b/1.md', 'a/b/c/2.md', 'a/b/c/3.md', 'd/4.md', 'd e/5.md', 'd e/6.md', '7.md']
  expect(groupByFolder(paths).map(({ path, files }) => [path, files.length])).toEqual([
    ['a/b', 3],
    ['d e', 2],
    ['7.md', 1],
    ['d/4.md', 1],
  ])
})

describe('time', () => {
  const time = (times: string[], path: string) => {
    const found = sourceTime(
      times.map((text) => ({ texts: [text], lines: [] })),
      path,
    )
    return found && formatInstant(found)
  }

  test.each([
    [['2026-01-10T13:00:00+10:00', '2026-01-09'], 'a.md', '2026-01-10T03:00:00Z'],
    [['2026-05-29'], '2026-05-29_10-12_x.yaml', '2026-05-29T10:12:00Z'],
    [['2026-05-30'], '2026-05-29_10-12_x.yaml', '2026-05-30T00:00:00Z'],
    [['2025-12-31T22:50:00+07:00'], '2025-12-31_22-50-00-000_x.md', '2025-12-31T15:50:00Z'],
    [[], '2026-07-30-1140-3ed43391.md', '2026-07-30T11:40:00Z'],
    [[], '2025-12-28T13-49-stale.md', '2025-12-28T13:49:00Z'],
    [[], '2026-02-22_video.yaml', '2026-02-22T00:00:00Z'],
    [[], '20260106-100641-topic.md', '2026-01-06T10:06:41Z'],
    [[], '20260106-1006.md', '2026-01-06T10:06:00Z'],
    [[], 'build-20260106.md', undefined],
    [[], '2026-99-99.md', undefined],
    [[], 'current.md', undefined],
  ])('%j in %s: %s', (times, path, expected) => {
    expect(time(times, path)).toBe(expected)
  })
})

test.each([
  ['> Last updated: 2026-01-03 by Ada', '2026-01-03'],
  ['_Last updated: 2026-01-03_', '2026-01-03'],
  ['> 2026-08-07 · the parser reads all', '2026-08-07'],
  ['> quoted on 2026-08-07', undefined],
  ['## Now (2026-07-14, evening)\n- a', '2026-07-14'],
  ['## This Session — 2026-07-14\n- [x] a', '2026-07-14'],
  ['## Next (by 2027-01-01)\n- a', undefined],
  ['## Now\nver 1.2026-07-14', undefined],
  ['**Updated:** 2026-01-03\n\n## Now (2026-07-14)\na', '2026-07-14'],
  ['> Last updated: 2026-01-03\n\n## Ledger\n### Now\n[->] a', '2026-01-03'],
  ['# Work\n\n## Log\n> 2026-01-03 · no\n\n## Ledger\n### Now\n[->] a', undefined],
])('%j has the date %s', (text, day) => {
  const { times } = readLedgerMarkdown(text, false).draft
  expect(sourceTime(times, 'a.md')?.slice(0, 10)).toBe(day)
})

test('reads the note of an event, and the file it came from', () => {
  const source = '## Now\nparse\n\n## Notes\n"quoted": \u0007 yes\n```\n## Next\n```\n\nnote: "no"'
  const { text, note } = markdown(source)
  expect(readNote(text)).toEqual({ text: note, source: 'notes/old.md' })
  expect(note).toContain('## Next')
  expect(readNote(markdown('## Next\n- [ ] a').text)).toBeUndefined()
  const byHand = '---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\nnow: x\nnote: |\n  one\n  two\n'
  expect(readNote(byHand)).toEqual({ text: 'one\ntwo\n', source: undefined })
  expect(readNote('note: in no event')).toBeUndefined()
})

test('an event names the source and its version', () => {
  const { text } = markdown('## Next\n- [ ] a\nsource: "forged"')
  expect(originOf(text)).toEqual({ path: 'notes/old.md', hash: expect.stringMatching(/^\w{16}$/) })
  expect(originOf(markdown('## Next\n- [ ] b').text)?.hash).not.toBe(originOf(text)?.hash)
})

test('moves an event of another folder unchanged, and refuses an unreadable one', () => {
  const text = '---\nts: 2026-01-11T20:19:19.704Z\nagent: a\nstream: s\n---\n\n## Session End\n'
  expect(movedEvent(text)).toMatchObject({ text })
  expect(movedEvent('---\nts: never\nagent: a\n---\n')).toEqual({ problem: 'unreadable-event' })
  expect(isOlderEvent(text)).toBe(true)
  expect(isOlderEvent(text.replace('stream', 'branch'))).toBe(false)
})
