/** The command line: one parser for the table of commands, one way to fail. */

import type { ArgumentsCamelCase, Argv } from 'yargs'
import yargs from 'yargs'
import { usage } from '../core/errors/errors.ts'
import type { Command } from './command/command.ts'
import { REST, wordName } from './command/command.ts'
import { COMMANDS, GROUPS } from './command-table.ts'
import { complete } from './complete.ts'
import { runOnTerminal } from './run-on-terminal.ts'
import type { CliContext } from './command/context.ts'
import {
  findCalled,
  GLOBAL_OPTIONS,
  isFlag,
  isUnknownOption,
  mistakeIn,
  refuseMisusedFlags,
  wordsForHelp,
} from './mistakes.ts'
import type { Called } from './mistakes.ts'

/** Every command there is. */
export const TABLE = { groups: GROUPS, commands: COMMANDS }

/** Parses and runs one command line. Returns the exit status; throws what the command throws. */
export async function runCli(typed: readonly string[], context: CliContext): Promise<number> {
  if (typed[0] === '--complete') {
    await complete(typed.slice(1), TABLE, context)
    return 0
  }
  let exit = 0
  const words = typed[0] === 'help' ? wordsForHelp(typed.slice(1), TABLE) : typed
  const found = findCalled(words, TABLE)
  const { own, rest } = splitRest(words, found.command)
  const called = { ...found, words: joinSentences(own, found.command) }
  const parser = base(yargs([], context.cwd), called, context)
  const add = (to: Argv, command: Command, group = '') =>
    addCommand(to, command, group, async (args) => {
      refuseMisusedFlags(called.words, command)
      refuseEmpty(args, command, `ledger-git ${group}${command.name} --help`)
      exit = await runOnTerminal(command, { ...args, [REST]: rest }, context)
      if (command.writes === true) await context.sweep()
    })
  for (const command of COMMANDS) add(parser, command)
  for (const [name, { describe, commands }] of Object.entries(GROUPS)) {
    parser.command(name, describe, (inner) => {
      for (const command of commands) add(inner, command, `${name} `)
      const names = commands.map((command) => command.name)
      return inner.demandCommand(1, `name a command of ${name}: ${names.join(', ')}`)
    })
  }
  // Prints what the parser itself outputs: help, and the version.
  const printHelp = (_error: unknown, _args: unknown, text: string) => {
    if (text !== '') context.stdout(`${context.named(text)}\n`)
  }
  await parser.parseAsync(called.words, {}, printHelp)
  return exit
}

/** Splits off the words after `--`: they belong to another program and are not parsed here. */
function splitRest(words: readonly string[], command: Command | undefined) {
  const at = command?.rest === undefined ? -1 : words.indexOf('--')
  return at === -1
    ? { own: words, rest: [] }
    : { own: words.slice(0, at), rest: words.slice(at + 1) }
}

function base(parser: Argv, called: Called, context: CliContext): Argv {
  // The name as it is typed here, set before lines are wrapped: a longer name moves the columns.
  const name = context.named('ledger-git status').replace(/ status$/, '')
  return parser
    .scriptName(name)
    .usage('$0 <command>\n\nWhat parallel coding agents know, kept in git without merge conflicts.')
    .version(context.version)
    .alias('version', 'v')
    .help()
    .alias('help', 'h')
    .locale('en')
    .option('json', { type: 'boolean', describe: 'print data as JSON', global: true })
    .option('pager', {
      type: 'boolean',
      default: true,
      describe: 'page long output on a terminal (--no-pager: do not)',
      global: true,
    })
    .parserConfiguration({
      'duplicate-arguments-array': true,
      'parse-numbers': false,
      // Each option has one spelling: the one in help and documentation.
      'camel-case-expansion': false,
    })
    .strict()
    .strictCommands()
    .demandCommand(1, 'name a command')
    .wrap(Math.min(context.columns || 100, 100))
    .exitProcess(false)
    .fail((message, error) => {
      // yargs throws its own error class for invalid arguments; any other error is a command's.
      if (error instanceof Error && error.name !== 'YError') throw error
      refuseMisusedFlags(called.words, called.command ?? {})
      const what = message || (error instanceof Error ? error.message : '')
      const { refusal } = called.command ?? {}
      const isWord =
        /^Unknown (?:argument|command)s?: /.test(what) && !called.words.some(isUnknownOption)
      if (refusal !== undefined && isWord) throw usage(...refusal)
      throw usage(mistakeIn(what, called), `${called.line} --help`)
    })
}

/** Turns `--now '-v is verbose'` into `--now=-v is verbose`: the parser would take the value for an option. */
function joinSentences(words: readonly string[], command: Command | undefined): string[] {
  const options = command?.options ?? {}
  const known = new Set([...GLOBAL_OPTIONS, ...Object.keys(options)])
  const isOption = (word: string) => {
    const [, name, text = ''] = /^--(?:no-)?([a-z]+(?:-[a-z]+)*)(?:=([^]*))?$/.exec(word) ?? []
    if (name === undefined) return word === '--'
    // No flag takes a value, so one with a space in it is a sentence: `--json=5 is broken`.
    return known.has(name) && !(isFlag(name, options) && /\s/.test(text))
  }
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [word = '', value] = [words[i], words[i + 1]]
    const isSentence = word.startsWith('--') && options[word.slice(2)]?.isSentence === true
    if (isSentence && value?.startsWith('-') && !isOption(value)) {
      joined.push(`${word}=${value}`)
      i++
    } else joined.push(word)
  }
  return joined
}

/** Refuses an empty value where one is required, such as an unset variable in a script leaves. */
function refuseEmpty(
  args: ArgumentsCamelCase,
  { words = {}, options = {} }: Command,
  next: string,
) {
  const needed = Object.entries(options).filter(([, { requiresArg }]) => requiresArg === true)
  const shown = [
    ...Object.keys(words).map((word) => [wordName(word), `<${wordName(word)}>`] as const),
    ...needed.map(([name]) => [name, `--${name}`] as const),
  ]
  const empty = shown.find(([name]) =>
    [args[name]].flat().some((value) => typeof value === 'string' && value.trim() === ''),
  )
  if (empty !== undefined) throw usage(`${empty[1]} is empty`, next)
}

function addCommand(
  parser: Argv,
  { name, words = {}, describe, options = {}, examples, rest }: Command,
  group: string,
  run: (args: ArgumentsCamelCase) => Promise<void>,
): void {
  const line = [name, ...Object.keys(words)].join(' ')
  const shown = examples.map(([example, what]) => `  # ${what}\n  ${example}`)
  const build = (inner: Argv) => {
    for (const [word, what] of Object.entries(words)) {
      const positional = typeof what === 'string' ? { describe: what } : what
      inner.positional(wordName(word), { type: 'string', ...positional })
    }
    return inner
      .options(options)
      .group(Object.keys(options), 'Options:')
      .group([...GLOBAL_OPTIONS], 'With every command:')
      .usage(`ledger-git ${group}${line}${rest === undefined ? '' : ` -- ${rest}`}\n\n${describe}`)
      .epilogue(`Examples:\n${shown.join('\n')}`)
  }
  parser.command(line, describe, build, run)
}
