/** The Validation State: fenced JSON, read with its comments and changed value by value. */

import { applyEdits, modify, parse } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'
import type { Range } from '../document/document.ts'
import { LedgerError } from '../errors/errors.ts'
import type { Edit } from './edit-lines.ts'
import { lastLineOf, partIn, putLines, splice, withPart } from './edit-lines.ts'
import type { Handoff } from './handoff.ts'

export interface Validation {
  readonly range: Range
  /** Undefined if the text is not a JSON object. */
  readonly values: Readonly<Record<string, unknown>> | undefined
}

/** The contents of the template's block, in its order. */
const EMPTY = {
  test_count: 0,
  tests_passing: 0,
  files_modified: [],
  last_test_command: null,
  last_test_exit_code: null,
}

/** Undefined if there is no fence. */
export function validationOf({ byName, text }: Handoff): Validation | undefined {
  const lines = byName.validation?.lines ?? []
  const first = lines.findIndex(({ text }) => /^\s*(?:`{3,}|~{3,})/.test(text))
  const open = lines[first]
  if (open === undefined) return undefined
  const last = lines.slice(first + 1).find((line) => /^\s*(?:`{3,}|~{3,})\s*$/.test(line.text))
  const range = { start: open.end, end: last?.start ?? lines.at(-1)?.end ?? open.end }
  return { range, values: valuesOf(text.slice(range.start, range.end)) }
}

/** Changes each value separately; comments, order, and unknown keys are left unchanged. Rejects a broken block. */
export function setValidation(changes: Readonly<Record<string, unknown>>): Edit {
  return (handoff) => {
    const opened = withBlock(handoff)
    const found = validationOf(opened)
    if (found?.values === undefined) throw brokenBlock()
    const before = opened.text.slice(found.range.start, found.range.end)
    const { eol } = opened.document
    let json = before
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined || JSON.stringify(found.values[key]) === JSON.stringify(value))
        continue
      const formattingOptions = { insertSpaces: true, tabSize: 2, eol }
      const edits = modify(json, [key], value, { formattingOptions })
      json = applyEdits(json, edits)
    }
    return splice(opened, { ...found.range, put: json })
  }
}

export function emptyValidation(): string[] {
  return ['```json', ...JSON.stringify(EMPTY, null, 2).split('\n'), '```']
}

function brokenBlock(): LedgerError {
  return new LedgerError(
    'HANDOFF_UNREADABLE',
    'Validation State does not contain a JSON object',
    'fix it in the file (ledger-git handoff check), then run the command again',
  )
}

function withBlock(handoff: Handoff): Handoff {
  if (validationOf(handoff) !== undefined) return handoff
  const opened = withPart(handoff, 'validation')
  const at = lastLineOf(partIn(opened, 'validation'))
  return splice(opened, putLines(opened, at, emptyValidation()))
}

function valuesOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const errors: ParseError[] = []
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true })
    if (errors.length > 0 || typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value) ? undefined : { ...value }
  } catch (error) {
    if (error instanceof RangeError) return undefined // nested too deeply
    throw error
  }
}
