/** Commands to copy, with the name under which the reader can run the program. Pure. */

import { inOwnName } from './own-name.ts'
import { shellWord } from './shell-word.ts'

/** Matches the output of `shellWord`. */
const WORD = String.raw`(?:[^\s'\\]|'[^']*'|\\')+`
const ELSEWHERE = new RegExp(`^git -C (${WORD}) ledger (.*)$`, 's')
const HERE = new RegExp(`^(git switch ${WORD} && |)git ledger (.*)$`, 's')

/**
 * Data and exported files say `git ledger`, which works in every repository after `install`. `program`: what works
 * where the command is shown. Quoted text in a git command is left unchanged.
 */
export function asTyped(command: string, program: string): string {
  const elsewhere = ELSEWHERE.exec(command)
  if (elsewhere !== null) {
    const [, folder = '', words = ''] = elsewhere
    return program === 'git ledger' ? command : inFolder(folder, words, program)
  }
  const here = HERE.exec(command)
  if (here !== null) return `${here[1]}${program} ${here[2]}`
  // Otherwise the command is the suggestion of an error.
  return inOwnName(command, program)
}

function inFolder(folder: string, words: string, program: string): string {
  // npx finds the program from the current folder, but a worktree may have no node_modules.
  return program.startsWith('npx ')
    ? `npx -c ${shellWord(`cd ${folder} && ${program.slice('npx '.length)} ${words}`)}`
    : `(cd ${folder} && ${program} ${words})`
}
