/** The call of a program as a line for a shell. */

import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** A name that a shell accepts for a variable and does not set itself. */
const VARIABLE = /^(?!(?:PPID|UID|EUID|OPTIND|SHELLOPTS|BASHOPTS)$)[A-Za-z_]\w*$/
/** A shell accepts longer lines, but none of our tests needs them. */
const MOST = 100_000

/**
 * The line to run in a subshell; undefined if a shell could not make the call or would report it in its own words.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {Readonly<Record<string, unknown>>} env
 */
export function lineOf(command, args, cwd, env) {
  const variables = Object.entries(env).filter(([, value]) => value !== undefined)
  if (!variables.every(([name]) => VARIABLE.test(name))) return undefined
  if (!isFolder(cwd) || whereIs(command, env.PATH) === undefined) return undefined
  const settings = variables.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')
  const words = [command, ...args].map(quoted).join(' ')
  const line = `cd ${quoted(cwd)}; unset OLDPWD PWD; export ${settings}; exec ${words}`
  return line.length < MOST && !line.includes('\0') ? line : undefined
}

/** Where a program is. */
export function whereIs(command, path = process.env.PATH ?? '') {
  const places = command.includes('/') ? [command] : path.split(':').map((at) => join(at, command))
  return places.find(isProgram)
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

export function quoted(word) {
  return `'${String(word).replaceAll("'", "'\\''")}'`
}
