/** What a command declares, and the parsed command line that it is run with. */

import { relative, resolve } from 'node:path'
import type { Options, PositionalOptions } from 'yargs'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { CliContext, OpenRepository } from './context.ts'
import { jsonText } from './format.ts'
import type { Paint } from './paint.ts'
import { paintFor } from './paint.ts'

export interface Option extends Options {
  /** Its value may begin with a dash, as a sentence may. */
  readonly isSentence?: boolean
}

export interface Command {
  readonly name: string
  /** Positional words in yargs notation (`<file>`, `[files..]`), each with its description. */
  readonly words?: Readonly<Record<string, string | PositionalOptions>>
  readonly describe: string
  /** What to tell a user who types an extra word, and the next step. */
  readonly refusal?: readonly [what: string, next: string]
  /** True for commands that write: after them, files left by killed processes are removed. */
  readonly writes?: boolean
  /** Its output may be long: on a terminal it goes through the pager. */
  readonly isLong?: boolean
  /** What it is doing, if that can take more than a second. */
  readonly busyWith?: string
  readonly examples: readonly (readonly [command: string, what: string])[]
  readonly options?: Readonly<Record<string, Option>>
  /** What follows `--`, word for word: another program's command line. */
  readonly rest?: string
  /** Returns the exit status; undefined means 0. */
  run(input: Input): Promise<number | void>
}

/** The name under which the words after `--` are passed; no option can have it. */
export const REST = '--'

/** The bare name of `<file>` or `[files..]`. */
export function wordName(word: string): string {
  return word.replace(/[^a-z]/g, '')
}

/** An option with one value. */
export const value = (describe: string) => ({ type: 'string', describe, nargs: 1 }) as const
/** An option whose value may not be empty. */
export const nonEmpty = (describe: string) => ({ ...value(describe), requiresArg: true }) as const
/** An option with one value that may begin with a dash. */
export const sentence = (describe: string) => ({ ...value(describe), isSentence: true }) as const
/** An option that may be given several times. */
export const list = (describe: string) => ({ ...value(describe), array: true }) as const
/** An option without a value. */
export const flag = (describe: string) => ({ type: 'boolean', describe }) as const

export const CONFIRM = {
  ...flag('on a terminal, ask first (--no-confirm: do not)'),
  default: true,
} as const
export const COMMIT = flag('make a separate commit for the ledger')

export interface OpenWorktree extends OpenRepository {
  readonly top: string
  /** Turns a path relative to the top into one relative to the current folder. */
  fromHere(path: string): string
  /** Runs while no other command writes the ledger. */
  locked<T>(action: () => Promise<T>): Promise<T>
}

/** One parsed command line, with the context that it runs in. */
export class Input {
  readonly context: CliContext
  readonly json: boolean
  readonly paint: Paint
  readonly #args: Readonly<Record<string, unknown>>
  readonly #names: ReadonlySet<string>

  constructor(
    { options = {}, words = {} }: Pick<Command, 'options' | 'words'>,
    args: Readonly<Record<string, unknown>>,
    context: CliContext,
  ) {
    this.#args = args
    this.#names = new Set([
      ...Object.keys(options),
      ...Object.keys(words).map(wordName),
      'json',
      REST,
    ])
    this.context = context
    this.json = this.flag('json')
    this.paint = paintFor(context.env, context.isStdoutTty)
  }

  /** Throws for a name that the command does not declare, since nobody could give it. */
  #given(name: string): unknown {
    if (!this.#names.has(name)) throw new Error(`this command declares no ${name}`)
    return this.#args[name]
  }

  flag(name: string): boolean {
    return this.#given(name) === true
  }

  /** An option with one value. Throws if it is given twice, since it is unclear which value was meant. */
  text(name: string): string | undefined {
    const value = this.#given(name)
    if (Array.isArray(value)) {
      throw usage(`--${name} is given ${value.length} times`, `give --${name} once`)
    }
    return typeof value === 'string' ? value : undefined
  }

  /** Like `text`, but an empty value counts as absent. */
  filled(name: string): string | undefined {
    const value = this.text(name)
    return value?.trim() === '' ? undefined : value
  }

  /** The option's text as parsed by `read`. If `read` returns undefined, throws an error that ends with `wrong`. */
  parsed<T>(
    name: string,
    read: (text: string) => T | undefined,
    wrong: string,
    next?: string,
  ): T | undefined {
    const text = this.text(name)
    const value = text === undefined ? undefined : read(text)
    if (text === undefined || value !== undefined) return value
    throw usage(`--${name} ${shellWord(text)}${wrong}`, next)
  }

  /** A required positional word. */
  word(name: string): string {
    return this.text(name) ?? ''
  }

  /** An option that may be repeated. */
  texts(name: string): string[] {
    return [this.#given(name) ?? []].flat().map(String)
  }

  /** The words after `--`. */
  rest(): string[] {
    return this.texts(REST)
  }

  /** A path as typed, made absolute. */
  absolute(path: string): string {
    return resolve(this.context.cwd, path)
  }

  /** Prints data on standard output: as JSON with `--json`, otherwise as lines for people. */
  print(json: unknown, lines: string | readonly string[]): void {
    const text = [lines].flat().map((line) => `${line}\n`)
    this.context.stdout(this.json ? jsonText(json) : text.join(''))
  }

  /** Prints a message on standard error. */
  readonly say = (message: string): void => this.context.stderr(`${message}\n`)

  /** Asks `question`. True without asking if nobody can answer, or if `--no-confirm` was given. */
  async confirm(question: string): Promise<boolean> {
    return !this.flag('confirm') || !this.context.canAsk || this.context.ask(question)
  }

  /** Opens the repository, which must have a worktree. */
  async openWorktree(): Promise<OpenWorktree> {
    const open = await this.context.open()
    const { top, gitDir } = open.repository.place
    if (top !== undefined) {
      const { cwd, withLock } = this.context
      const fromHere = (path: string) => relative(cwd, `${top}/${path}`)
      const lock = `${open.settings.root}/.synth.lock`
      return { ...open, top, fromHere, locked: (action) => withLock(lock, action) }
    }
    const { oid } = await open.repository.history.head()
    // git cannot add a worktree to a repository without commits.
    const add =
      oid === undefined ? `git clone ${shellWord(gitDir)} ../work` : 'git worktree add ../work'
    throw new LedgerError(
      'NO_WORKTREE',
      'this is a bare repository: the command needs a worktree',
      `${add}, then run it there`,
    )
  }
}
