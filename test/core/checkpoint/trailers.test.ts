import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import { checkpointIdFrom, isCheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { MessageRules } from '../../../src/core/checkpoint/trailers.ts'
import {
  addCheckpoint,
  addCheckpointToDraft,
  commentPrefix,
  dropLoneCheckpoint,
  isEmptyMessage,
  mentionedCheckpoints,
  readCheckpoints,
  removeCheckpoints,
} from '../../../src/core/checkpoint/trailers.ts'
import { anyMessage } from './messages.ts'
import { runs } from '../../support/long.ts'

const ID = '0123456789ab' as CheckpointId
const OTHER = 'ba9876543210' as CheckpointId
const LINE = `Ledger-Checkpoint: ${ID}`
const SCISSORS = '# ------------------------ >8 ------------------------'
const KEEPS = { comment: '#', dropsComments: false }

describe('readCheckpoints', () => {
  test.each([
    ['a trailer alone in the last block', `fix\n\n${LINE}\n`, [ID]],
    [
      'a trailer among others',
      `fix\n\nbody\n\nChange-Id: I1\n${LINE}\nCo-authored-by: A <a@b>\n`,
      [ID],
    ],
    ['a trailer above hints and a diff', `fix\n\n${LINE}\n\n# hint\n${SCISSORS}\ndiff\n`, [ID]],
    ['CRLF', `fix\r\n\r\n${LINE}\r\n`, [ID]],
    ['two trailers', `fix\n\n${LINE}\nLedger-Checkpoint: ${OTHER}\n${LINE}\n`, [ID, OTHER]],
    ['not a title', `${LINE}\n`, []],
    ['not a line in the body', `fix\n\n${LINE}\n\nbody\n`, []],
    ['not in a block before the last one', `fix\n\n${LINE}\n\nSigned-off-by: A <a@b>\n`, []],
    ['not in a paragraph with other text', `fix\n\nsome text\n${LINE}\n`, []],
    ['not below the scissors', `fix\n\n${SCISSORS}\n\n${LINE}\n`, []],
    ['not a comment', `fix\n\n# ${LINE}\n`, []],
    ['not an indented line', `fix\n\n    ${LINE}\n`, []],
    ['not an upper-case id', 'fix\n\nLedger-Checkpoint: 0123456789AB\n', []],
    ['not a longer id', `fix\n\n${LINE}0\n`, []],
    ['not with text after the id', `fix\n\n${LINE} x\n`, []],
    ['not a folded line', `fix\n\n${LINE}\n  x\n`, []],
    ['not another name', `fix\n\nX-${LINE}\n`, []],
    ['not a lower-case name', `fix\n\n${LINE.toLowerCase()}\n`, []],
    ['not in an empty message', '', []],
  ])('%s', (_, message, expected) => expect(readCheckpoints(message)).toEqual(expected))

  test('reads trailers with another comment character', () => {
    expect(readCheckpoints(`fix\n\n${LINE}\n; hint\n`, ';')).toEqual([ID])
    expect(readCheckpoints(`fix\n\n${LINE}\n# hint\n`, ';')).toEqual([])
    expect(readCheckpoints(`fix\n\n${LINE}\n// hint\n`, '//')).toEqual([ID])
  })
})

test('mentionedCheckpoints finds ids in squash-merged messages', () => {
  const github = `Feature (#7)\n\n* one\n\n${LINE}\n\n* two\n\nLedger-Checkpoint: ${OTHER}\n`
  const git = `Squashed commit of the following:\n\ncommit 1\n\n    one\n\n    ${LINE}\n`
  expect(mentionedCheckpoints(github)).toEqual([ID, OTHER])
  expect(mentionedCheckpoints(git)).toEqual([ID])
  expect(mentionedCheckpoints(`${LINE}\r\n${LINE}\r\n`)).toEqual([ID])
  expect(mentionedCheckpoints(`see ${LINE}\n${LINE}0\n> ${LINE}\n`)).toEqual([])
})

describe('addCheckpoint', () => {
  test.each([
    ['a title', 'fix', `fix\n\n${LINE}\n`],
    ['a title and a body', 'fix\n\nbody\n', `fix\n\nbody\n\n${LINE}\n`],
    ['a title that looks like a trailer', 'fix: x\n', `fix: x\n\n${LINE}\n`],
    ['such a title below blank lines', '\n\nfix: x\n', `\n\nfix: x\n\n${LINE}\n`],
    ['such a title below a comment', '# c\n\nfix: x\n', `# c\n\nfix: x\n\n${LINE}\n`],
    ['other trailers', 'fix\n\nChange-Id: I1\n', `fix\n\nChange-Id: I1\n${LINE}\n`],
    [
      'a block with a line that is not a trailer',
      'fix\n\n[a: changed]\nSigned-off-by: A <a@b>\n',
      `fix\n\n[a: changed]\nSigned-off-by: A <a@b>\n${LINE}\n`,
    ],
    ['a breaking change', 'fix\n\nBREAKING CHANGE: x\n', `fix\n\nBREAKING CHANGE: x\n\n${LINE}\n`],
    ['hints', 'fix\n\n# hint\n#\n# more\n', `fix\n\n${LINE}\n\n# hint\n#\n# more\n`],
    ['hints right after the title', 'fix\n# hint\n', `fix\n\n${LINE}\n# hint\n`],
    ['a diff', `fix\n${SCISSORS}\n# x\ndiff\n`, `fix\n\n${LINE}\n${SCISSORS}\n# x\ndiff\n`],
    ['CRLF', 'fix\r\n\r\nbody\r\n', `fix\r\n\r\nbody\r\n\r\n${LINE}\r\n`],
    ['CRLF, a block', 'fix\r\n\r\nA: b\r\n', `fix\r\n\r\nA: b\r\n${LINE}\r\n`],
    ['CRLF, hints', 'fix\r\n\r\n# hint\r\n', `fix\r\n\r\n${LINE}\r\n\r\n# hint\r\n`],
    [
      'a trailer that continues once a comment is removed',
      `fix\n\n${LINE}\n# c\n folded\n`,
      `fix\n\n${LINE}\n# c\n folded\n\n${LINE}\n`,
    ],
    ['trailing whitespace', 'fix  \n\n\n', `fix  \n\n${LINE}\n\n\n`],
    [
      'text in the body that looks like a trailer',
      `fix\n\n${LINE}\n\nbody\n`,
      `fix\n\n${LINE}\n\nbody\n\n${LINE}\n`,
    ],
    [
      'another id',
      `fix\n\nLedger-Checkpoint: ${OTHER}\n`,
      `fix\n\nLedger-Checkpoint: ${OTHER}\n${LINE}\n`,
    ],
    ['its own id', `fix\n\n${LINE}\n`, `fix\n\n${LINE}\n`],
  ])('%s', (_, message, expected) => expect(addCheckpoint(message, ID)).toBe(expected))

  test.each([
    ['nothing', ''],
    ['blank lines', '\n \n\t\n'],
    ['comments', '\n# Please enter the commit message\n#\n'],
    ['a diff', `${SCISSORS}\ndiff\n`],
    ['a sign-off', '\n\nSigned-off-by: A <a@b>\n\n# hint\n'],
    ['the trailer', `\n${LINE}\n`],
    ['another trailer of ours', `\nLedger-Checkpoint: ${OTHER}\n`],
  ])('leaves an empty message alone: %s', (_, message) => {
    expect(addCheckpoint(message, ID)).toBe(message)
    expect(isEmptyMessage(message)).toBe(true)
  })

  test('is idempotent if the last line is a comment without a line break, below a list of conflicts', () => {
    const message = 'title\n\nfix: a\n\nConflicts:\n# hint'
    const added = addCheckpoint(message, ID)
    expect(added).toBe(`title\n\nfix: a\n${LINE}\n\nConflicts:\n# hint`)
    expect(addCheckpoint(added, ID)).toBe(added)
  })

  test('does not treat a line that git keeps as a comment', () => {
    expect(addCheckpoint('#7 fixed\n', ID)).toBe('#7 fixed\n')
    expect(addCheckpoint('#7 fixed\n', ID, KEEPS)).toBe(`#7 fixed\n\n${LINE}\n`)
    expect(addCheckpoint('fix\n\nas in\n#7\n', ID, KEEPS)).toBe(`fix\n\nas in\n#7\n\n${LINE}\n`)
    expect(addCheckpoint('#7\n\nA: b\n# c\n', ID, KEEPS)).toBe(`#7\n\nA: b\n${LINE}\n# c\n`)
  })

  test.each([
    { comment: '#', dropsComments: true },
    { comment: '#', dropsComments: false },
    { comment: ';', dropsComments: true },
  ])('laws, with %o: adding is idempotent and adds only one line', (rules) => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const added = addCheckpoint(message, ID, rules)
        expect(addCheckpoint(added, ID, rules)).toBe(added)
        expect(isEmptyMessage(added, rules)).toBe(isEmptyMessage(message, rules))
        if (isEmptyMessage(message, rules)) return void expect(added).toBe(message)
        expect(readCheckpoints(cleaned(added, rules), rules.comment)).toContain(ID)
        // Nothing else changed: without our line and blank lines, it is what it was.
        const rest = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '')
        const before = rest(message)
        const after = rest(added)
        if (after.length === before.length) return void expect(after).toEqual(before)
        const at = after.findIndex((line, i) => line !== before[i])
        expect(after[at]).toBe(LINE)
        return void expect(after.toSpliced(at, 1)).toEqual(before)
      }),
      runs(2000),
    )
  })
})

/** As git stores it: without comments, text below the scissors, and surrounding blank lines. */
function cleaned(message: string, rules: MessageRules): string {
  const kept = `\n${message}`.split(`\n${rules.comment} ${SCISSORS.slice(2)}\n`)[0] ?? ''
  const lines = kept.slice(1).split('\n')
  const left = rules.dropsComments ? lines.filter((line) => !line.startsWith(rules.comment)) : lines
  return `${left
    .join('\n')
    .replace(/^(?:[ \t\r]*\n)+/, '')
    .trimEnd()}\n`
}

describe('addCheckpointToDraft', () => {
  test.each([
    ['an editor with hints', '\n# hint\n', `\n\n${LINE}\n\n# hint\n`],
    ['an empty file', '', `\n\n${LINE}\n`],
    [
      'a sign-off',
      '\n\nSigned-off-by: A <a@b>\n\n# h\n',
      `\n\nSigned-off-by: A <a@b>\n${LINE}\n\n# h\n`,
    ],
    ['a message', 'fix\n', `fix\n\n${LINE}\n`],
    ['a draft that has the trailer already', `\n\n${LINE}\n\n# hint\n`, `\n\n${LINE}\n\n# hint\n`],
  ])('%s', (_, draft, expected) => {
    const added = addCheckpointToDraft(draft, ID)
    expect(added).toBe(expected)
    expect(readCheckpoints(`fix: x${added}`)).toEqual([ID])
  })

  test('closing the editor without a message makes no commit', () => {
    expect(dropLoneCheckpoint(addCheckpointToDraft('\n# hint\n', ID)).trim()).toBe('# hint')
  })
})

describe('removeCheckpoints', () => {
  test.each([
    ['removes a trailer alone in the last block', `fix\n\nbody\n\n${LINE}\n`, 'fix\n\nbody\n'],
    ['removes a trailer among others', `fix\n\nA: b\n${LINE}\nC: d\n`, 'fix\n\nA: b\nC: d\n'],
    [
      'removes all trailers',
      `fix\n\n${LINE}\nLedger-Checkpoint: ${OTHER}\n\n# h\n`,
      'fix\n\n# h\n',
    ],
    ['keeps one in the body', `fix\n\n${LINE}\n\nA: b\n`, `fix\n\n${LINE}\n\nA: b\n`],
    ['keeps one in a title', `${LINE}\n`, `${LINE}\n`],
    ['CRLF', `fix\r\n\r\n${LINE}\r\n`, 'fix\r\n'],
    [
      'keeps one without a valid id',
      'fix\n\nLedger-Checkpoint: x\n',
      'fix\n\nLedger-Checkpoint: x\n',
    ],
    ['keeps a folded one', `fix\n\n${LINE}\n  x\n`, `fix\n\n${LINE}\n  x\n`],
  ])('%s', (_, message, expected) => expect(removeCheckpoints(message)).toBe(expected))

  test('removes what was added, and nothing else', () => {
    const lines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '')
    fc.assert(
      fc.property(anyMessage, (message) => {
        // A trailer ends the line before it, and git reads that line differently once it is ended.
        const bare = removeCheckpoints(message.replace(/(^|\n)Conflicts:$/, '$&\n'))
        expect(readCheckpoints(bare)).toEqual([])
        const removed = removeCheckpoints(addCheckpoint(bare, ID))
        expect(lines(removed)).toEqual(lines(bare))
      }),
      runs(2000),
    )
  })
})

describe('dropLoneCheckpoint', () => {
  test.each([
    ['removes the only trailer', `\n${LINE}\n`, '\n'],
    ['removes it from the title', `${LINE}\n`, ''],
    ['removes it above hints', `\n\n${LINE}\n\n# hint\n`, '\n\n\n# hint\n'],
    [
      'removes it next to a sign-off',
      `\n${LINE}\nSigned-off-by: A <a@b>\n`,
      '\nSigned-off-by: A <a@b>\n',
    ],
    ['keeps it below a message', `fix\n\n${LINE}\n`, `fix\n\n${LINE}\n`],
  ])('%s', (_, message, expected) => expect(dropLoneCheckpoint(message)).toBe(expected))

  test('treats a line that git keeps as a message', () => {
    const message = `#7 fixed\n\n${LINE}\n`
    expect(dropLoneCheckpoint(message, KEEPS)).toBe(message)
    expect(dropLoneCheckpoint(message)).toBe('#7 fixed\n\n')
  })
})

test('commentPrefix reads the setting, or finds the character that the hints use', () => {
  const hints = (sign: string) => `#7 fixed\n\n${sign} Please enter\n${sign} a message\n${sign}\n`
  expect(commentPrefix(undefined, hints(';'))).toBe('#')
  expect(commentPrefix('', 'x')).toBe('#')
  expect(commentPrefix('//', 'x')).toBe('//')
  expect(commentPrefix('auto', hints(';'))).toBe(';')
  expect(commentPrefix('auto', hints('#'))).toBe('#')
  expect(commentPrefix('auto', 'fix\n\n! one\n')).toBe('#')
  expect(commentPrefix('auto', 'xx\nxx\n')).toBe('#')
  expect(commentPrefix('auto', '')).toBe('#')
})

test('makes an id of six bytes', () => {
  expect(checkpointIdFrom(new Uint8Array([1, 35, 69, 103, 137, 171, 255]))).toBe(ID)
  expect(() => checkpointIdFrom(new Uint8Array(5))).toThrow(RangeError)
  expect(isCheckpointId(`${ID}\n`)).toBe(false)
})
