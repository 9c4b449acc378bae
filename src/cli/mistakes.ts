/** What a mistyped command line most likely meant. */

import { usage } from '../core/errors/errors.ts'
import { didYouMean, nearest } from '../core/text/did-you-mean.ts'
import type { Command } from './command/command.ts'
import { wordName } from './command/command.ts'
import type { CommandTable } from './completion-words.ts'

export const GLOBAL_OPTIONS = ['json', 'help', 'version', 'pager'] as const

/** What the first words of a command line name, as far as they do. */
export interface Called {
  readonly command: Command | undefined
  readonly words: readonly string[]
  /** The part of the command line whose help fits its mistake. */
  readonly line: string
  /** The word in the place of a command, where it is none. */
  readonly unknown: string | undefined
  /** The command that it nearly is. */
  readonly near: string | undefined
}

export function findCalled(words: readonly string[], { groups, commands }: CommandTable): Called {
  const [first = '', second = ''] = words
  const group = Object.hasOwn(groups, first) ? groups[first] : undefined
  const [word, known] = group === undefined ? [first, commands] : [second, group.commands]
  const command = known.find(({ name }) => name === word)
  const names = [
    ...known.map(({ name }) => name),
    ...(group ? [] : [...Object.keys(groups), 'help']),
  ]
  const isMistyped = command === undefined && word !== '' && !word.startsWith('-')
  const line = ['ledger-git', ...(group ? [first] : []), ...(command ? [word] : [])].join(' ')
  const unknown = isMistyped ? word : undefined
  return { command, words, line, unknown, near: isMistyped ? nearest(word, names) : undefined }
}

/** `help event add` as `event add --help`. */
export function wordsForHelp(words: readonly string[], table: CommandTable): string[] {
  const { unknown, near, line } = findCalled(words, table)
  if (unknown === 'help') return [...words.slice(0, words.indexOf('help')), '--help']
  if (unknown === undefined) return [...words, '--help']
  throw usage(`no command is called ${unknown}${didYouMean(near)}`, `${line} --help`)
}

/** The parser's words about a mistake, and what was meant. */
export function mistakeIn(message: string, { command, words, unknown, near }: Called): string {
  if (unknown !== undefined) return `${message}${didYouMean(near)}`
  // The parser misses the command first, whose place the option may even have taken.
  const option = command === undefined ? words.find(isUnknownOption) : undefined
  if (option !== undefined) return unknownWords([nameOf(option)], words, command)
  if (message.startsWith('Not enough non-option arguments')) {
    const [needed = 'a word'] = Object.keys(command?.words ?? {})
    return `${needed} is missing`
  }
  const [, lacking] = /^Not enough arguments following: (.*)$/.exec(message) ?? []
  if (lacking !== undefined) return `--${lacking} needs a value`
  const [, one, other] = /^Arguments (\S+) and (\S+) are (?=mutually exclusive)/.exec(message) ?? []
  if (one !== undefined) return `--${one} and --${other} are mutually exclusive`
  // A word too many, behind a whole command, is no command either.
  const [, names] = /^Unknown (?:argument|command)s?: (.*)$/.exec(message) ?? []
  if (names !== undefined) return unknownWords(names.split(', '), words, command)
  const [, name = '', given = '', listed] = CHOICES.exec(message) ?? []
  if (listed === undefined) return message
  const choices = [...listed.matchAll(/"(.*?)"/g)].map(([, choice = '']) => choice)
  const where = Object.hasOwn(command?.options ?? {}, name) ? `--${name}` : `<${name}>`
  const meant = given === '' ? undefined : nearest(given, choices)
  return `${where} is one of ${choices.join(', ')}, not ${given || 'empty'}${didYouMean(meant)}`
}

const FLAGS: ReadonlySet<string> = new Set([...GLOBAL_OPTIONS, 'h', 'v'])

export function isFlag(name: string, options: NonNullable<Command['options']>): boolean {
  return FLAGS.has(name) || (Object.hasOwn(options, name) && options[name]?.type === 'boolean')
}

/** `--json=maybe`, which the parser would take for no; `--no-json=true`, `--no-agent`: nobody can tell what is meant. */
export function refuseMisusedFlags(
  typed: readonly string[],
  { options = {}, words = {} }: Partial<Command>,
): void {
  const shownAs = new Map([
    ...Object.keys(words).map((word) => [wordName(word), `<${wordName(word)}>`] as const),
    ...Object.entries(options).flatMap(([name, { alias }]) =>
      [name, alias].flat().map((one) => [one, `--${name}`] as const),
    ),
  ])
  for (const word of typed) {
    if (word === '--') return
    const [, dashes = '', name = '', value] = FLAG.exec(word) ?? []
    const shown = shownAs.get(name)
    if (isFlag(name, options)) {
      const isYesOrNo = dashes !== '--no-' && (value === 'true' || value === 'false')
      if (value === undefined || isYesOrNo) continue
      throw usage(`${dashes}${name} takes no value`, `${dashes}${name}, or nothing`)
    }
    if (dashes === '--no-' && shown !== undefined)
      throw usage(`${shown} has no --no-${name}`, `leave --no-${name} out`)
  }
}

const FLAG = /^(--no-|--?)([a-z-]+)(?:=([^]*))?$/

function nameOf(option: string): string {
  return option.replace(/^-+(?:no-)?/, '').replace(/=[^]*/, '')
}

export function isUnknownOption(word: string): boolean {
  return /^--?[a-z]/i.test(word) && !FLAGS.has(nameOf(word))
}

const CHOICES = /Argument: (.*?), Given: "(.*?)", Choices: (.*)/

/** As they were typed. */
function unknownWords(
  names: readonly string[],
  words: readonly string[],
  command: Command | undefined,
): string {
  const options = [...Object.keys(command?.options ?? {}), ...GLOBAL_OPTIONS]
  const heads = new Set(words.map((word) => word.split('=')[0]))
  const typed = (name: string) =>
    [`--${name}`, `--no-${name}`, `-${name}`].find((one) => heads.has(one)) ?? name
  const [meant] = names.flatMap((name) => {
    // In capitals, as other tools spell it: `--allBranches` for `--all-branches`.
    const near = nearest(name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase(), options)
    return near === undefined ? [] : [`--${typed(name) === `--no-${name}` ? 'no-' : ''}${near}`]
  })
  const which = names.length === 1 ? 'argument' : 'arguments'
  return `Unknown ${which}: ${names.map(typed).join(', ')}${didYouMean(meant)}`
}
