import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../../src/core/event/front-matter.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'

declare global {
  var ledgerWasExecuted: boolean | undefined
}
afterEach(() => {
  expect(globalThis.ledgerWasExecuted).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})

const CODE = '(globalThis.ledgerWasExecuted = true, { ts: "2026-01-10T00:00:00Z", agent: "a" })'
const problems = (text: string) =>
  parseEvent({ file: 'e.md', id: 'id', text }).problems.map(({ code, line }) => [code, line])

describe('front matter in another language is reported and never executed', () => {
  const languages = ['js', 'javascript', 'JS', 'JavaScript', 'coffee', 'coffeescript', 'cson']
  const others = ['json', 'toml', 'JSON', 'node', 'mjs', 'eval', 'constructor', '__proto__']
  const methods = ['toString', 'hasOwnProperty', 'valueOf', 'prototype', 'yamlx', 'y', 'js yaml']

  for (const language of [...languages, ...others, ...methods]) {
    for (const space of ['', ' ', '\t', '   ']) {
      test(`---${space}${language}`, () => {
        for (const code of [CODE, `module.exports = ${CODE}`, `{"ts": ${CODE}}`]) {
          const text = `---${space}${language}\n${code}\n---\nnow: x\n`
          expect(problems(text)).toEqual([['front-matter-language', 1]])
          expect(problems(text.replace('now: x\n', ''))).toEqual([['front-matter-language', 1]])
          expect(problems(`---${space}${language}`)).not.toEqual([])
        }
      })
    }
  }

  test('code in YAML is text', () => {
    expect(problems(`---\n${CODE}\n---\n`)).not.toEqual([])
    expect(problems(`---\nts: !!js/function '${CODE}'\nagent: a\n---\n`)).toEqual([['bad-ts', 2]])
  })

  test('accepts YAML by name, in any spelling', () => {
    for (const name of ['yaml', 'YAML', 'yml', ' Yml', ' yaml ']) {
      expect(problems(`---${name}\nts: 2026-01-10T00:00:00Z\nagent: a\n---\n`)).toEqual([])
    }
  })

  test('refuses or reads any first line, and never executes the code', () => {
    const anyName = fc.string({ unit: fc.constantFrom(...'jscofeyaml -\t.#'), maxLength: 10 })
    fc.assert(
      fc.property(anyName, (name) => {
        parseEvent({ file: 'e.md', id: 'id', text: `---${name}\n${CODE}\n---\n` })
        return globalThis.ledgerWasExecuted === undefined
      }),
    )
  })
})

describe('splitFrontMatter', () => {
  test.each([
    ['---\na: 1\n---\nbody\n', 'a: 1', 'body\n'],
    ['---\na: 1\n---', 'a: 1', ''],
    ['---\na: 1\n---  \nbody', 'a: 1', 'body'],
    ['---\na: |\n  ---\n  x\n---\nbody', 'a: |\n  ---\n  x', 'body'],
    ['---\na: 1\n---\n---\nb\n---\n', 'a: 1', '---\nb\n---\n'],
    ['---\n\n# c\na: 1\n---\n', '\n# c\na: 1', ''],
  ])('%j', (text, front, body) => {
    expect(splitFrontMatter(text)).toMatchObject({ front, body })
  })

  test.each([
    ['', 'no-front-matter'],
    ['body', 'no-front-matter'],
    ['\n---\na: 1\n---\n', 'no-front-matter'],
    ['----\na: 1\n----\n', 'no-front-matter'],
    ['---', 'unclosed-front-matter'],
    ['---\na: 1\n', 'unclosed-front-matter'],
    ['---\na: 1\n --- \n', 'unclosed-front-matter'],
    ['---\na: 1\n---- \n', 'unclosed-front-matter'],
    [`---\na: 1${'\n'.repeat(5000)}---\n`, 'front-matter-yaml'],
  ])('%j is refused', (text, code) => expect(splitFrontMatter(text)).toBe(code))

  // Guards against an off-by-one error: the line of the closing fence must be counted.
  test('returns the line on which the body starts', () => {
    expect(splitFrontMatter('---\na: 1\nb: 2\n---\nbody\n')).toMatchObject({ bodyLine: 5 })
  })
})
