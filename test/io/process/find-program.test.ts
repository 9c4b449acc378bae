import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../../../src/io/process/find-program.ts'
import { Sandbox } from '../../support/git-repo.ts'

test('finds the first program with the name in PATH, and leaves the rest to the system', () => {
  const { folder } = new Sandbox()
  const at = (name: string, mode?: number) => {
    mkdirSync(join(folder, name))
    if (mode === undefined) return join(folder, name)
    writeFileSync(join(folder, name, 'git'), '#!/bin/sh\n')
    chmodSync(join(folder, name, 'git'), mode)
    return join(folder, name)
  }
  const [empty, text, program, other] = [
    at('none'),
    at('text', 0o644),
    at('a b', 0o755),
    at('c', 0o755),
  ]
  const isFolder = at('folder')
  mkdirSync(join(isFolder, 'git'))
  const find = (...folders: string[]) => findProgram('git', { PATH: folders.join(':') })
  expect(find(empty, join(folder, 'gone'), text, isFolder, program, other)).toBe(`${program}/git`)
  expect(find(other, program)).toBe(`${other}/git`)
  // Relative to the folder that git runs in, which the system knows.
  expect(find('bin', program)).toBe('git')
  expect(find('', program)).toBe('git')
  expect(find(empty, text)).toBe('git')
  expect(findProgram('git', {})).toBe('git')
})
