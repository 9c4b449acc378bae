/** The shape of one command: its words for yargs, and what it does. */

import type { Argv, ArgumentsCamelCase } from 'yargs'
import { LedgerError } from '../core/errors/errors.ts'
import type { CliContext } from './context.ts'

/** Options of one command as yargs parsed them. */
export type Arguments = ArgumentsCamelCase<Record<string, unknown>>

export interface Command {
  readonly name: string
  /** Positional words, in yargs notation: `<file>`, `[files..]`. */
  readonly words?: string
  readonly aliases?: readonly string[]
  readonly describe: string
  /** True for commands that scripts and agents run all day. */
  readonly hot?: boolean
  /** True for commands that write: after them, what killed processes left is removed. */
  readonly writes?: boolean
  /** Options whose value may begin with a dash, as sentences do. */
  readonly sentences?: readonly string[]
  readonly examples: readonly (readonly [command: string, what: string])[]
  options(yargs: Argv): Argv
  /** Returns the exit status. */
  run(args: Arguments, context: CliContext): Promise<number>
}

/** An option that has one value; given twice, nobody can tell which one was meant. */
export function text(args: Arguments, name: string): string | undefined {
  const value = args[name]
  if (Array.isArray(value)) {
    throw new LedgerError(
      'USAGE',
      `--${name} is given ${value.length} times`,
      `give --${name} once`,
    )
  }
  return typeof value === 'string' ? value : undefined
}

export function flag(args: Arguments, name: string): boolean {
  return args[name] === true
}

/** An option that may be repeated. */
export function texts(args: Arguments, name: string): string[] {
  const value = args[name]
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}

/** `text`, with an empty value as absent. */
export function filled(args: Arguments, name: string): string | undefined {
  const value = text(args, name)
  return value?.trim() === '' ? undefined : value
}
