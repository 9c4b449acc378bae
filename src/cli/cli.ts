/** The command line: a table of commands, one parser, one way to fail. */

import type { Argv } from 'yargs'
import yargs from 'yargs'
import { LedgerError } from '../core/errors/errors.ts'
import { nearest } from '../core/text/did-you-mean.ts'
import type { Arguments, Command } from './command.ts'
import { archive } from './commands/archive.ts'
import { checkpointList } from './commands/checkpoint-list.ts'
import { checkpointShow } from './commands/checkpoint-show.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { config } from './commands/config.ts'
import { diff } from './commands/diff.ts'
import { doctor } from './commands/doctor.ts'
import { eventAccept } from './commands/event-accept.ts'
import { eventAdd } from './commands/event-add.ts'
import { eventDrop } from './commands/event-drop.ts'
import { eventList } from './commands/event-list.ts'
import { eventRedact } from './commands/event-redact.ts'
import { eventRestore } from './commands/event-restore.ts'
import { eventRetract } from './commands/event-retract.ts'
import { eventShow } from './commands/event-show.ts'
import { eventValidate } from './commands/event-validate.ts'
import { install } from './commands/install.ts'
import { log } from './commands/log.ts'
import { migrate } from './commands/migrate.ts'
import { preview } from './commands/preview.ts'
import { resolve } from './commands/resolve.ts'
import { sessionList } from './commands/session-list.ts'
import { sessionRecover } from './commands/session-recover.ts'
import { sessionReset } from './commands/session-reset.ts'
import { sessionShow } from './commands/session-show.ts'
import { show } from './commands/show.ts'
import { status } from './commands/status.ts'
import { synthesize } from './commands/synthesize.ts'
import { uninstall } from './commands/uninstall.ts'
import { why } from './commands/why.ts'
import type { CliContext } from './context.ts'

const EVENT_COMMANDS: readonly Command[] = [
  eventAdd,
  eventList,
  eventShow,
  eventValidate,
  eventRetract,
  eventRestore,
  eventRedact,
  eventAccept,
  eventDrop,
]
const CHECKPOINT_COMMANDS: readonly Command[] = [checkpointList, checkpointShow]
const SESSION_COMMANDS: readonly Command[] = [
  sessionList,
  sessionShow,
  sessionReset,
  sessionRecover,
]

interface Group {
  readonly describe: string
  readonly commands: readonly Command[]
}

/** Commands of two words, by the first. */
const GROUPS: Readonly<Record<string, Group>> = {
  event: {
    describe: 'Add, list, show, validate, retract, restore, redact, accept and drop events',
    commands: EVENT_COMMANDS,
  },
  session: {
    describe: "List, show, reset and recover agents' sessions",
    commands: SESSION_COMMANDS,
  },
  checkpoint: { describe: 'List and show checkpoints', commands: CHECKPOINT_COMMANDS },
}

const COMMANDS: readonly Command[] = [
  install,
  uninstall,
  doctor,
  status,
  config,
  synthesize,
  check,
  show,
  log,
  why,
  diff,
  preview,
  resolve,
  archive,
  migrate,
  completion,
]

/** Parses and runs one command line. Returns the exit status; throws what the command throws. */
export async function runCli(words: readonly string[], context: CliContext): Promise<number> {
  let exit = 0
  const use = (command: Command) => async (args: Arguments) => {
    if (command.hot === true) context.preferGit()
    exit = await command.run(args, context)
    if (command.writes === true) await context.sweep()
  }
  const parser = base(yargs(joinSentences(words), context.cwd), words, context)
  for (const [name, { describe, commands }] of Object.entries(GROUPS)) {
    parser.command(name, describe, (inner) => {
      for (const command of commands) add(inner, command, `${name} `, use(command))
      const names = commands.map((command) => command.name)
      return inner.demandCommand(1, `name a command of ${name}: ${names.join(', ')}`)
    })
  }
  for (const command of COMMANDS) add(parser, command, '', use(command))
  await parser.parseAsync()
  return exit
}

function base(parser: Argv, words: readonly string[], context: CliContext): Argv {
  return parser
    .scriptName('ledger-git')
    .usage('$0 <command>\n\nContinuity state for parallel agents, kept in git without conflicts.')
    .version(context.version)
    .help()
    .locale('en')
    .option('json', { type: 'boolean', describe: 'print data as JSON', global: true })
    .parserConfiguration({ 'duplicate-arguments-array': true, 'parse-numbers': false })
    .strict()
    .strictCommands()
    .demandCommand(1, 'name a command')
    .wrap(100)
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has an error class of its own for words that do not fit; the rest is a command's.
      if (error instanceof Error && error.name !== 'YError') throw error
      const what = message || (error instanceof Error ? error.message : '')
      throw new LedgerError('USAGE', `${what}${suggestion(words)}`, `${commandOf(words)} --help`)
    })
}

function groupOf(word: string | undefined): readonly Command[] | undefined {
  return word !== undefined && Object.hasOwn(GROUPS, word) ? GROUPS[word]?.commands : undefined
}

/** `; did you mean synthesize?` for a command that nearly is one. */
function suggestion([first = '', second = '']: readonly string[]): string {
  const group = groupOf(first)
  const names = (group ?? COMMANDS).map(({ name }) => name)
  const word = group === undefined ? first : second
  if (word === '' || word.startsWith('-') || names.includes(word)) return ''
  const near = nearest(word, group === undefined ? [...names, ...Object.keys(GROUPS)] : names)
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** `--now '-v is verbose'` as `--now=-v is verbose`: the parser would take the value for an option. */
function joinSentences(words: readonly string[]): string[] {
  const command =
    groupOf(words[0])?.find(({ name }) => name === words[1]) ??
    COMMANDS.find(({ name }) => name === words[0])
  const options = new Set(command?.sentences?.map((name) => `--${name}`))
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [word = '', value] = [words[i], words[i + 1]]
    if (options.has(word) && value?.startsWith('-') && !isOption(command, value)) {
      joined.push(`${word}=${value}`)
      i++
    } else joined.push(word)
  }
  return joined
}

function isOption(command: Command | undefined, word: string): boolean {
  const name = /^--(?:no-)?([a-z]+(?:-[a-z]+)*)(?:=|$)/.exec(word)?.[1]
  if (name === undefined || command === undefined) return word === '--'
  const known = ['json', 'help', 'version', ...Object.keys(optionsOf(command))]
  return known.includes(name)
}

/** The names a command declares. */
function optionsOf(command: Command): Record<string, unknown> {
  const probe = command.options(yargs([])) as unknown as {
    getOptions(): { key: Record<string, unknown> }
  }
  return probe.getOptions().key
}

/** The part of a command line whose help fits its mistake. */
function commandOf(words: readonly string[]): string {
  const [first, second] = words
  const known = (commands: readonly Command[], word?: string) =>
    commands.some(({ name }) => name === word)
  const group = groupOf(first)
  if (group !== undefined && known(group, second)) return `ledger-git ${first} ${second}`
  return group !== undefined || known(COMMANDS, first) ? `ledger-git ${first}` : 'ledger-git'
}

function add(
  parser: Argv,
  command: Command,
  prefix: string,
  run: (args: Arguments) => Promise<void>,
): void {
  const words = command.words === undefined ? '' : ` ${command.words}`
  parser.command(
    `${command.name}${words}`,
    command.describe,
    (inner) => {
      const title = `ledger-git ${prefix}${command.name}${words}\n\n${command.describe}`
      const examples = command.examples.map(([line, what]) => `  # ${what}\n  ${line}`)
      return command
        .options(inner)
        .usage(title)
        .epilogue(`Examples:\n${examples.join('\n')}`)
    },
    run,
  )
}
