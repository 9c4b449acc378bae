/** Man pages say what the command table says, in a form that man can read. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TABLE } from '../../src/cli/cli.ts'
import { manPages } from '../../scripts/man-page.ts'
import { Sandbox } from '../support/git-repo.ts'
import { notRunUnless } from '../support/not-run.ts'

const pages = manPages(TABLE, '1.2.3')

test('there is a page for each command and group, and one for git ledger --help', () => {
  const names = [...TABLE.commands.map(({ name }) => name), ...Object.keys(TABLE.groups)]
  const expected = ['ledger-git', 'git-ledger', ...names.map((name) => `ledger-git-${name}`)]
  expect([...pages.keys()].toSorted()).toEqual(expected.map((name) => `${name}.1`).toSorted())
})

test('every option of every command is there, and no text line is an accidental request', () => {
  const known = /^\.(?:TH|SH|TP|B|BR|PP|RS|RE|nf|fi|nh|ad|br)\b/
  for (const text of pages.values()) {
    const lines = text.split('\n')
    expect(lines.filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([])
  }
  for (const command of TABLE.commands) {
    const text = pages.get(`ledger-git-${command.name}.1`) ?? ''
    for (const option of Object.keys(command.options ?? {})) {
      expect(text).toContain(`\\-\\-${option.replaceAll('-', '\\-')}`)
    }
  }
})

test('mandoc finds no problem', (context) => {
  const hasMandoc = spawnSync('mandoc', ['-T', 'lint'], { input: '' }).error === undefined
  if (notRunUnless(hasMandoc, 'the form of man pages', 'there is no mandoc here')) context.skip()
  const folder = join(new Sandbox().folder, 'man')
  mkdirSync(folder)
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
  const files = [...pages.keys()].map((name) => join(folder, name))
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', ...files], {
    encoding: 'utf8',
  })
  expect(
    stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date')),
  ).toEqual([])
})
