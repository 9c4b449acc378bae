/** What a mistyped command line most likely meant. */

import { usage } from '../core/errors/errors.ts'
import { didYouMean, nearest } from '../core/text/did-you-mean.ts'
import type { Command } from './command/command.ts'
import { wordName } from './command/command.ts'
import type { CommandTable } from './completion-words.ts'

export const GLOBAL_OPTIONS = ['json', 'help', 'version', 'pager'] as const

/** The command that the first words of a command line name, if they name one. */
export interface Called {
  readonly command: Command | undefined
  readonly words: readonly string[]
  /** The part of the command line whose help is shown after a mistake. */
  readonly line: string
  /** The word in place of a command, if it is not a command. */
  readonly unknown: string | undefined
  /** The command whose name is closest to `unknown`. */
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

/** Turns `help event add` into `event add --help`. */
export function wordsForHelp(words: readonly string[], table: CommandTable): string[] {
  const { unknown, near, line } = findCalled(words, table)
  if (unknown === 'help') return [...words.slice(0, words.indexOf('help')), '--help']
  if (unknown === undefined) return [...words, '--help']
  throw usage(`no command is called ${unknown}${didYouMean(near)}`, `${line} --help`)
}

/** The parser's message about a mistake, with what was probably meant. */
export function mistakeIn(message: string, { command, words, unknown, near }: Called): string {
  if (unknown !== undefined) return `${message}${didYouMean(near)}`
  // The parser complains about the missing command first, even if an option has taken its place.
  const option = command === undefined ? words.find(isUnknownOption) : undefined
  if (option !== undefined) return unknownWords([nameOf(option)], words, command)
  if (message.startsWith('Not enough non-option arguments')) {
    const [needed = 'a word'] = Object.keys(command?.words ?? {})
    return `${needed} is missing`
  }
  const [, lacking] = /^Not enough arguments following: (.*)$/.exec(message) ?? []
  if (lacking !== undefined) {
    const options = Object.entries(command?.options ?? {})
    const [name] = options.find(([, { alias }]) => alias === lacking) ?? [lacking]
    return `--${name} needs a value`
  }
  const [, one, other] = /^Arguments (\S+) and (\S+) are (?=mutually exclusive)/.exec(message) ?? []
  if (one !== undefined) return `--${one} and --${other} are mutually exclusive`
  // The parser also calls an extra word after a complete command an unknown command.
  const [, names] = /^Unknown (?:argument|command)s?: (.*)$/.exec(message) ?? []
  if (names !== undefined) return unknownWords(names.split(', '), words, command)
  const [, name = '', given = '', listed] = CHOICES.exec(message) ?? []
  if (listed === undefined) return message
  const choices = [...listed.matchAll(/"(.*?)"/g)].map(([, choice = '']) => choice)
  const where = Object.hasOwn(command?.options ?? {}, name) ? `--${name}` : `<${name}>`
  const meant = given === '' ? undefined : nearest(given, choices)
  return `${where} must be one of ${choices.join(', ')}, not ${given || 'empty'}${didYouMean(meant)}`
}

const FLAGS: ReadonlySet<string> = new Set([...GLOBAL_OPTIONS, 'h', 'v'])

export function isFlag(name: string, options: NonNullable<Command['options']>): boolean {
  return FLAGS.has(name) || (Object.hasOwn(options, name) && options[name]?.type === 'boolean')
}

/** Refuses unclear flags: `--json=maybe`, which the parser would read as no, `--no-json=true`, `--no-agent`. */
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
      throw usage(`${dashes}${name} takes no value`, `${dashes}${name}, or leave it out`)
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

/** Reports unknown words, spelled as they were typed. */
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
    // Other tools spell options in camel case: `--allBranches` for `--all-branches`.
    const near = nearest(name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase(), options)
    return near === undefined ? [] : [`--${typed(name) === `--no-${name}` ? 'no-' : ''}${near}`]
  })
  const which = names.length === 1 ? 'argument' : 'arguments'
  return `Unknown ${which}: ${names.map(typed).join(', ')}${didYouMean(meant)}`
}
