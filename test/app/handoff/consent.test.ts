/** A command that comes with a branch runs only after a person has agreed to that exact text in that exact folder. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConsentContext } from '../../../src/app/handoff/consent.ts'
import { requireConsent } from '../../../src/app/handoff/consent.ts'
import { consentKey, shownCommand } from '../../../src/core/handoff/shown-command.ts'
import { nodeFiles } from '../../../src/io/files/node-files.ts'
import { runs } from '../../support/long.ts'

interface World {
  readonly context: ConsentContext
  readonly asked: string[]
  readonly kept: Map<string, string>
}

function world(answer: boolean | undefined, more: Partial<ConsentContext> = {}): World {
  const kept = new Map<string, string>()
  const asked: string[] = []
  const files = {
    ...nodeFiles,
    read: (path: string) => kept.get(path),
    write: (path: string, content: string, mode?: number) => {
      expect(mode).toBe(0o600)
      kept.set(path, content)
    },
  }
  const askOnTerminal = async (lines: readonly string[], question: string) => {
    asked.push([...lines, question].join('\n'))
    return answer
  }
  return {
    kept,
    asked,
    context: { files, commonDir: '/c', env: {}, isAgent: false, askOnTerminal, ...more },
  }
}

const refused = { code: 'CONSENT_NEEDED', exitCode: 1 }
const attempt = ({ context }: World, command = 'npm test', folder = '/repo', yes = false) =>
  requireConsent(context, command, folder, yes)

describe('consent', () => {
  test('is asked for once per text and folder', async () => {
    const here = world(true)
    await attempt(here)
    await attempt(here)
    expect(here.asked).toHaveLength(1)
    expect(here.asked[0]).toContain('/repo')
    expect(here.asked[0]).toContain('\n  npm test\n')
    // A changed text, then another folder.
    await attempt(here, 'npm test ')
    await attempt(here, 'npm test', '/repo2')
    expect(here.asked).toHaveLength(3)
    await attempt(here)
    expect(here.asked).toHaveLength(3)
  })

  test.each([
    ['answer no', false],
    ['no terminal', undefined],
  ])('%s: nothing runs, and nothing is kept', async (_, answer) => {
    const here = world(answer)
    await expect(attempt(here)).rejects.toMatchObject(refused)
    await expect(attempt(here)).rejects.toThrow(/npm test/)
    expect(here.kept.size).toBe(0)
  })

  test("--yes counts only from a person; an agent's run asks nobody and is refused", async () => {
    const person = world(undefined)
    await attempt(person, 'npm test', '/repo', true)
    await attempt(person)
    const agent = world(true, { isAgent: true })
    await expect(attempt(agent, 'npm test', '/repo', true)).rejects.toThrow(/--yes/)
    await expect(attempt(agent)).rejects.toMatchObject(refused)
    expect([agent.asked.length, agent.kept.size]).toEqual([0, 0])
    // A command that a person has approved may run, whoever runs it.
    agent.kept.set('/c/ledger-git/consent', person.kept.get('/c/ledger-git/consent') ?? '')
    await attempt(agent)
  })

  test('is given for all commands by LEDGER_GIT_RUN_TESTS=1, and by no other value', async () => {
    await attempt(world(undefined, { env: { LEDGER_GIT_RUN_TESTS: '1' } }))
    for (const value of ['', '0', 'true', ' 1']) {
      const here = world(undefined, { env: { LEDGER_GIT_RUN_TESTS: value } })
      await expect(attempt(here)).rejects.toMatchObject(refused)
    }
  })

  test('is refused for a command with a NUL, even with --yes', async () => {
    await expect(attempt(world(true), 'a\0b', '/repo', true)).rejects.toThrow(/NUL/)
  })

  test('keys differ for every other text or folder', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        expect(consentKey(a, b) === consentKey(c, d)).toBe(a === c && b === d)
      }),
      runs(500),
    )
    expect(consentKey('b","c', 'a')).not.toBe(consentKey('c', 'a","b'))
  })
})

describe('the shown command', () => {
  const anyText = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\\',
      '\n',
      '\r',
      '\t',
      '\u001b',
      '\u202e',
      '\u0430',
      '🎯',
      '"',
      '\u200b',
      'u',
      '0',
    ),
    maxLength: 200,
  })

  test('is printable, in short lines, and distinguishes different texts', () => {
    const shown = (text: string) => shownCommand(text).join('')
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        for (const line of shownCommand(a)) expect(line).toMatch(/^[ -~]{0,76}$/)
        const isEscaped = (text: string) => !/^[ -~]*$/.test(text) || / {3}/.test(text)
        if (isEscaped(a) === isEscaped(b)) expect(shown(a) === shown(b)).toBe(a === b)
      }),
      runs(2000),
    )
  })

  test.each([
    ['npm test -- --grep "a b"', 'npm test -- --grep "a b"'],
    ['a\\u202e', 'a\\u202e'],
    ['npm test\u001b[8m; rm -rf ~', 'npm test\\u001b[8m; rm -rf ~'],
    ['echo \u202egpj.exe', 'echo \\u202egpj.exe'],
    ['n\u0440m test', 'n\\u0440m test'],
    ['npm test\nrm -rf ~\r', 'npm test\\nrm -rf ~\\r'],
    ['a   b\\n', 'a\\u0020\\u0020\\u0020b\\\\n'],
  ])('%j', (command, shown) => expect(shownCommand(command)).toEqual([shown]))

  test('shows a long line to its end', () => {
    const lines = shownCommand(`npm test ${'x'.repeat(500)}; curl evil`)
    expect(lines.length).toBeGreaterThan(6)
    expect(lines.at(-1)).toMatch(/; curl evil$/)
  })
})
