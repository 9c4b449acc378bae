/** What may stand where a command line ends: commands, options, or values of some kind. Pure. */

import type { Command } from './command/command.ts'

/** A word, and what it is about. */
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
  /** Stands before each value, as in `--rev=main`. */
  readonly before?: string
  /** Stands behind each value, as in `--decision db=`. */
  readonly behind?: string
}

export interface CommandTable {
  readonly groups: Readonly<Record<string, { describe: string; commands: readonly Command[] }>>
  readonly commands: readonly Command[]
}

const OF_OPTIONS: Readonly<Record<string, Source>> = {
  agent: 'agents',
  branch: 'branches',
  rev: 'revisions',
  range: 'revisions',
  stream: 'handoffs',
  type: 'types',
  decision: 'keys',
  session: 'sessions',
}

/** The words of a command, by its name. */
const OF_WORDS: Readonly<Record<string, Source>> = {
  'event show': 'events',
  'event retract': 'events',
  'event restore': 'events',
  'event redact': 'events',
  'event accept': 'events',
  'event drop': 'events',
  why: 'keys',
  diff: 'revisions',
  preview: 'branches',
  config: 'settings',
  'session show': 'sessions',
  'session reset': 'sessions',
  'session recover': 'sessions',
  'checkpoint show': 'checkpoints',
  'handoff update': 'handoffs',
  'handoff phase': 'handoffs',
  'handoff resume': 'handoffs',
  'handoff show': 'handoffs',
  'handoff check': 'handoffs',
  'handoff complete': 'handoffs',
}

const EVERYWHERE: readonly Candidate[] = [
  { value: '--json', about: 'print data as JSON' },
  { value: '--help', about: 'show help' },
]
const HELP: Candidate = { value: 'help', about: 'explain a command' }
const NOTHING: Asked = { candidates: [] }

/** `words`: behind the program; the last one is begun, maybe empty. */
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
    return command === undefined ? NOTHING : askedOf(command, `${first} ${second}`, rest)
  }
  const command = table.commands.find(({ name }) => name === first)
  return command === undefined ? NOTHING : askedOf(command, first, words.slice(1))
}

function asCandidate({ name, describe }: Command): Candidate {
  return { value: name, about: describe }
}

/** Behind the command's name. */
function askedOf(command: Command, name: string, words: readonly string[]): Asked {
  const word = words.at(-1) ?? ''
  const given = words.slice(0, -1)
  const open = optionOpenAt(command, given)
  if (open !== undefined) return valuesOf(command, open)
  const joined = /^--([a-z-]+)=/.exec(word)
  if (joined !== null) return { ...valuesOf(command, joined[1] ?? ''), before: joined[0] }
  if (word.startsWith('-')) return { candidates: optionsOf(command, given) }
  const typed = wordsIn(command, given)
  const place = typed.length
  const specs = Object.entries(command.words ?? {})
  const [spec, what] = specs[Math.min(place, specs.length - 1)] ?? []
  if (spec === undefined || (place >= specs.length && !spec.includes('..'))) {
    return word === '' ? { candidates: optionsOf(command, given) } : NOTHING
  }
  if (typeof what === 'object' && what.choices) return { candidates: choicesOf(what.choices) }
  const named = alternativesIn(what)
  if (typed.some((one) => named.includes(one))) return NOTHING
  // What they are about may be named before them.
  const source = named.length === 0 || place === 0 ? OF_WORDS[name] : undefined
  return { candidates: choicesOf(named), source }
}

/** The words that a description names as `start|pass|fail`. */
function alternativesIn(what: unknown): string[] {
  return /\w+(?:\|\w+)+/.exec(String(what))?.[0].split('|') ?? []
}

function choicesOf(choices: readonly unknown[]): Candidate[] {
  return choices.map((choice) => ({ value: String(choice), about: '' }))
}

function valuesOf(command: Command, option: string): Asked {
  const { choices } = command.options?.[option] ?? {}
  if (choices !== undefined) return { candidates: choicesOf(choices) }
  const source = Object.hasOwn(OF_OPTIONS, option) ? OF_OPTIONS[option] : undefined
  return { candidates: [], source, ...(option === 'decision' ? { behind: '=' } : {}) }
}

/** Each once, but those that may be repeated. */
function optionsOf(command: Command, given: readonly string[]): Candidate[] {
  const free = Object.entries(command.options ?? {}).filter(
    ([name, { array }]) => array === true || !given.some((word) => nameOf(word) === name),
  )
  const own = free.map(([name, { describe = '', default: preset }]) => ({
    // What holds anyway can only be switched off.
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
function optionOpenAt(command: Command, given: readonly string[]): string | undefined {
  const last = given.at(-1) ?? ''
  const isValue = given.length > 1 && takesValue(command, given.at(-2) ?? '')
  return !isValue && takesValue(command, last) ? last.slice(2) : undefined
}

/** The words of the command's own that are there already. */
function wordsIn(command: Command, given: readonly string[]): string[] {
  return given.filter(
    (word, i) => !word.startsWith('-') && (i === 0 || !takesValue(command, given[i - 1] ?? '')),
  )
}
