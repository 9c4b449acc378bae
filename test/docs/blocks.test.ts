/**
 * What a reader pastes into a shell: every block is run (`test/packed/documents.test.ts`), or there is a reason why
 * not.
 */

import { expect, test } from 'vitest'
import { blocksOf, DOCUMENTS, NOT_RUN } from '../support/document-blocks.ts'

const blocks = DOCUMENTS.flatMap(blocksOf)

test('each block marked text has a reason, and each reason has a block', () => {
  const texts = blocks.filter(({ language }) => language === 'text')
  const withoutReason = texts.filter(({ document, text }) => {
    const starts = Object.keys(NOT_RUN[document] ?? {})
    return !starts.some((start) => text.startsWith(start))
  })
  expect(withoutReason, 'mark it sh, or say why not in test/support/document-blocks.ts').toEqual([])
  for (const [document, reasons] of Object.entries(NOT_RUN)) {
    for (const start of Object.keys(reasons)) {
      const found = texts.filter((one) => one.document === document && one.text.startsWith(start))
      expect(found, `${document}: ${start}`).toHaveLength(1)
    }
  }
})

test('commands are marked sh or text, not console, bash or shell', () => {
  expect(
    blocks.filter(({ language }) => /^(?:console|bash|shell|zsh|shell-session)$/.test(language)),
  ).toEqual([])
})

test('a block marked sh works however ledger-git was installed: it uses git ledger, or npx before install', () => {
  const bare = /(?<!npx )(?<!scripts\.prepare=")(?<![\w./-])ledger-git(?= [a-z])/
  const wrong = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ document, text }) => text.split('\n').map((line) => ({ document, line })))
    .filter(({ line }) =>
      bare.test(line.replace(/(?<=git commit -m )"[^"]*"/, '').replace(/ #.*$/, '')),
    )
  expect(wrong, 'write git ledger …').toEqual([])
})
