/** Our hooks among others in an agent's settings: the bytes of the other hooks never change. */

import * as fc from 'fast-check'
import type { JSONPath } from 'jsonc-parser'
import { applyEdits, modify, parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import { agentCommand } from '../../../src/core/agents/agent-command.ts'
import { AGENT_NAMES, AGENTS } from '../../../src/core/agents/agents.ts'
import {
  connect,
  connectContext,
  connectionIn,
  disconnect,
  editedEvents,
} from '../../../src/core/agents/agent-settings.ts'
import type { Connected, Connection } from '../../../src/core/agents/agent-settings.ts'
import { runs } from '../../support/long.ts'

interface Group {
  matcher?: string
  hooks: { type: string; command: string; timeout?: number }[]
}
type Hooks = Record<string, Group[]>

const hooksOf = (text: string) => (parse(text.replace(/^\uFEFF/, '')) as { hooks: Hooks }).hooks

function connected(text: string | undefined, agent: AgentName, pieces?: readonly string[]) {
  const result = connect(text, agent, pieces)
  if (typeof result === 'string') throw new Error(result)
  return result
}

const stop = (agent: AgentName) => agentCommand(agent, 'Stop')
const handler = (command: string) => ({ type: 'command', command })
const inHooks = (hooks: object) => `${JSON.stringify({ hooks }, null, 2)}\n`

/**
 * Texts that look like real settings: keys that collide with ours, comments, every kind of
 * whitespace.
 */
const settings = (() => {
  const key = fc.constantFrom(
    'hooks',
    'Stop',
    'SessionStart',
    'env',
    'matcher',
    '',
    '__proto__',
    'é"\\',
  )
  const command = fc.constantFrom(
    'echo "hi"',
    'npx lint; exit 0',
    'ledger-git status',
    '// not a comment',
  )
  const group = fc.record(
    {
      matcher: fc.constantFrom('', '*', 'Edit|Write'),
      hooks: fc.array(fc.record({ type: fc.constant('command'), command }), { maxLength: 2 }),
    },
    { requiredKeys: ['hooks'] },
  )
  const events = fc.constantFrom('Stop', 'PostToolUse', 'AfterTool', 'SessionEnd', 'PreToolUse')
  const hooks = fc.dictionary(events, fc.array(group, { maxLength: 2 }), { maxKeys: 3 })
  const other = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 3,
    noNullPrototype: false,
  })
  const value = fc.oneof(
    other.map((object) => withoutKey(object, 'hooks')),
    fc.tuple(other, hooks).map(([object, own]) => ({ ...withoutKey(object, 'hooks'), hooks: own })),
    fc.tuple(hooks, other).map(([own, object]) => ({ hooks: own, ...withoutKey(object, 'hooks') })),
  )
  const indent = fc.constantFrom('', '  ', '\t', '    ')
  return fc
    .tuple(value, indent, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.infiniteStream(fc.nat(9)))
    .map(([object, unit, eol, hasBom, choices]) => {
      const text = JSON.stringify(object, null, unit).replaceAll('\n', eol)
      return (hasBom ? '\uFEFF' : '') + decorated(text, eol, choices)
    })
})()

function withoutKey(object: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

/** Adds comments, trailing commas and blanks between the tokens of a text. */
function decorated(text: string, eol: string, choices: Iterator<number>): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+|\s+/g) ?? []
  let isLast = ''
  const written = tokens.map((token) => {
    const choice = choices.next().value as number
    const before = isLast
    if (token.trim() !== '') isLast = token
    if (/^[\]}]$/.test(token) && choice === 1 && !/^[[{,]$/.test(before)) return `,${token}`
    if (/^[[\]{},]$/.test(token) && choice === 2) return `${token} // "a note", {`
    if (/^[[\]{},:]$/.test(token) && choice === 3) return `${token}/* a, b */`
    if (/^[[{,]$/.test(token) && choice === 4) return `${token} `
    return token
  })
  // A line comment ends its line.
  return written.join('').replace(/(\/\/ "a note", \{)(?!\r?\n)/g, `$1${eol}`)
}

const anyAgent = fc.constantFrom(...AGENT_NAMES)
const RUNS = runs(400, 30)

describe('connect and disconnect', () => {
  test('disconnecting restores the bytes from before connecting', () => {
    fc.assert(
      fc.property(settings, anyAgent, (text, agent) => {
        const { text: now, pieces } = connected(text, agent)
        expect(now).not.toBe(text)
        expect(disconnect(now, pieces)).toBe(text)
      }),
      RUNS,
    )
  })

  test('connecting twice changes nothing, and connects every event once', () => {
    fc.assert(
      fc.property(settings, anyAgent, (text, agent) => {
        const once = connected(text, agent)
        expect(connected(once.text, agent, once.pieces)).toEqual(once)
        const hooks = hooksOf(once.text)
        for (const { event, matcher } of AGENTS[agent].hooks) {
          const ours = (hooks[event] ?? []).filter((group) =>
            group.hooks.some(({ command }) => command === agentCommand(agent, event)),
          )
          expect(ours).toHaveLength(1)
          expect(ours[0]?.matcher).toBe(matcher)
        }
      }),
      RUNS,
    )
  })

  test('without the recorded pieces, removes everything of ours and keeps the rest', () => {
    fc.assert(
      fc.property(settings, anyAgent, (text, agent) => {
        const rest = disconnect(connected(text, agent).text, [])
        expect(rest).not.toContain('agent-hook')
        expect(pruned(rest)).toEqual(pruned(text))
        expect(commentsOf(rest)).toEqual(commentsOf(text))
      }),
      RUNS,
    )
  })

  test('keeps an edit that the user made in between', () => {
    fc.assert(
      fc.property(settings, anyAgent, (text, agent) => {
        const { text: now, pieces } = connected(text, agent)
        const theirs = '"theirs": [1, 2] ,'
        const edited = now.replace('{', () => `{ ${theirs}`)
        const without = text.replace('{', () => `{ ${theirs}`)
        expect(pruned(disconnect(edited, pieces))).toEqual(pruned(without))
        expect(disconnect(edited, pieces)).toContain('{ "theirs": [1, 2]')
      }),
      RUNS,
    )
  })

  const others = [{ hooks: [handler('date')] }]
  test.each([
    '{}',
    '{\n}\n',
    '{"model": "opus"}',
    '{\n  "hooks": {\n  }\n}\n',
    '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n',
    inHooks({}),
    inHooks({ Stop: [] }),
    inHooks({ Stop: others }),
  ])('keeps what the user put next to our hooks: %j', (text) => {
    const { text: now, pieces } = connected(text, 'claude')
    const theirs: readonly (readonly [JSONPath, unknown])[] = [
      [['theirs'], 1],
      [['hooks', 'Theirs'], others],
      [['hooks', 'Stop', 0], { hooks: [handler('before')] }],
      [['hooks', 'Stop', 1], { hooks: [handler('behind')] }],
    ]
    for (const [path, value] of theirs)
      for (const place of [() => 0, (names: string[]) => names.length]) {
        const edits = modify(now, path, value, {
          isArrayInsertion: true,
          getInsertionIndex: place,
        })
        const edited = applyEdits(now, edits)
        const expected = hooksLeft(parse(edited))
        const rest = disconnect(edited, pieces)
        // A string would be the reason why it is not valid JSON.
        expect(connectionIn(rest, 'claude')).toMatchObject({ connected: [] })
        expect(rest).not.toContain('agent-hook')
        expect(pruned(rest)).toEqual(expected)
      }
  })
})

/** As the library reads it: everything except our handlers and the lists that they leave empty. */
function hooksLeft(value: unknown): unknown {
  const isOurs = ({ hooks }: Group) => hooks.every(({ command }) => command.includes('agent-hook'))
  const { hooks = {}, ...rest } = value as { hooks?: Hooks }
  const left = Object.entries(hooks).map(
    ([event, groups]) => [event, groups.filter((group) => !isOurs(group))] as const,
  )
  return pruned(JSON.stringify({ ...rest, hooks: Object.fromEntries(left) }))
}

const commentsOf = (text: string) => {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|\/\/[^\r\n]*/g) ?? []
  return tokens.filter((token) => token.startsWith('/'))
}

/** The value without empty lists of hooks. */
function pruned(text: string): unknown {
  const value = parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>
  const hooks = Object.entries((value['hooks'] ?? {}) as Hooks).filter(
    ([, list]) => list.length > 0,
  )
  const others = withoutKey(value, 'hooks')
  return hooks.length === 0 ? others : { ...others, hooks: Object.fromEntries(hooks) }
}

describe('where the hooks are put', () => {
  test('a new file contains only our hooks', () => {
    const { text, pieces } = connected(undefined, 'codex')
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['hooks'])
    expect(text).toMatch(/^\{\n {2}"hooks": \{\n {4}"SessionStart": \[\n {6}\{\n/)
    expect(hooksOf(text)['SessionEnd']).toEqual([
      { hooks: [{ ...handler(agentCommand('codex', 'SessionEnd')), timeout: 3 }] },
    ])
    expect(disconnect(text, pieces)).toBe('')
  })

  test('writes timeouts in the unit of the agent', () => {
    const of = (agent: AgentName, event: string) =>
      hooksOf(connected(undefined, agent).text)[event]?.[0]?.hooks[0]?.timeout
    expect([of('claude', 'Stop'), of('gemini', 'AfterAgent')]).toEqual([30, 30_000])
  })

  test('appends to existing hooks, with their indentation and line endings', () => {
    const text =
      '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"hooks": []} // mine\r\n\t\t]\r\n\t}\r\n}'
    const now = connected(text, 'claude').text
    expect(now).toContain(
      '\t\t\t{"hooks": []}, // mine\r\n\t\t\t{\r\n\t\t\t\t"hooks": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t"type": "command",\r\n',
    )
    expect(now).toMatch(/\}\r\n\t\t\]\r\n\t\}\r\n\}$|\]\r\n\t\}\r\n\}$/)
    expect(now.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('keeps a one-line file on one line', () => {
    const now = connected('{"model":"opus","hooks":{}}\n', 'claude').text
    expect(connected('{"model":"opus"}', 'claude').text).not.toContain('\n')
    expect(now).toContain('{"model":"opus","hooks":{')
  })

  test('fills an empty or blank file, and restores it', () => {
    for (const text of ['', '\n', '\uFEFF']) {
      const { text: now, pieces } = connected(text, 'gemini')
      expect(hooksOf(now)['AfterTool']).toHaveLength(1)
      expect(disconnect(now, pieces)).toBe(text)
    }
  })
})

describe('settings that were changed after connecting', () => {
  const look = (text: string, agent: AgentName = 'claude') =>
    connectionIn(text, agent) as Connection
  const full = connected(undefined, 'claude')

  test('leaves an entry that the user moved into another group', () => {
    const hooks = hooksOf(full.text)
    hooks['Stop'] = [{ matcher: 'x', hooks: [handler('mine'), handler(stop('claude'))] }]
    const text = inHooks(hooks)
    expect(connected(text, 'claude', full.pieces).text).toBe(text)
    expect(hooksOf(disconnect(text, full.pieces))).toEqual({
      Stop: [{ matcher: 'x', hooks: [handler('mine')] }],
    })
  })

  test('merges duplicate entries within a group or across groups', () => {
    const twice = { hooks: [handler(stop('claude')), handler('mine'), handler(stop('claude'))] }
    const text = inHooks({ ...hooksOf(full.text), Stop: [twice, twice] })
    expect(look(text)).toMatchObject({ surplus: ['Stop'], missing: [] })
    const now = hooksOf(connected(text, 'claude').text)
    const once = { hooks: [handler(stop('claude')), handler('mine')] }
    expect(now['Stop']).toEqual([once, { hooks: [handler('mine')] }])
  })

  test('corrects an entry under another event or of another agent', () => {
    const text = inHooks({ SessionEnd: [{ hooks: [handler(stop('claude'))] }] })
    expect(look(text).surplus).toEqual(['SessionEnd'])
    const now = hooksOf(connected(text, 'claude').text)
    expect(now['SessionEnd']?.flatMap(({ hooks }) => hooks)).toEqual([
      { ...handler(agentCommand('claude', 'SessionEnd')), timeout: 10 },
    ])
    const migrated = inHooks({ AfterAgent: [{ hooks: [handler(stop('claude'))] }] })
    expect(connected(migrated, 'gemini').text).not.toContain('agent-hook claude')
  })

  test('ignores incomplete entries, and adds a complete one', () => {
    const half = [{ hooks: [] }, { hooks: [{ type: 'command' }] }, { matcher: 'Bash' }, 7, null]
    const { text, pieces } = connected(inHooks({ Stop: half }), 'claude')
    expect(hooksOf(text)['Stop']).toEqual([
      ...half,
      { hooks: [{ ...handler(stop('claude')), timeout: 30 }] },
    ])
    expect(disconnect(text, pieces)).toBe(inHooks({ Stop: half }))
  })

  test('renews the command of an older release in place, and leaves a newer one', () => {
    const older = full.text.replaceAll('# ledger-git v2', '# ledger-git v1')
    const pieces = full.pieces.map((piece) =>
      piece.replaceAll('# ledger-git v2', '# ledger-git v1'),
    )
    expect(look(older).older).toHaveLength(7)
    expect(connected(older, 'claude', pieces)).toEqual(full)
    const newer = full.text.replaceAll('# ledger-git v2', '; # ledger-git v9')
    expect(connected(newer, 'claude').text).toBe(newer)
    expect(look(newer)).toMatchObject({ missing: [], older: [], surplus: [] })
    for (const text of [older, newer]) expect(disconnect(text, [])).toBe('{\n}\n')
  })

  test('renews an older context hook in place, and leaves a newer one', () => {
    const put = connectContext(full.text, 'claude', full.pieces)
    if (typeof put === 'string') throw new Error(put)
    const asOlder = (text: string) => text.replaceAll('# ledger-git v2', '# ledger-git v1')
    const older = [asOlder(put.text), put.pieces.map(asOlder)] as const
    const renewed = connected(older[0], 'claude', older[1])
    expect(connectContext(renewed.text, 'claude', renewed.pieces)).toEqual(put)
    const newer = put.text.replaceAll('# ledger-git v2', '# ledger-git v9')
    expect(connectContext(newer, 'claude')).toMatchObject({ text: newer })
  })

  test('keeps the command for Codex to the byte, because Codex trusts a hook by its text', () => {
    expect(agentCommand('codex', 'Stop')).toBe(
      'sh -c \'d=$(git rev-parse --git-common-dir 2>/dev/null) && [ -x "$d/ledger-git/run" ] && ' +
        '"$d/ledger-git/run" agent-hook codex Stop || cat >/dev/null; exit 0 # ledger-git v1\'',
    )
  })

  test('accepts and keeps a call that the user wrote', () => {
    const own = 'LEDGER_AGENT=toast npx ledger-git agent-hook claude Stop'
    const text = inHooks({ Stop: [{ hooks: [handler(own)] }] })
    const now = connected(text, 'claude')
    expect(hooksOf(now.text)['Stop']).toEqual([{ hooks: [handler(own)] }])
    expect(look(now.text)).toMatchObject({ missing: [] })
    expect(editedEvents(now.text)).toEqual(['Stop'])
    expect(disconnect(now.text, now.pieces)).toBe(text)
    const changed = full.text.replace(
      'agent-hook claude Stop ||',
      'agent-hook claude Stop; date ||',
    )
    expect(connected(changed, 'claude').text).toBe(changed)
  })

  test('keeps a copy of our text in a comment', () => {
    const { text, pieces } = connected('{\n  "model": "opus"\n}\n', 'claude')
    const comment = `/* before:${pieces[0]} */`
    const rest = disconnect(`${comment}\n${text}`, pieces)
    expect(rest).toBe(`${comment}\n{\n  "model": "opus"\n}\n`)
  })

  test('restores the bytes of others even if git changed the line endings', () => {
    const before = '{\n  "model": "opus"\n}\n'
    const { text, pieces } = connected(before, 'claude')
    const crlf = (lines: string) => lines.replaceAll('\n', '\r\n')
    expect(disconnect(crlf(text), pieces)).toBe(crlf(before))
    expect((connect(crlf(text), 'claude', pieces) as Connected).pieces).toEqual(pieces)
  })
})

describe('settings that are refused', () => {
  test.each([
    ['{', /^is not valid JSON \(line 1: /],
    ['{"a": 1}\n}', /^is not valid JSON \(line 2: /],
    ['hooks: yaml', /^is not valid JSON/],
    ['// only a comment', /^is not valid JSON/],
    ['[]', /^is not a JSON object$/],
    ['"text"', /^is not a JSON object$/],
    ['{"hooks": []}', /"hooks" that is not a JSON object/],
    ['{"hooks": null}', /"hooks" that is not a JSON object/],
    ['{"hooks": {"Stop": {}}}', /"Stop" that is not a list/],
    ['{"hooks": {"Stop": null}}', /"Stop" that is not a list/],
    ['{"hooks": {}, "hooks": {}}', /the key "hooks" twice/],
    ['{"hooks": {"Stop": [], "Stop": []}}', /the key "Stop" twice/],
  ])('%s', (text, reason) => {
    expect(connect(text, 'claude')).toMatch(reason)
    expect(connectionIn(text, 'claude')).toMatch(reason)
    expect(disconnect(text, [])).toBe(text)
  })

  test('refuses settings that are nested too deeply', () => {
    const deep = `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(connect(deep, 'claude')).toBe('is nested too deeply')
    expect(disconnect(deep, [])).toBe(deep)
  })

  test('accepts other keys next to the events', () => {
    expect(connect('{"hooks": {"enabled": true, "disabled": ["x"]}}', 'gemini')).toHaveProperty(
      'text',
    )
  })
})
