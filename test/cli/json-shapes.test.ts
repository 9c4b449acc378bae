/** `--json`: a command prints exactly the members of its shape in docs/commands.md. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ledgerRepo } from '../support/git-repo.ts'
import { sampleOf } from '../support/long.ts'
import { json } from './words.ts'

const DOCUMENT = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')

/** The members of the outermost objects of a shape, which is JSON except for its placeholders. */
function membersOf(shape: string): string[] {
  const outermost = shape.startsWith('[') ? 2 : 1
  let depth = 0
  return [...shape.matchAll(/[{[]|[\]}]|"(\w+)":|"[^"]*"/g)].flatMap(([token, name]) => {
    if (/^[{[]$/.test(token)) depth += 1
    if (/^[\]}]$/.test(token)) depth -= 1
    return name !== undefined && depth === outermost ? [name] : []
  })
}

/** The shapes of all commands that have their own. */
const SHAPES = new Map(
  DOCUMENT.split('\n### `ledger-git ')
    .slice(1)
    .flatMap((section) => {
      const [, name = ''] = /^([a-z-]+(?: [a-z-]+)*)/.exec(section) ?? []
      const shape = /```json\n([\s\S]*?)```/.exec(section)?.[1]
      return shape === undefined ? [] : [[name, membersOf(shape)] as const]
    }),
)

const COMMANDS: readonly (readonly [name: string, ...words: string[]])[] = [
  ['status'],
  ['fleet'],
  ['event add', '--next', 'b'],
  ['event list'],
  ['event validate'],
  ['show'],
  ['log'],
  ['why', 'db'],
  ['diff', 'HEAD~1'],
  ['check'],
  ['resolve'],
  ['archive', '--dry-run'],
  ['migrate', '--dry-run'],
  ['handoff update', 'auth', '--now', 'c'],
  ['handoff list'],
  ['handoff show', 'auth'],
  ['handoff check'],
  ['handoff phase', 'auth', 'start', '1'],
  ['session list'],
  ['session recover'],
  ['checkpoint list'],
  ['continuity load'],
  ['continuity status'],
  ['continuity search', 'a'],
  ['context estimate', '--task', 'Add a form'],
  ['context metrics'],
  ['ralph status'],
  ['tracker status'],
]

test('commands print the documented members', () => {
  const repo = ledgerRepo()
  repo.ledger('event', 'add', '--agent', 'a', '--now', 'x', '--decision', 'db=sqlite')
  repo.commit('a decision', { 'a.txt': 'a' })
  repo.ledger('handoff', 'create', 'auth', '--next', 'b', '--no-event')
  const [status, ...rest] = COMMANDS
  for (const [name, ...words] of [status!, ...sampleOf(rest, 6)]) {
    const printed = json<object | object[]>(repo, ...name.split(' '), ...words)
    const first = Array.isArray(printed) ? (printed[0] as object) : printed
    expect.soft(Object.keys(first).toSorted(), name).toEqual(SHAPES.get(name)?.toSorted())
  }
})
