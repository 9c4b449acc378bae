/** Man pages from the table of commands: one of all, one a command or group. Pure. */

import type { Command } from './command/command.ts'
import type { CommandTable } from './completion-words.ts'

const ABOUT = 'continuity state for parallel coding agents, kept in git without merge conflicts'
const EXITS = [
  ['0', 'done, or the check holds'],
  ['1', 'a check did not hold, or the user must act'],
  ['2', 'wrong words, or wrong settings'],
  ['3', 'not a repository, or the environment does not fit'],
  ['70', 'a bug'],
  ['130', 'interrupted'],
] as const
const EVERYWHERE = [
  ['--json', 'print data as JSON'],
  ['-h, --help', 'show help'],
  ['-v, --version', 'show the version'],
] as const

/** Text by file name. */
export function manPages(table: CommandTable, version: string): Map<string, string> {
  const pages = new Map<string, string>()
  const top = topPage(table)
  for (const name of ['ledger-git', 'git-ledger']) pages.set(`${name}.1`, page(name, version, top))
  for (const command of table.commands) {
    const name = `ledger-git-${command.name}`
    pages.set(`${name}.1`, page(name, version, commandPage(name, command)))
  }
  for (const [group, { describe, commands }] of Object.entries(table.groups)) {
    const name = `ledger-git-${group}`
    const lines = [
      ...nameSection(name, describe),
      ...commands.flatMap((one) => [
        '.SH ' + quoted(`${group} ${one.name}`),
        ...bodyOf(one, group),
      ]),
    ]
    pages.set(`${name}.1`, page(name, version, [...lines, ...seeAlso()]))
  }
  return pages
}

function page(name: string, version: string, lines: readonly string[]): string {
  const head = `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`ledger-git ${version}`)} "ledger-git"`
  return `${[head, '.nh', '.ad l', ...lines].join('\n')}\n`
}

function topPage({ groups, commands }: CommandTable): string[] {
  const rows = [
    ...commands.map(({ name, describe }) => [name, describe] as const),
    ...Object.entries(groups).map(([name, { describe }]) => [name, describe] as const),
  ]
  return [
    ...nameSection('ledger-git', ABOUT),
    '.SH SYNOPSIS',
    '.B git ledger',
    text('COMMAND [OPTIONS]'),
    '.br',
    '.B ledger-git',
    text('COMMAND [OPTIONS]'),
    '.SH COMMANDS',
    ...rows.flatMap(([name, about]) => item(name, about)),
    '.SH OPTIONS',
    ...EVERYWHERE.flatMap(([name, about]) => item(name, about)),
    ...exits(),
    '.SH SEE ALSO',
    ...rows.map(
      ([name], i) => `.BR ${quoted(`ledger-git-${name}`)} (1)${i < rows.length - 1 ? ' ,' : ''}`,
    ),
  ]
}

function commandPage(name: string, command: Command): string[] {
  const { describe } = command
  return [
    ...nameSection(name, describe),
    '.SH SYNOPSIS',
    ...bodyOf(command, ''),
    ...exits(),
    ...seeAlso(),
  ]
}

/** Synopsis, what it does, options, examples. */
function bodyOf(
  { name, words = {}, describe, options = {}, examples, rest }: Command,
  group: string,
): string[] {
  const line = ['git ledger', group, name].filter((word) => word !== '').join(' ')
  const behind = [...Object.keys(words), '[OPTIONS]', ...(rest === undefined ? [] : [`-- ${rest}`])]
  const described = Object.entries(options).map(
    ([option, { alias, describe: about = '', type, choices = [] }]) => {
      const short = typeof alias === 'string' ? `-${alias}, ` : ''
      const value = type === 'boolean' ? '' : ` ${option.toUpperCase()}`
      const listed = choices.length === 0 ? '' : ` (${choices.join(', ')})`
      return [`${short}--${option}${value}`, `${about}${listed}`] as const
    },
  )
  return [
    `.B ${text(line)}`,
    text(behind.join(' ')),
    '.PP',
    text(`${describe}.`),
    ...described.flatMap(([one, about]) => item(one, about)),
    '.PP',
    'Examples:',
    ...examples.flatMap(([example, what]) => [
      '.PP',
      text(`${what}:`),
      '.RS 4',
      '.nf',
      text(example),
      '.fi',
      '.RE',
    ]),
  ]
}

function nameSection(name: string, about: string): string[] {
  return ['.SH NAME', `${text(name)} \\- ${text(about)}`]
}

function exits(): string[] {
  return ['.SH EXIT STATUS', ...EXITS.flatMap(([status, meaning]) => item(status, meaning))]
}

function seeAlso(): string[] {
  return ['.SH SEE ALSO', '.BR ledger-git (1)']
}

function item(name: string, about: string): string[] {
  return ['.TP', `.B ${text(name)}`, text(about)]
}

function quoted(word: string): string {
  return `"${text(word).replaceAll('"', '\\(dq')}"`
}

/** A line that roff prints as it is. */
function text(line: string): string {
  const plain = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq')
  const ascii = plain.replaceAll('…', '...').replaceAll('→', '\\(->')
  return ascii.startsWith('.') ? `\\&${ascii}` : ascii
}
