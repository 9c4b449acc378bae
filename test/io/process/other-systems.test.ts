/** git processes where there is no /proc: stand-ins print what macOS's `ps` and `lsof` print. */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { gitsFromPs } from '../../../src/io/process/git-processes.ts'
import { processesAbove, psPicture, wordsFromPs } from '../../../src/io/process/process-table.ts'
import { Sandbox } from '../../support/git-repo.ts'

const PATH = process.env['PATH']
afterEach(() => {
  process.env['PATH'] = PATH
})

/** `programs`: what `ps` prints for the columns `comm` (the program as it was started) and `args`. */
function system(programs: readonly { comm: string; args: string }[], folder = '') {
  const bin = new Sandbox().folder
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const cases = programs.map(({ comm, args }, i) => {
    return `*"-p ${i + 1} -o comm="*) echo '${comm}';; *"-p ${i + 1} -o args="*) echo '${args}';;`
  })
  const all = programs.map(({ comm }, i) => `echo '    ${i + 1} ${comm}'`).join('; ')
  program('ps', `case "$*" in ${cases.join('\n')} *pid=,comm=*) ${all};; *) exit 1;; esac`)
  // As if another process was gone: lsof fails, and prints these.
  program(
    'lsof',
    `for last; do :; done\nfor pid in $(echo "$last" | tr , ' '); do printf 'p%s\\nfcwd\\nn%s\\n' "$pid" '${folder}'; done\n` +
      `echo "$*" >>'${bin}/asked'\nexit 1`,
  )
  process.env['PATH'] = `${bin}${delimiter}${PATH}`
  return { asked: () => readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n') }
}

const DESKTOP = '/Applications/GitHub Desktop.app/Contents/Resources/app/git/bin/git'

test('the words of a git whose own path has a space', () => {
  system([{ comm: DESKTOP, args: `${DESKTOP} commit -F -` }])
  expect(wordsFromPs(1)).toEqual([DESKTOP, 'commit', '-F', '-'])
})

test.each([
  ['git', 'git commit -m fix'],
  ['/usr/bin/git', 'git commit -m fix'],
  ['/bin/sh', '/bin/sh /opt/my tools/git commit'],
])('the words of %j are those of its command line', (comm, args) => {
  system([{ comm, args }])
  expect(wordsFromPs(1)).toEqual(args.split(' '))
})

test('finds gits by their program and folder, whatever the spelling of the folder', () => {
  const programs = [
    { comm: DESKTOP, args: `${DESKTOP} commit` },
    { comm: '-zsh', args: '-zsh' },
    { comm: '/usr/bin/vim', args: '/usr/bin/vim docs/git' },
    { comm: 'git', args: 'git rebase main' },
  ]
  // The folder is stored in decomposed form, and git prints the composed one.
  const { asked } = system(programs, '/Users/ada/re\\xcc\\x81sume\\xcc\\x81')
  expect(gitsFromPs('/Users/ada/r\u00e9sum\u00e9').map(({ pid }) => pid)).toEqual([1, 4])
  expect(asked()).toHaveLength(1)
  expect(gitsFromPs('/Users/ada/other')).toEqual([])
})

test('the processes above are looked up with one ps', () => {
  const bin = new Sandbox().folder
  const start = 'Sat Nov 28 21:51:45 2026    '
  const rows = ['1 0 Ss', '7 1 S+', '8 7 S+'].map((row) => `  ${row}   ${start} /bin/zsh`)
  // A process that has ended may have no name.
  rows.push(`  6 1 Z   ${start}`, `  9 8 Z+   ${start} /bin/zsh`)
  writeFileSync(
    join(bin, 'ps'),
    `#!/bin/sh\necho "$*" >>'${bin}/asked'\ncat <<end\n${rows.join('\n')}\nend\n`,
  )
  chmodSync(join(bin, 'ps'), 0o755)
  process.env['PATH'] = `${bin}${delimiter}${PATH}`
  const look = psPicture()
  expect(processesAbove(9, look).map(({ pid }) => pid)).toEqual([8, 7, 1])
  expect(look(9)).toMatchObject({ parent: 8, isZombie: true, name: 'zsh' })
  expect(look(6)).toMatchObject({ parent: 1, name: '' })
  expect(look(2)).toBe(undefined)
  look(9, 60_000)
  const asked = () => readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n')
  expect(asked()).toHaveLength(1)
  look(9, -1) // older than that
  expect(asked()).toHaveLength(2)
})
