import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { canonicalBody } from '../../../src/core/event/canonical-body.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { anyText } from '../../support/arbitraries.ts'
import { runs } from '../../support/long.ts'

const HEAD = '---\nts: 2026-01-10T13:03:52Z\nagent: toast\n---\n'
/** What is read from a file, regardless of line numbers. */
const read = (text: string) => {
  const parsed = parseEvent({ file: 'e.md', id: 'id', text })
  const problems = parsed.problems.map((problem) => ({ ...problem, line: 0 }))
  return { ...parsed, problems }
}
const bare = (body: string) => read(`${HEAD}${body}`)
const rewritten = (body: string) => {
  const text = renderEvent({
    ts: '2026-01-10T13:03:52Z',
    agent: 'toast',
    body: canonicalBody(body)?.body,
  })
  return read(text)
}

describe('a body from standard input', () => {
  test('keeps any values as they were read', () => {
    // The YAML library treats a lone BOM as text, and we treat it as blank: quoted it clears a
    // list, bare it does not.
    const anyWellFormed = anyText
      .map((text) => text.toWellFormed())
      .filter((text) => text.trim() !== '' || !text.includes('\ufeff'))
    const anyScalar = fc.oneof(anyWellFormed, fc.integer(), fc.boolean(), fc.constant(null))
    const { tree: anyValue } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        anyScalar,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(anyWellFormed, tie('tree'), { maxKeys: 3 }),
      ),
    }))
    const anyKey = fc.constantFrom('now', 'next', 'decisions', 'checkpoints', 'mood', 'a b')
    fc.assert(
      fc.property(
        fc.dictionary(anyKey, anyValue, { minKeys: 1 }),
        fc.boolean(),
        (value, isFlow) => {
          const body = stringify(value, { collectionStyle: isFlow ? 'flow' : 'any' })
          if (bare(body).warnings.length > 0) return // the library cannot read what it wrote
          expect(rewritten(body)).toEqual(bare(body))
        },
      ),
      runs(600, 60),
    )
  })

  test('keeps unknown keys, whatever they contain', () => {
    const body =
      'now: x\nmood: {good: [1.10, yes, "1"], when: 2026-01-10T00:00:00Z, none: ~, e: {}}\n'
    expect(canonicalBody(body)?.body.split('\n')).toEqual([
      'now: x',
      'mood:',
      '  good:',
      '    - 1.10',
      '    - "yes"',
      '    - "1"',
      '  when: 2026-01-10T00:00:00Z',
      '  none: null',
      '  e: {}',
    ])
    expect(parse(canonicalBody(body)?.body ?? '')).toEqual(parse(body))
  })

  test('keeps sentences that YAML takes for maps as sentences', () => {
    const body = `this_session:
- Fixed: the "parser", it's done
- {task: one, files: [a.ts]}
decisions:
  db: {a: b}
  list: [x,   y]
now: Fixing: the rest
`.replace('now: Fixing: the rest\n', 'now:\n  Fixing: the rest\n')
    expect(rewritten(body)).toEqual(bare(body))
    expect(rewritten(body).event?.thisSession).toEqual([`Fixed: the "parser", it's done`, 'one'])
    expect(canonicalBody(body)?.body).toContain('    files:\n      - a.ts')
  })

  test('writes block texts, folded texts and anchors on one line, and drops comments', () => {
    const body = 'goal: &g |\n  a\n  b\nnow: >\n  c\n  d\ntest: *g # why\n'
    expect(canonicalBody(body)?.body).toBe('goal: "a\\nb\\n"\nnow: "c d\\n"\ntest: "a\\nb\\n"')
    expect(rewritten(body)).toEqual(bare(body))
  })

  test.each(['', 'text', '- a', 'a: [', '---\na: b\n---\nc: d'])(
    'rejects a body that is not a map: %j',
    (body) => {
      expect(canonicalBody(body)).toBeUndefined()
    },
  )
})
