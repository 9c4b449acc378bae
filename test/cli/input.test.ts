/** How a command reads its command line. */

import { expect, test } from 'vitest'
import { flag, Input } from '../../src/cli/command/command.ts'
import type { CliContext } from '../../src/cli/command/context.ts'

test('reading a name that the command does not declare throws', () => {
  const declared = {
    options: { 'dry-run': flag('write nothing') },
    words: { '[files..]': 'files' },
  }
  const context = { env: {}, isStdoutTty: false } as CliContext
  const input = new Input(declared, { 'dry-run': true, files: ['a'] }, context)
  expect(input.flag('dry-run')).toBe(true)
  expect(input.texts('files')).toEqual(['a'])
  expect(input.rest()).toEqual([])
  expect(() => input.flag('dryRun')).toThrow('declares no dryRun')
  expect(() => input.filled('agent')).toThrow('declares no agent')
  expect(() => input.texts('file')).toThrow('declares no file')
})
