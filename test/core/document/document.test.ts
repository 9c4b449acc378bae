/**
 * One part of a document is replaced and every other byte stays, whatever state the document is in.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Document, Section } from '../../../src/core/document/document.ts'
import { pathOf, readDocument, replaceContent } from '../../../src/core/document/document.ts'
import { readField, setField } from '../../../src/core/document/fields.ts'
import { runs } from '../../support/long.ts'

/** Lines that open, close or only resemble something. */
const LINES = [
  [
    '---',
    '--- ',
    ' ---',
    '***',
    '- - -',
    '',
    ' ',
    '\t',
    'text\r',
    '# A\r',
    'a: b: c',
    '\ufeff',
    '=',
  ],
  ['# A', '## A', '### B', '## Ledger', '   # A #', '    # code', '#', '##  ##', '#no', '# é 日'],
  ['```', '````', '~~~', '~~~~', '```js', '  ```', '``` `x`', '``', '> ```'],
  ['<!-- c', '-->', '<!-- x -->', 'y <!-- z', '<!---->', '--> # A'],
  ['- item', '  nested', '[->] now', '1. one', '| a | b |', 'key: v', '"q: r": v', 'list:'],
  ["'s': v", '# comment', '? complex', '{a: b}', ']', 'key: |', '  ---'],
].flat()
const anyLine = fc.constantFrom(...LINES)
const anyEol = fc.constantFrom('\n', '\n', '\r\n')
const anyText = fc
  .record({
    bom: fc.boolean(),
    front: fc.boolean(),
    lines: fc.array(fc.tuple(anyLine, anyEol), { maxLength: 14 }),
    last: fc.oneof(anyLine, fc.constant('')),
  })
  .map(({ bom, front, lines, last }) => {
    const head = front ? `---${lines[0]?.[1] ?? '\n'}` : ''
    return `${bom ? '\ufeff' : ''}${head}${lines.map((line) => line.join('')).join('')}${last}`
  })

const bytesOf = ({ text }: Document, { start, end }: { start: number; end: number }) =>
  text.slice(start, end)

/** The headings outside a section, as they are written. */
function headingsOutside(document: Document, but: (section: Section) => boolean): string[] {
  return document.sections
    .filter((section) => section.heading !== undefined && !but(section))
    .map((section) => section.heading?.text.trimEnd() ?? '')
}

const isBelow = (section: Section, above: Section) => pathOf(section).slice(1).includes(above)

describe('reading', () => {
  test('the lines make up the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const document = readDocument(text)
        const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
        expect(bom + document.lines.map((line) => bytesOf(document, line)).join('')).toBe(text)
        for (const line of document.lines) {
          expect(bytesOf(document, line).replace(/\r?\n$/, '')).toBe(line.text)
        }
      }),
      runs(2000),
    )
  })

  test('every line belongs to the front matter or to one section, in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { lines, front, sections } = readDocument(text)
        const inSections = sections.flatMap(({ heading, lines }) => [
          ...(heading ? [heading] : []),
          ...lines,
        ])
        const fences = front === undefined ? 0 : front.length + 2
        expect([...lines.slice(0, fences), ...inSections]).toEqual(lines)
        expect(lines.slice(1, Math.max(1, fences - 1))).toEqual(front ?? [])
      }),
      runs(2000),
    )
  })

  test.each([
    ['a fence of the other kind', '# A\n~~~\n```\n# no\n~~~\n# B\n', ['A', 'B']],
    ['a longer fence', '# A\n````\n```\n# no\n````\n# B\n', ['A', 'B']],
    ['an unclosed fence', '# A\n```\n# no\n', ['A']],
    ['backquotes in a sentence', '# A\n``` `x`\n# B\n', ['A', 'B']],
    ['a comment', '# A\n<!--\n# no\n--> \n# B\n', ['A', 'B']],
    ['a comment on one line', '# A\n<!-- x -->\n# B\n', ['A', 'B']],
    ['front matter', '---\n# no\n---\n# A\n', ['A']],
    ['unclosed front matter', '---\n# A\n --- \n# B\n', ['A', 'B']],
    [
      'CRLF, a BOM and no final line break',
      '\ufeff---\r\n# no\r\n---\r\n# A\r\n## B ##',
      ['A', 'B'],
    ],
    ['marks that close nothing', '# A#\n# C ##\n#no\n', ['A#', 'C']],
  ])('finds the headings around %s', (_, text, titles) => {
    const { sections } = readDocument(text)
    expect(sections.slice(1).map(({ title }) => title)).toEqual(titles)
  })
})

describe('replacing the content of a section', () => {
  test('changes no other byte and no other section', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), anyText, (text, at, content) => {
        const document = readDocument(text)
        const section = document.sections[at % document.sections.length] as Section
        const { start, end } = section.content
        const changed = replaceContent(document, section, content)
        expect(changed.startsWith(text.slice(0, start))).toBe(true)
        expect(changed.endsWith(text.slice(end))).toBe(true)
        const after = readDocument(changed)
        const found = after.sections[document.sections.indexOf(section)] as Section
        expect(found).toMatchObject({ title: section.title, level: section.level })
        expect(headingsOutside(after, (one) => isBelow(one, found) && section.level > 0)).toEqual(
          headingsOutside(document, (one) => isBelow(one, section) && section.level > 0),
        )
        expect(after.front?.map(({ text }) => text)).toEqual(
          document.front?.map(({ text }) => text),
        )
        expect(changed.length - found.content.end).toBe(text.length - end)
        // The same change again changes nothing, so that saving cannot make the text grow.
        expect(replaceContent(after, found, content)).toBe(changed)
      }),
      runs(3000),
    )
  })

  test('does not treat a CR at the end as a line break or as half of one', () => {
    const document = readDocument('# A\r')
    const changed = replaceContent(document, document.sections[1] as Section, '---\n')
    const after = readDocument(changed)
    expect(replaceContent(after, after.sections[1] as Section, '---\n')).toBe(changed)
  })

  test('reads back the new content', () => {
    const text = '# A\n\nold\n\n### Part\n\nx\n# B\n'
    const document = readDocument(text)
    const section = document.sections[1] as Section
    expect(replaceContent(document, section, 'new\n\n## Sub\n\n- x\n')).toBe(
      '# A\n\nnew\n\n## Sub\n\n- x\n\n# B\n',
    )
    expect(replaceContent(document, section, '')).toBe('# A\n\n# B\n')
    expect(replaceContent(document, section, '# Up\n```')).toBe('# A\n\n\\# Up\n```\n```\n\n# B\n')
  })

  test('uses the line endings of the document for new text', () => {
    const document = readDocument('# A\r\nold\r\n# B')
    const changed = replaceContent(document, document.sections[1] as Section, 'x\ny')
    expect(changed).toBe('# A\r\n\r\nx\r\ny\r\n\r\n# B')
    const last = readDocument(changed)
    expect(replaceContent(last, last.sections[2] as Section, 'z')).toBe(
      '# A\r\n\r\nx\r\ny\r\n\r\n# B\r\n\r\nz\r\n',
    )
  })
})

test('a hundred saves keep the size bounded', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyText, { minLength: 1, maxLength: 3 }), (text, contents) => {
      let saved = text
      const longest = Math.max(...contents.map((content) => content.length))
      for (let i = 0; i < 100; i++) {
        const document = readDocument(saved)
        const section = document.sections.at(-1) as Section
        saved = replaceContent(document, section, contents[i % contents.length] ?? '')
        saved = setField(readDocument(saved), ['updated'], `save ${i}`)
      }
      // Line endings may double; headings and closing fences add a little.
      expect(saved.length).toBeLessThan(2 * (text.length + 2 * longest) + 100)
    }),
    runs(60),
  )
})

describe('front matter', () => {
  test('setting one key keeps every other line', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('key', 'list', 'new'), (text, key) => {
        const before = readDocument(text)
        const changed = setField(before, [key], 'x: "y"')
        const after = readDocument(changed)
        expect(readField(after, [key])).toBe('x: "y"')
        expect(setField(after, [key], 'x: "y"')).toBe(changed)
        // What follows the front matter stays, byte for byte.
        const body = (document: Document) =>
          document.text.slice(document.sections[0]?.content.start)
        expect(body(after).endsWith(body(before))).toBe(true)
        // The front matter lost only the lines of one entry, in one place.
        const [was, is] = [before, after].map(({ front = [] }) => front.map(({ text }) => text))
        if (was === undefined || is === undefined) return
        let [from, to] = [0, 0]
        while (from < was.length && was[from] === is[from]) from++
        while (to < was.length - from && was.at(-1 - to) === is.at(-1 - to)) to++
        const [first, ...put] = is.slice(from, is.length - to)
        expect(first?.startsWith(`${key}:`) || put.length === 0).toBe(true)
        // What has no place in the new value stays as a comment.
        expect(put.filter((line) => !/^\s*(?:#|$)/.test(line))).toEqual([])
        const gone = was.slice(from, was.length - to)
        expect(gone.slice(1).filter((line) => /^[A-Za-z"'?{]/.test(line))).toEqual([])
      }),
      runs(2000),
    )
  })

  const DOCUMENT = `---
# kept
status: open
tags:
- a
# inside
- b

# also kept
goal: a: b
unknown: {x: [1,
  2]}
---

# A
`

  test.each([
    ['status', 'done', ['status: open', 'status: done']],
    ['tags', ['a', 'b', 'c'], ['- b', '- b\n- c']],
    ['tags', ['c'], ['tags:\n- a\n# inside\n- b', 'tags: [c]\n# inside']],
    ['tags', [], ['tags:\n- a\n# inside\n- b', 'tags: []\n# inside']],
    ['goal', 'x', ['goal: a: b', 'goal: x']],
    ['unknown', null, ['unknown: {x: [1,\n  2]}', 'unknown: null']],
    ['new', '1.10', ['  2]}\n', '  2]}\nnew: "1.10"\n']],
  ] as const)('%s: %j', (key, value, [from, to]) => {
    expect(setField(readDocument(DOCUMENT), [key], value)).toBe(DOCUMENT.replace(from, to))
  })

  test('adds front matter to a document without any', () => {
    expect(setField(readDocument('\ufeff# A\r\n'), ['k'], 'v')).toBe(
      '\ufeff---\r\nk: v\r\n---\r\n\r\n# A\r\n',
    )
    expect(setField(readDocument(''), ['k'], 'v')).toBe('---\nk: v\n---\n')
    const written = setField(readDocument(''), ['map', 'k'], ['x', '- y', 'no'])
    const front = readDocument(written).front?.map(({ text }) => text)
    expect(parse(front?.join('\n') ?? '')).toEqual({ map: { k: ['x', '- y', 'no'] } })
  })
})
