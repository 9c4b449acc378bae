/** The real formatters leave our files unchanged. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { markedText } from '../../src/core/agents/agent-text.ts'
import { decodeEventText } from '../../src/core/event/event-bytes.ts'
import { parseEvent } from '../../src/core/event/parse-event.ts'
import { IS_LONG, sampleOf } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'
import { makeDocuments, makeFiles } from './material.ts'
import type { Formatter } from './tools.ts'
import { biome, dprint, FORMATTERS, lintMarkdown, NOT_HERE } from './tools.ts'

const seed = Number(process.env['LEDGER_SEED'] ?? Date.now() % 1_000_000)
const material = makeFiles(IS_LONG ? 400 : 24, seed)

/** Formats the files; returns those that changed, with their new texts. */
function formatted(
  formatter: Formatter,
  settings: Readonly<Record<string, string>>,
  files: ReadonlyMap<string, string>,
): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'formatted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of [...Object.entries(settings), ...files]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  // Something that any Markdown formatter changes, to prove that it ran.
  writeFileSync(join(folder, 'README.md'), '* one\n\n\n\n* two\n')
  formatter.run(folder)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('\n\n\n\n')
  const changed = new Map<string, string>()
  for (const [path, text] of files) {
    const now = readFileSync(join(folder, path), 'utf8')
    if (now !== text) changed.set(path, now)
  }
  return changed
}

/** The other formatters leave files alone because of the same form. */
const PLAIN = new Set(['prettier 3', 'oxfmt'])
const chosen = FORMATTERS.filter(({ name }) => IS_LONG || PLAIN.has(name))

describe.each(chosen)('$name', (formatter) => {
  const { name, settings, isHere } = formatter
  const cases = IS_LONG ? settings : settings.slice(0, 1)
  test.skipIf(notRunUnless(isHere, name, NOT_HERE)).each(cases)(
    'changes no event, snapshot, archived event or rendering: %j',
    (given) => {
      const changed = formatted(formatter, given, material.files)
      expect(Object.fromEntries(changed), `seed ${seed}`).toEqual({})
    },
  )
})

describe.each(chosen)('$name', (formatter) => {
  test.skipIf(notRunUnless(formatter.isHere, formatter.name, NOT_HERE))(
    'changes no context checkpoint, active ledger or shard of a plan',
    () => {
      const documents = makeDocuments(IS_LONG ? 100 : 12, seed)
      expect(documents.has('shards/2.md')).toBe(true)
      expect(Object.fromEntries(formatted(formatter, {}, documents)), `seed ${seed}`).toEqual({})
    },
  )
})

/** Files outside the ledger's folder: once reformatted, they would count as edited for ever. */
const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url))
const template = (path: string) => readFileSync(join(TEMPLATES, path), 'utf8')
const texts = new Map([
  ...readdirSync(join(TEMPLATES, 'agents')).map(
    (name) => [name, markedText(template(`agents/${name}`))] as const,
  ),
  ...['github.yml', 'gitlab.yml'].map((name) => [name, template(name)] as const),
])
const SINGLE_QUOTES = { '.prettierrc.json': '{"singleQuote":true}' }

describe.each(IS_LONG ? FORMATTERS : FORMATTERS.slice(0, 1))('$name', (formatter) => {
  test.skipIf(notRunUnless(formatter.isHere, formatter.name, NOT_HERE))(
    'changes no text for agents and no workflow, with its defaults or with single quotes',
    () => {
      for (const settings of sampleOf([SINGLE_QUOTES, {}], 2))
        expect(Object.fromEntries(formatted(formatter, settings, texts))).toEqual({})
    },
  )
})

const markdownlint = FORMATTERS.find(({ name }) => name.startsWith('markdownlint'))

test.skipIf(notRunUnless(markdownlint?.isHere ?? false, 'markdownlint', NOT_HERE))(
  'markdownlint with its defaults finds nothing in texts for agents',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'linted-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const [name, text] of texts) writeFileSync(join(folder, name), text)
    expect(() => lintMarkdown(folder)).not.toThrow()
    writeFileSync(join(folder, 'README.md'), 'no heading\n')
    expect(() => lintMarkdown(folder)).toThrow(/MD041/)
  },
)

const only = (part: string) => new Map([...material.files].filter(([path]) => path.includes(part)))

test.skipIf(!IS_LONG || notRunUnless(dprint.isHere, 'dprint', NOT_HERE))(
  'dprint changes no event, snapshot or archived event',
  () => {
    const files = new Map([...only('events/'), ...only('archive/')])
    expect(Object.fromEntries(formatted(dprint, {}, files)), `seed ${seed}`).toEqual({})
  },
)

test.skipIf(notRunUnless(biome.isHere, 'biome', NOT_HERE))(
  'biome changes events but not what they say, and leaves archived events alone',
  () => {
    const changed = formatted(biome, biome.settings[0] ?? {}, only('events/'))
    for (const [path, event] of material.events) {
      // biome sees emphasis here, also in front matter: this is why install excludes it (decision 0020).
      if (/__/.test(material.files.get(path) ?? '')) continue
      const text = decodeEventText(Buffer.from(changed.get(path) ?? material.files.get(path) ?? ''))
      const { file, id } = event
      expect(parseEvent({ file, id, text }), `seed ${seed}`).toEqual({
        event,
        problems: [],
        warnings: [],
      })
    }
    expect(Object.fromEntries(formatted(biome, biome.settings[0] ?? {}, only('archive/')))).toEqual(
      {},
    )
  },
)
