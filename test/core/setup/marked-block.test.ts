import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hookHeader } from '../../../src/core/setup/hook-script.ts'
import {
  hasBlock,
  markedBlock,
  putBlock,
  removeBlock,
} from '../../../src/core/setup/marked-block.ts'

const block = markedBlock('one\ntwo $& $1')
const newer = markedBlock('three').replace(/ v\d+ /, ' v99 ')

const anyFile = fc.oneof(
  fc.constantFrom(
    '',
    '#!/bin/sh',
    '#!/bin/sh\n',
    '#!/bin/sh\r\nexit 0\r\n',
    'no final newline',
    'a\r\nb',
    '\n\n',
    '# >>> ledger\n# <<< ledger-git <<<\n',
  ),
  fc.string({ unit: fc.constantFrom(...'#!ab \n\r'), maxLength: 20 }),
)
const anyPlace = fc.constantFrom<'end' | 'start'>('end', 'start')
const position = (text: string, where: 'end' | 'start') =>
  where === 'end' ? where : { after: hookHeader(text) }

describe('a block is added and removed without a trace', () => {
  test('adding and removing it restores the file', () => {
    fc.assert(
      fc.property(anyFile, anyPlace, (text, where) => {
        const put = putBlock(text, block, position(text, where))
        expect(hasBlock(put.text)).toBe(true)
        expect(removeBlock(put.text, put.inserted)).toBe(text)
      }),
    )
  })

  test('adding it twice is the same as adding it once', () => {
    fc.assert(
      fc.property(anyFile, anyPlace, (text, where) => {
        const once = putBlock(text, block, position(text, where)).text
        expect(putBlock(once, block, position(once, where)).text).toBe(once)
      }),
    )
  })

  test('a newer block replaces the older one in its place', () => {
    const text = `before\n${block}after\n`
    expect(putBlock(text, newer, 'end')).toEqual({
      text: `before\n${newer}after\n`,
      inserted: newer,
    })
  })

  test('removing it keeps what the user wrote around it later', () => {
    const put = putBlock('#!/bin/sh\nexit 0\n', block, position('#!/bin/sh\nexit 0\n', 'start'))
    const edited = put.text.replace('exit 0', 'exit 1')
    expect(removeBlock(edited, put.inserted)).toBe('#!/bin/sh\nexit 1\n')
  })

  test('finds a block with edited lines by its markers', () => {
    const put = putBlock('a\n', block, 'end')
    expect(removeBlock(put.text.replace('one', 'edited'), put.inserted)).toBe('a\n')
    expect(removeBlock(put.text, undefined)).toBe('a\n')
  })
})

test('puts the block after the shebang, even if the file contains nothing else', () => {
  expect(putBlock('#!/bin/sh', block, position('#!/bin/sh', 'start')).text).toBe(
    `#!/bin/sh\n${block}`,
  )
  expect(putBlock('#!/bin/sh\nexit\n', block, position('#!/bin/sh\nexit\n', 'start')).text).toBe(
    `#!/bin/sh\n${block}exit\n`,
  )
  expect(putBlock('exit\n', block, position('exit\n', 'start')).text).toBe(`${block}exit\n`)
  expect(putBlock('exit', block, 'end').text).toBe(`exit\n${block}`)
})

test('does not treat a marker alone or in the middle of a line as a block', () => {
  expect(hasBlock('# >>> ledger-git v1 >>>\n')).toBe(false)
  expect(hasBlock(`x ${block}`)).toBe(false)
  expect(hasBlock(`x\n${block}`)).toBe(true)
})

// A worktree with core.autocrlf=true has the tracked .gitattributes with CRLF.
test('recognizes a block that was checked out with CRLF', () => {
  expect(hasBlock(block.replaceAll('\n', '\r\n'))).toBe(true)
})
