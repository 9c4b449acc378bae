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
  /** Its value may begin with a dash, as sentences do. */
  readonly isSentence?: boolean
}

export interface Command {
  readonly name: string
  /** Positional words in yargs notation (`<file>`, `[files..]`), each with its description. */
  readonly words?: Readonly<Record<string, string | PositionalOptions>>
  readonly describe: string
  /** What somebody who types a word too many has to know, and the next step. */
  readonly refusal?: readonly [what: string, next: string]
  /** True for commands that write: after them, what killed processes left is removed. */
  readonly writes?: boolean
  /** What it prints may be long: on a terminal it goes through the pager. */
  readonly isLong?: boolean
  /** What it is doing, where that can take more than a second. */
  readonly busyWith?: string
  readonly examples: readonly (readonly [command: string, what: string])[]
  readonly options?: Readonly<Record<string, Option>>
  /** What follows `--`, word for word: another program's command line. */
  readonly rest?: string
  /** Returns the exit status; nothing is 0. */
  run(input: Input): Promise<number | void>
}

/** The name under which they come; no option can have it. */
export const REST = '--'

/** `<file>`, `[files..]`: the word alone. */
export function wordName(word: string): string {
  return word.replace(/[^a-z]/g, '')
}

/** An option with one value. */
export const value = (describe: string) => ({ type: 'string', describe }) as const
/** An option with one value that may begin with a dash. */
export const sentence = (describe: string) => ({ ...value(describe), isSentence: true }) as const
/** An option that may be given several times. */
export const list = (describe: string) => ({ ...value(describe), array: true, nargs: 1 }) as const
/** An option without a value. */
export const flag = (describe: string) => ({ type: 'boolean', describe }) as const

export const CONFIRM = {
  ...flag('ask first, on a terminal (--no-confirm: do not)'),
  default: true,
} as const
export const COMMIT = flag("make a commit of the ledger's own")

export interface OpenWorktree extends OpenRepository {
  readonly top: string
  /** A path from the top, relative to the current folder. */
  fromHere(path: string): string
  /** Runs while no other command writes the ledger. */
  locked<T>(action: () => Promise<T>): Promise<T>
}

/** One parsed command line, with the world that it runs in. */
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

  /** A name that the command does not declare would be one that nobody can give. */
  #given(name: string): unknown {
    if (!this.#names.has(name)) throw new Error(`this command declares no ${name}`)
    return this.#args[name]
  }

  flag(name: string): boolean {
    return this.#given(name) === true
  }

  /** An option that has one value; given twice, nobody can tell which one was meant. */
  text(name: string): string | undefined {
    const value = this.#given(name)
    if (Array.isArray(value)) {
      throw usage(`--${name} is given ${value.length} times`, `give --${name} once`)
    }
    return typeof value === 'string' ? value : undefined
  }

  /** `text`, with an empty value as absent. */
  filled(name: string): string | undefined {
    const value = this.text(name)
    return value?.trim() === '' ? undefined : value
  }

  /** `text` as `read` understands it; where it does not, an error that ends with `wrong`. */
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

  /** A positional word that must be there. */
  word(name: string): string {
    return this.text(name) ?? ''
  }

  /** An option that may be repeated. */
  texts(name: string): string[] {
    return [this.#given(name) ?? []].flat().map(String)
  }

  /** The words behind `--`. */
  rest(): string[] {
    return this.texts(REST)
  }

  /** A path as typed, made absolute. */
  absolute(path: string): string {
    return resolve(this.context.cwd, path)
  }

  /** Data on standard output: as JSON where `--json` asks for it, else as lines for people. */
  print(json: unknown, lines: string | readonly string[]): void {
    const text = [lines].flat().map((line) => `${line}\n`)
    this.context.stdout(this.json ? jsonText(json) : text.join(''))
  }

  /** A message on standard error. */
  readonly say = (message: string): void => this.context.stderr(`${message}\n`)

  /** `question`, unless nobody can answer it or `--no-confirm` was given. */
  async confirm(question: string): Promise<boolean> {
    return !this.flag('confirm') || !this.context.canAsk || this.context.ask(question)
  }

  /** The opened repository, which must have a worktree. */
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
    // git adds no worktree to a repository without commits.
    const add =
      oid === undefined ? `git clone ${shellWord(gitDir)} ../work` : 'git worktree add ../work'
    throw new LedgerError(
      'NO_WORKTREE',
      'this is a bare repository: the command needs a worktree',
      `${add}, then run it there`,
    )
  }
}
