/** The texts for agents name commands and options that exist, and are of the form that agents read. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { AGENT_TEXTS } from '../../src/app/agents/agent-files.ts'
import { ALL_COMMANDS } from '../support/commands.ts'
import { AGENTS } from '../../src/core/agents/agents.ts'

const TOP = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(TOP, path), 'utf8')
const templates = Object.values(AGENT_TEXTS)

/** Commands by the words that people type, each with its long options. */
const known = new Map(
  ALL_COMMANDS.map(({ name, command }) => {
    const options = Object.keys(command.options ?? {})
    const both = options.flatMap((option) => [option, `no-${option}`])
    return [name, new Set([...both, 'json', 'help'])]
  }),
)

test.each(templates)('%s: every command and option exists', (name) => {
  const text = read(`templates/${name}`)
  // In code: a line of a block, or between backquotes.
  const calls = [...text.matchAll(/(?:`|^)ledger-git ([a-z]+(?: [a-z]+)?)([^\n`#;]*)/gm)]
  expect(calls.length).toBeGreaterThan(1)
  for (const [call, words = '', rest = ''] of calls) {
    const [first = ''] = words.split(' ')
    const options = known.get(words) ?? known.get(first)
    expect(options, call).toBeDefined()
    // What stands in quotes is text of the example.
    const named = rest.replace(/"[^"]*"/g, '').matchAll(/--([a-z][a-z-]*)/g)
    for (const [, option = ''] of named) expect(options, `${call}: --${option}`).toContain(option)
  }
})

test('every option that stands alone in the skill belongs to a command', () => {
  const all = new Set([...known.values()].flatMap((options) => [...options]))
  const text =
    read('templates/agents/claude-skill.md') + read('templates/agents/claude-continuity.md')
  const named = [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => option)
  expect(named.filter((option) => !all.has(option ?? ''))).toEqual([])
})

test('the skill of the active ledger has that front matter, too', () => {
  const [, matter = ''] = read('templates/agents/claude-continuity.md').split(/^---$/m)
  const { name, description, ...others } = parse(matter) as Record<string, string>
  expect(others).toEqual({})
  expect(AGENT_TEXTS).toHaveProperty([`.claude/skills/${name}/SKILL.md`])
  expect(description?.length).toBeLessThanOrEqual(1024)
  expect(description).not.toMatch(/[<>]/)
})

test('the skill has the front matter that Claude Code documents', () => {
  const [, matter = ''] = read('templates/agents/claude-skill.md').split(/^---$/m)
  const { name, description, ...others } = parse(matter) as Record<string, string>
  expect(others).toEqual({})
  expect(name).toBe('ledger')
  expect(AGENT_TEXTS).toHaveProperty([`.claude/skills/${name}/SKILL.md`])
  expect(description?.length).toBeLessThanOrEqual(1024)
  expect(description).not.toMatch(/[<>]/)
  for (const trigger of ['synthesize ledgers', 'merge ledgers'])
    expect(description).toContain(trigger)
})

test('docs/install.md names the files and events of every agent', () => {
  const doc = read('docs/install.md')
  for (const [name, { file, hooks }] of Object.entries(AGENTS)) {
    const row = doc.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    expect(row).toContain(`\`${file}\``)
    expect(row).toContain(`| ${hooks.map(({ event }) => event).join(', ')} |`)
  }
  for (const path of Object.keys(AGENT_TEXTS)) expect(doc).toContain(`\`${path}\``)
})
