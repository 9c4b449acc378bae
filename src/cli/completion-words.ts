/** What can be completed at the end of a command line: commands, options, or values of some kind. Pure. */

import type { Command } from './command/command.ts'

/** A suggested word, and its description. */
export interface Candidate {
  readonly value: string
  readonly about: string
}

/** Values that only the repository knows. */
export type Source =
  | 'agents'
  | 'branches'
  | 'revisions'
  | 'types'
  | 'events'
  | 'keys'
  | 'handoffs'
  | 'sessions'
  | 'checkpoints'
  | 'settings'

export interface Asked {
  readonly candidates: readonly Candidate[]
  readonly source?: Source | undefined
  /** Put before each value, as in `--rev=main`. */
  readonly before?: string
  /** Put after each value, as in `--decision db=`. */
  readonly behind?: string
}

export interface CommandTable {
  readonly groups: Readonly<Record<string, { describe: string; commands: readonly Command[] }>>
  readonly commands: readonly Command[]
}

const OPTION_SOURCES: Readonly<Record<string, Source>> = {
  agent: 'agents',
  branch: 'branches',
  rev: 'revisions',
  range: 'revisions',
  stream: 'handoffs',
  type: 'types',
  decision: 'keys',
  session: 'sessions',
}

/** Where the values of a command's positional words come from: by its group, or else by its name. */
const WORD_SOURCES: Readonly<Record<string, Source>> = {
  event: 'events',
  handoff: 'handoffs',
  session: 'sessions',
  checkpoint: 'checkpoints',
  why: 'keys',
  diff: 'revisions',
  preview: 'branches',
  config: 'settings',
}
/** Commands that take files of any name, or a new name. */
const NO_SOURCE = new Set(['event validate', 'handoff create'])

const EVERYWHERE: readonly Candidate[] = [
  { value: '--json', about: 'print data as JSON' },
  { value: '--help', about: 'show help' },
]
const HELP: Candidate = { value: 'help', about: 'explain a command' }
const NOTHING: Asked = { candidates: [] }

/** `words`: what follows the program's name; the last word is still being typed and may be empty. */
export function askedAt(words: readonly string[], table: CommandTable): Asked {
  const [first = '', second = '', ...rest] = words
  const groups = Object.entries(table.groups)
  const names = [
    ...table.commands.map(asCandidate),
    ...groups.map(([value, { describe: about }]) => ({ value, about })),
  ]
  if (words.length <= 1)
    return { candidates: first.startsWith('-') ? EVERYWHERE : [...names, HELP] }
  if (first === 'help') {
    const inGroup = rest.length === 1 ? table.groups[second]?.commands : undefined
    return { candidates: words.length === 2 ? names : (inGroup ?? []).map(asCandidate) }
  }
  if (Object.hasOwn(table.groups, first)) {
    const { commands } = table.groups[first] ?? { commands: [] }
    if (words.length === 2) return { candidates: commands.map(asCandidate) }
    const command = commands.find(({ name }) => name === second)
    return command === undefined ? NOTHING : completionsAfter(command, `${first} ${second}`, rest)
  }
  const command = table.commands.find(({ name }) => name === first)
  return command === undefined ? NOTHING : completionsAfter(command, first, words.slice(1))
}

function asCandidate({ name, describe }: Command): Candidate {
  return { value: name, about: describe }
}

/** Completes what follows the command's name. */
function completionsAfter(command: Command, name: string, words: readonly string[]): Asked {
  const word = words.at(-1) ?? ''
  const given = words.slice(0, -1)
  const open = optionAwaitingValue(command, given)
  if (open !== undefined) return valuesOf(command, open)
  const joined = /^--([a-z-]+)=/.exec(word)
  if (joined !== null) return { ...valuesOf(command, joined[1] ?? ''), before: joined[0] }
  if (word.startsWith('-')) return { candidates: optionsOf(command, given) }
  const typed = wordsIn(command, given)
  const position = typed.length
  const specs = Object.entries(command.words ?? {})
  const [spec, what] = specs[Math.min(position, specs.length - 1)] ?? []
  if (spec === undefined || (position >= specs.length && !spec.includes('..'))) {
    return word === '' ? { candidates: optionsOf(command, given) } : NOTHING
  }
  if (typeof what === 'object' && what.choices) return { candidates: choicesOf(what.choices) }
  const named = alternativesIn(what)
  if (typed.some((one) => named.includes(one))) return NOTHING
  // The first word may name what the alternatives apply to.
  const [group = ''] = name.split(' ')
  const hasSource = (named.length === 0 || position === 0) && !NO_SOURCE.has(name)
  const source = hasSource ? WORD_SOURCES[group] : undefined
  return { candidates: choicesOf(named), source }
}

/** The alternatives that a description lists, as in `start|pass|fail`. */
function alternativesIn(what: unknown): string[] {
  return /\w+(?:\|\w+)+/.exec(String(what))?.[0].split('|') ?? []
}

function choicesOf(choices: readonly unknown[]): Candidate[] {
  return choices.map((choice) => ({ value: String(choice), about: '' }))
}

function valuesOf(command: Command, option: string): Asked {
  const { choices } = command.options?.[option] ?? {}
  if (choices !== undefined) return { candidates: choicesOf(choices) }
  const source = Object.hasOwn(OPTION_SOURCES, option) ? OPTION_SOURCES[option] : undefined
  return { candidates: [], source, ...(option === 'decision' ? { behind: '=' } : {}) }
}

/** Leaves out options that are already given, unless they may be repeated. */
function optionsOf(command: Command, given: readonly string[]): Candidate[] {
  const free = Object.entries(command.options ?? {}).filter(
    ([name, { array }]) => array === true || !given.some((word) => nameOf(word) === name),
  )
  const own = free.map(([name, { describe = '', default: preset }]) => ({
    // A flag that is on by default can only be switched off.
    value: preset === true ? `--no-${name}` : `--${name}`,
    about: describe,
  }))
  return [...own, ...EVERYWHERE]
}

function nameOf(word: string): string | undefined {
  return /^--(?:no-)?([a-z-]+)/.exec(word)?.[1]
}

function takesValue(command: Command, word: string): boolean {
  const name = /^--([a-z-]+)$/.exec(word)?.[1] ?? ''
  const option = Object.hasOwn(command.options ?? {}, name) ? command.options?.[name] : undefined
  return option !== undefined && option.type !== 'boolean'
}

/** The option whose value comes next. */
function optionAwaitingValue(command: Command, given: readonly string[]): string | undefined {
  const last = given.at(-1) ?? ''
  const isValue = given.length > 1 && takesValue(command, given.at(-2) ?? '')
  return !isValue && takesValue(command, last) ? last.slice(2) : undefined
}

/** The command's positional words that are already given. */
function wordsIn(command: Command, given: readonly string[]): string[] {
  return given.filter(
    (word, i) => !word.startsWith('-') && (i === 0 || !takesValue(command, given[i - 1] ?? '')),
  )
}
