/**
 * The rest of a truncated block: our lines are removed, and the user's lines are kept to the byte.
 */

import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import {
  hasHalfBlock,
  withoutHalfBlocks,
  putBlock,
  removeBlock,
} from '../../../src/core/setup/marked-block.ts'
import { hookHeader } from '../../../src/core/setup/hook-script.ts'
import { hookBlock, wrapperBlock } from '../../../src/core/setup/install-texts.ts'
import { attributesBlock } from '../../../src/core/setup/path-blocks.ts'

const BLOCKS = [
  ...HOOKS.map((hook) => [hook, hookBlock(hook)] as const),
  ...HOOKS.map((hook) => [`${hook}, wrapped`, wrapperBlock(hook)] as const),
]
const HEADER = '#!/bin/sh\n'
/** User lines, including words that close something and occur in our block as well. */
const USERS = [
  '',
  'echo one\n',
  'if true; then\n  echo one\nfi\n',
  'case $1 in\n  a) ;;\n  esac\necho one',
  'for x in 1 2; do\n  if true; then\n    echo\n  else\n    exec </dev/null\n  fi\ndone\n',
]

/** As `install` does. */
function installed(text: string, block: string): string {
  const clean = withoutHalfBlocks(text, block)
  return putBlock(clean, block, { after: hookHeader(clean) }).text
}

describe.each(BLOCKS)('%s', (_, block) => {
  const lines = block.match(/.*\n/g) ?? []

  test.each(USERS)('repairs a block without its end, wherever that began: %j', (user) => {
    for (let kept = 1; kept < lines.length; kept++) {
      const half = lines.slice(0, kept).join('')
      expect(installed(`${HEADER}${half}${user}`, block), half).toBe(`${HEADER}${block}${user}`)
    }
  })

  test.each(USERS)('repairs a block without its start, wherever that ended: %j', (user) => {
    for (let from = 1; from < lines.length; from++) {
      const half = lines.slice(from).join('')
      expect(installed(`${HEADER}${half}${user}`, block), half).toBe(`${HEADER}${block}${user}`)
    }
  })

  test('repairs a file that was truncated anywhere after the first words of the block', () => {
    for (let at = '# >>> ledger-git'.length; at < block.length - 1; at++) {
      expect(installed(`${HEADER}${block.slice(0, at)}`, block)).toBe(`${HEADER}${block}`)
    }
  })

  test.each(USERS)('repairs a block of which only one marker is left: %j', (user) => {
    const [start = '', end = ''] = [lines[0], lines.at(-1)]
    const between = user.endsWith('\n') || user === '' ? user : `${user}\n`
    for (const text of [`${start}${between}`, `${between}${end}`]) {
      expect(installed(HEADER + text, block)).toBe(`${HEADER}${block}${between}`)
    }
  })

  test('keeps a complete block before or after the partial one', () => {
    for (const half of [lines.slice(0, 5).join(''), lines.slice(-4).join('')]) {
      for (const text of [`${block}echo\n${half}echo 2\n`]) {
        expect(installed(HEADER + text, block)).toBe(`${HEADER}${block}echo\necho 2\n`)
      }
    }
    expect(installed(`${HEADER}${lines.slice(0, 5).join('')}${block}echo 2\n`, block)).toBe(
      `${HEADER}${block}echo 2\n`,
    )
  })

  test('keeps an if of the user around our block', () => {
    const around = (inner: string) => `${HEADER}if [ -z "$CI" ]; then\n${inner}fi\necho done\n`
    for (const half of [lines.slice(0, -1), lines.slice(1), lines.slice(0, 1), lines.slice(-1)]) {
      const rest = withoutHalfBlocks(around(half.join('')), block)
      expect(rest, half.join('')).toBe(around(''))
    }
  })
})

test('leaves a script that still parses', () => {
  const block = hookBlock('pre-push')
  const lines = block.match(/.*\n/g) ?? []
  for (let at = 1; at < lines.length; at++) {
    for (const half of [lines.slice(0, at), lines.slice(at)]) {
      const text = installed(`${HEADER}${half.join('')}echo one\n`, block)
      execFileSync('sh', ['-n'], { input: text, stdio: ['pipe', 'ignore', 'pipe'] })
    }
  }
})

test('does not look into a file without markers or with complete blocks', () => {
  const block = hookBlock('pre-commit')
  for (const text of [`${HEADER}ledger_git_dir=mine\nfi\n`, `${HEADER}${block}echo\n`]) {
    expect(hasHalfBlock(text)).toBe(false)
    expect(withoutHalfBlocks(text, block)).toBe(text)
  }
})

test('repairs other files, including ones with Windows line endings', () => {
  const block = attributesBlock('{root}/current.md text merge=ledger\n', 'a b')
  for (const form of [block, block.replaceAll('\n', '\r\n')]) {
    const [start = '', line = '', end = ''] = form.match(/[^\n]*\n/g) ?? []
    for (const half of [start + line, line + end, start, end]) {
      const text = `*.a text\n${half}*.b text\n`
      expect(withoutHalfBlocks(text, block)).toBe('*.a text\n*.b text\n')
      expect(removeBlock(text, undefined)).toBe(text)
    }
  }
})

test('also removes an old block without our comments', () => {
  for (const hook of HOOKS) {
    for (const block of [hookBlock(hook), wrapperBlock(hook)]) {
      const old = block.replace(/ # ledger-git$/gm, '').match(/.*\n/g) ?? []
      for (let at = 1; at < old.length; at++) {
        const start = old.slice(0, at).join('')
        expect(installed(`${HEADER}${start}echo\n`, block), start).toBe(`${HEADER}${block}echo\n`)
        const end = old.slice(at).join('')
        if (!/ledger_git_|LEDGER_GIT_|exec/.test(end)) continue // a lone `fi` may be the user's
        expect(installed(`${HEADER}${end}echo\n`, block), end).toBe(`${HEADER}${block}echo\n`)
      }
      // What `uninstall` has recorded is the block that was there.
      const user = `${HEADER}if true; then\n  echo\nfi\n`
      const recorded = old.join('')
      expect(withoutHalfBlocks(user + (old.at(-1) ?? ''), recorded)).toBe(user)
    }
  }
})
