import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disconnect } from '../../../src/core/agents/agent-settings.ts'
import {
  putStatusLine,
  statusLineBeside,
  takeStatusLine,
} from '../../../src/core/agents/status-line-setting.ts'

const THEIRS = { type: 'command', command: '~/line.sh' }

/** Settings as people and programs write them, without a status line. */
const settings = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom('hooks', 'env', 'permissions', 'model', 'statusline', 'x"y', '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    fc.constantFrom('', '  ', '\t', '    '),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('', '\n', ' // mine\n'),
  )
  .map(([value, indent, eol, bom, end]) => {
    const text = JSON.stringify(value, null, indent)
    return bom + text.replaceAll('\n', eol) + end
  })

function put(text: string | undefined, pieces: readonly string[] = []) {
  const result = putStatusLine(text, pieces)
  if (typeof result === 'string') throw new Error(result)
  return result
}

/** As `uninstall` does. */
const taken = (text: string, pieces: readonly string[]) => takeStatusLine(disconnect(text, pieces))

describe('our status line', () => {
  test('removal restores the original bytes, and adding it twice changes nothing', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const first = put(text)
        expect(first.text).not.toBe(text)
        expect(put(first.text, first.pieces)).toEqual(first)
        expect(taken(first.text, first.pieces)).toBe(text)
      }),
    )
  })

  test('renews an older status line with its record, and leaves a newer one', () => {
    const here = 'git rev-parse --git-common-dir 2>/dev/null'
    const there = `git -C \\"\${CLAUDE_PROJECT_DIR:-.}\\" rev-parse --path-format=absolute --git-common-dir 2>/dev/null`
    const older = (find: string, version: number) => (of: string) =>
      of
        .replace(/'d=\$\(.*?\) &&/, () => `'d=$(${find}) &&`)
        .replace("ledger-git v3'", `ledger-git v${version}'`)
    fc.assert(
      fc.property(settings, (text) => {
        const now = put(text)
        for (const back of [older(here, 1), older(`${there} || ${here}`, 2)]) {
          const then = { text: back(now.text), pieces: now.pieces.map(back) }
          expect(then.text).not.toBe(now.text)
          expect(put(then.text, then.pieces)).toEqual(now)
        }
        const newer = now.text.replace("ledger-git v3'", "ledger-git v4'")
        expect(put(newer).text).toBe(newer)
      }),
    )
  })

  test('keeps the values of all other settings', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const read = (of: string) => JSON.parse(of.replace(/^\uFEFF/, '').replace(/ \/\/.*\n$/, ''))
        const { statusLine, ...rest } = read(put(text).text)
        expect(statusLine).toMatchObject({ type: 'command' })
        expect(rest).toEqual(read(text))
      }),
    )
  })

  test.each([undefined, '', '\n'])('adds it to a file without content (%j)', (text) => {
    const { text: after, pieces } = put(text)
    expect(JSON.parse(after)).toHaveProperty('statusLine.command')
    expect(taken(after, pieces)).toBe(text ?? '')
  })

  test('without a record, finds it by its command and removes nothing else', () => {
    const { text } = put('{\n  "model": "x"\n}\n')
    const formatted = JSON.stringify(JSON.parse(text))
    expect(JSON.parse(taken(formatted, ['gone']))).toEqual({ model: 'x' })
  })

  test('leaves a foreign status line and unreadable settings alone', () => {
    const text = JSON.stringify({ statusLine: THEIRS })
    expect(putStatusLine(text)).toBe('has a status line of its own')
    expect(takeStatusLine(text)).toBe(text)
    expect(putStatusLine('{')).toContain('is not valid JSON')
    expect(putStatusLine('[]')).toBe('is not a JSON object')
  })
})

describe('the status line that would apply without ours', () => {
  const ours = put('{}').text
  const theirs = (command: string) => JSON.stringify({ statusLine: { type: 'command', command } })

  test.each<[string, string[], string | undefined]>([
    ['is none if no file has one', ['{}', '{"model": 1}'], undefined],
    ['is the one behind ours', [ours, '{}', theirs('~/user.sh')], '~/user.sh'],
    ['is the nearest of several', [ours, theirs('./team.sh'), theirs('~/user.sh')], './team.sh'],
    ['is none if there is only ours', [ours, ours], undefined],
    [
      'is none if the nearest one is of another kind',
      ['{"statusLine": {"type": "static"}}', theirs('~/user.sh')],
      undefined,
    ],
    ['skips a file that cannot be read', ['{', theirs('~/user.sh')], '~/user.sh'],
  ])('%s', (_, texts, expected) => {
    expect(statusLineBeside(texts)).toBe(expected)
  })
})
