/** The texts for agents name commands and options that exist, and have the form that agents read. */

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
const templates = [...new Set(Object.values(AGENT_TEXTS))]

/** The commands by the words that people type, each with its long options. */
const known = new Map(
  ALL_COMMANDS.map(({ name, command }) => {
    const options = Object.keys(command.options ?? {})
    const both = options.flatMap((option) => [option, `no-${option}`])
    return [name, new Set([...both, 'json', 'help'])]
  }),
)

test.each(templates)('%s: every command and option exists', (name) => {
  const text = read(`templates/${name}`)
  // Only calls in code: at the start of a line of a block, or between backticks.
  const calls = [...text.matchAll(/(?:`|^)ledger-git ([a-z]+(?: [a-z][a-z-]*)?)([^\n`#;]*)/gm)]
  expect(calls.length).toBeGreaterThan(1)
  for (const [call, words = '', rest = ''] of calls) {
    const [first = ''] = words.split(' ')
    const options = known.get(words) ?? known.get(first)
    expect(options, call).toBeDefined()
    // Quoted text is text of the example.
    const named = rest.replace(/"[^"]*"/g, '').matchAll(/--([a-z][a-z-]*)/g)
    for (const [, option = ''] of named) expect(options, `${call}: --${option}`).toContain(option)
  }
})

test.each(templates)('%s: no option takes a decision away from the user', (name) => {
  expect(read(`templates/${name}`)).not.toMatch(/--(?:yes|force|no-verify|allow-secret)\b/)
})

const skills = Object.entries(AGENT_TEXTS).filter(([path]) => path.endsWith('/SKILL.md'))

test.each(skills)('%s: every option that is named alone belongs to a command', (_, template) => {
  const all = new Set([...known.values()].flatMap((options) => [...options]))
  const named = [...read(`templates/${template}`).matchAll(/--([a-z][a-z-]+)/g)]
  expect(named.filter(([, option]) => !all.has(option ?? ''))).toEqual([])
})

test.each(skills)('%s has the front matter that agents document', (path, template) => {
  const [, matter = ''] = read(`templates/${template}`).split(/^---$/m)
  const { name, description, ...others } = parse(matter) as Record<string, string>
  expect(others).toEqual({})
  expect(path).toMatch(new RegExp(`/skills/${name}/SKILL\\.md$`))
  expect(description?.length).toBeLessThanOrEqual(1024)
  expect(description).not.toMatch(/[<>]/)
})

test.each([
  ['ledger-skill.md', ['synthesize ledgers', 'merge ledgers']],
  ['handoff-skill.md', ['create handoff', 'resume handoff', 'continuity ledger']],
  ['continuity-skill.md', ['conductor-implement', 'conductor-finish']],
])('%s can be found by the words that people use', (name, words) => {
  const [, matter = ''] = read(`templates/agents/${name}`).split(/^---$/m)
  for (const word of words) expect(matter).toContain(word)
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
