import { describe, expect, test } from 'vitest'
import { foldLedger } from '../../../src/core/ledger/join.ts'
import {
  hasConflictMarkers,
  isRendered,
  parseProvenance,
} from '../../../src/core/ledger/provenance.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { event, HOSTILE_TEXTS } from '../../support/arbitraries.ts'

const TREE = '3c461e2d1c2640489933907a30f8be7b29cfba4b'
const rendered = renderLedger(foldLedger([event({ now: 'work' })]), TREE)

describe('parseProvenance', () => {
  test('reads what renderLedger wrote, for both object formats and with CRLF', () => {
    expect(parseProvenance(rendered)).toEqual({ format: 1, eventsTree: TREE })
    expect(parseProvenance(rendered.replaceAll('\n', '\r\n'))?.eventsTree).toBe(TREE)
    const sha256 = 'ab'.repeat(32)
    expect(parseProvenance(renderLedger(foldLedger([]), sha256))?.eventsTree).toBe(sha256)
  })

  test('reads a newer format', () => {
    expect(parseProvenance(rendered.replace('format: 1', 'format: 12'))?.format).toBe(12)
  })

  test('rejects a footer with repeated, missing or malformed parts', () => {
    const line = `  events_tree: ${TREE}\n`
    const bad = [
      '',
      rendered + rendered,
      rendered.replace(line, line + line),
      rendered.replace(line, ''),
      rendered.replace(TREE, TREE.slice(1)),
      rendered.replace(TREE, TREE.toUpperCase()),
      rendered.replace('  format: 1\n', ''),
      rendered.replace('  format: 1\n', '  format: one\n'),
      rendered.replace('_synthesized:\n', ''),
      rendered.replace('_synthesized:', ' _synthesized:'),
      rendered.replace('_synthesized:\n', '_synthesized:\n_synthesized:\n'),
    ]
    for (const text of bad) expect(parseProvenance(text)).toBeUndefined()
  })

  test('rejects a file with conflict markers', () => {
    for (const marker of ['<<<<<<< HEAD', '=======', '>>>>>>> x', '||||||| base', '<<<<<<<<<<']) {
      expect(hasConflictMarkers(`a\n${marker}\nb`)).toBe(true)
      expect(parseProvenance(`${marker}\n${rendered}`)).toBeUndefined()
      expect(parseProvenance(`${marker}\r\n${rendered}`)).toBeUndefined()
    }
    expect(hasConflictMarkers('a <<<<<<< HEAD\n<<<<<<\n<<<<<<<x\n')).toBe(false)
  })

  test('event text can neither forge nor hide the footer', () => {
    for (const text of HOSTILE_TEXTS) {
      const ledger = foldLedger([
        event({
          title: text,
          now: text,
          goal: text,
          openQuestions: [text],
          decisions: [{ key: text, value: text, text }],
          agent: text,
          branch: text,
        }),
      ])
      expect(parseProvenance(renderLedger(ledger, TREE))).toEqual({ format: 1, eventsTree: TREE })
    }
  })
})

test('isRendered recognizes our file with CRLF and with conflict markers', () => {
  expect(isRendered(rendered)).toBe(true)
  expect(isRendered(rendered.replaceAll('\n', '\r\n'))).toBe(true)
  expect(isRendered(`<<<<<<< HEAD\n${rendered}=======\n`)).toBe(true)
  expect(isRendered('## Ledger\n**Now:** by hand\n')).toBe(false)
  expect(isRendered('- _synthesized:\n')).toBe(false)
})
