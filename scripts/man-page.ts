/** Man pages from the table of commands: one for all of them, and one per command or group. Pure. */

import type { Command } from '../src/cli/command/command.ts'
import type { CommandTable } from '../src/cli/completion-words.ts'

const ABOUT = 'what parallel coding agents know, kept in git without merge conflicts'
const EXITS = [
  ['0', 'done, or the check holds'],
  ['1', 'a check did not hold, or the user must act'],
  ['2', 'wrong arguments or settings'],
  ['3', 'not a repository, or the environment is unsuitable'],
  ['70', 'a bug'],
  ['130', 'interrupted'],
] as const
const EVERYWHERE = [
  ['--json', 'print data as JSON'],
  ['-h, --help', 'show help'],
  ['-v, --version', 'show the version'],
] as const

interface Topic {
  readonly name: string
  readonly describe: string
  /** Empty for a command that is not in a group. */
  readonly group: string
  readonly commands: readonly Command[]
}

/** Text by file name. */
export function manPages({ groups, commands }: CommandTable, version: string): Map<string, string> {
  const topics: Topic[] = [
    ...commands.map((command) => ({ ...command, group: '', commands: [command] })),
    ...Object.entries(groups).map(([name, group]) => ({ ...group, name, group: name })),
  ]
  const top = topPage(topics)
  const pages: [name: string, lines: string[]][] = [
    ['ledger-git', top],
    ['git-ledger', top],
    ...topics.map((topic): [string, string[]] => [`ledger-git-${topic.name}`, topicPage(topic)]),
  ]
  return new Map(pages.map(([name, lines]) => [`${name}.1`, page(name, version, lines)]))
}

function page(name: string, version: string, lines: readonly string[]): string {
  const head = `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`ledger-git ${version}`)} "ledger-git"`
  return `${[head, '.nh', '.ad l', ...lines].join('\n')}\n`
}

function topPage(topics: readonly Topic[]): string[] {
  return [
    ...nameSection('ledger-git', ABOUT),
    '.SH SYNOPSIS',
    '.B git ledger',
    text('COMMAND [OPTIONS]'),
    '.br',
    '.B ledger-git',
    text('COMMAND [OPTIONS]'),
    '.SH COMMANDS',
    ...topics.flatMap(({ name, describe }) => item(name, describe)),
    '.SH OPTIONS',
    ...EVERYWHERE.flatMap(([name, about]) => item(name, about)),
    ...exits(),
    '.SH SEE ALSO',
    ...topics.map(
      ({ name }, i) =>
        `.BR ${quoted(`ledger-git-${name}`)} (1)${i < topics.length - 1 ? ' ,' : ''}`,
    ),
  ]
}

function topicPage({ name, describe, group, commands }: Topic): string[] {
  return [
    ...nameSection(`ledger-git-${name}`, describe),
    ...commands.flatMap((one) => [
      `.SH ${group === '' ? 'SYNOPSIS' : quoted(`${group} ${one.name}`)}`,
      ...bodyOf(one, group),
    ]),
    ...exits(),
    '.SH SEE ALSO',
    '.BR ledger-git (1)',
  ]
}

/** Synopsis, description, options, examples. */
function bodyOf(
  { name, words = {}, describe, options = {}, examples, rest }: Command,
  group: string,
): string[] {
  const line = ['git ledger', group, name].filter((word) => word !== '').join(' ')
  const behind = [...Object.keys(words), '[OPTIONS]', ...(rest === undefined ? [] : [`-- ${rest}`])]
  return [
    `.B ${text(line)}`,
    text(behind.join(' ')),
    '.PP',
    text(`${describe}.`),
    ...Object.entries(options).flatMap(
      ([option, { alias, describe: about = '', type, choices = [] }]) => {
        const short = typeof alias === 'string' ? `-${alias}, ` : ''
        const value = type === 'boolean' ? '' : ` ${option.toUpperCase()}`
        const listed = choices.length === 0 ? '' : ` (${choices.join(', ')})`
        return item(`${short}--${option}${value}`, `${about}${listed}`)
      },
    ),
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

function item(name: string, about: string): string[] {
  return ['.TP', `.B ${text(name)}`, text(about)]
}

function quoted(word: string): string {
  return `"${text(word).replaceAll('"', '\\(dq')}"`
}

/** Escapes a line so that roff prints it unchanged. */
function text(line: string): string {
  const plain = line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq')
  const ascii = plain.replaceAll('…', '...').replaceAll('→', '\\(->')
  return ascii.startsWith('.') ? `\\&${ascii}` : ascii
}
