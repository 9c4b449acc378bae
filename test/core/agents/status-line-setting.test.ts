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

/** As `uninstall` does it. */
const taken = (text: string, pieces: readonly string[]) => takeStatusLine(disconnect(text, pieces))

describe('our status line', () => {
  test('what is put in is taken out to the byte, and putting in twice changes nothing', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const first = put(text)
        expect(first.text).not.toBe(text)
        expect(put(first.text, first.pieces)).toEqual(first)
        expect(taken(first.text, first.pieces)).toBe(text)
      }),
    )
  })

  test('an older one is renewed, with its record; a newer one stays', () => {
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

  test('everything else has the value that it had', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const read = (of: string) => JSON.parse(of.replace(/^\uFEFF/, '').replace(/ \/\/.*\n$/, ''))
        const { statusLine, ...rest } = read(put(text).text)
        expect(statusLine).toMatchObject({ type: 'command' })
        expect(rest).toEqual(read(text))
      }),
    )
  })

  test.each([undefined, '', '\n'])('in a file with nothing (%j)', (text) => {
    const { text: after, pieces } = put(text)
    expect(JSON.parse(after)).toHaveProperty('statusLine.command')
    expect(taken(after, pieces)).toBe(text ?? '')
  })

  test('without a record it is found by its command, and nothing else goes', () => {
    const { text } = put('{\n  "model": "x"\n}\n')
    const formatted = JSON.stringify(JSON.parse(text))
    expect(JSON.parse(taken(formatted, ['gone']))).toEqual({ model: 'x' })
  })

  test('somebody else’s stays, in and out', () => {
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
    ['none', ['{}', '{"model": 1}'], undefined],
    ['behind ours', [ours, '{}', theirs('~/user.sh')], '~/user.sh'],
    ['the nearest one', [ours, theirs('./team.sh'), theirs('~/user.sh')], './team.sh'],
    ['ours alone is none', [ours, ours], undefined],
    ['of another kind', ['{"statusLine": {"type": "static"}}', theirs('~/user.sh')], undefined],
    ['in a file that cannot be read', ['{', theirs('~/user.sh')], '~/user.sh'],
  ])('%s', (_, texts, expected) => {
    expect(statusLineBeside(texts)).toBe(expected)
  })
})
