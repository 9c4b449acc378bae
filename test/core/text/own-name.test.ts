import { expect, test } from 'vitest'
import { nameNote } from '../../../src/core/text/own-name.ts'

test.each<readonly [text: string, program: string, note: string]>([
  [
    'go on: ledger-git handoff resume',
    'git ledger',
    '\n(ledger-git is typed as `git ledger` here.)',
  ],
  ['go on: ledger-git handoff resume', 'ledger-git', ''],
  ['git ledger --help shows the manual', 'ledger-git', ''],
  ['git ledger --help shows the manual', 'git ledger', ''],
  ['ledger-git is a tool', 'git ledger', ''],
])('adds a note where a text uses another name for our commands: %s, %s', (text, program, note) => {
  expect(nameNote(text, program)).toBe(note)
})
