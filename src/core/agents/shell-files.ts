/** Files that a shell command writes, as far as its text tells: nothing is expanded. Pure. */

import { shellCommands } from '../text/shell-commands.ts'

/** A command without `sudo`, and where it runs. */
export interface PlacedCommand {
  readonly words: readonly string[]
  /** Empty: where the script began. Undefined: nobody knows. */
  readonly folder: string | undefined
  /** What stands before it: it runs for sure, but behind `||`. */
  readonly after: string
}

/** In order. `start`: where the first one runs. */
export function placedCommands(script: string, start = ''): PlacedCommand[] {
  let folder: string | undefined = start
  let after = ''
  return shellCommands(script).map(({ words: all, operator }) => {
    const words = withoutSudo(all)
    const placed = { words, folder, after }
    const [name = '', to = ''] = words
    if (MOVES.test(name)) folder = to.startsWith('/') && PLAIN.test(to) ? to : undefined
    // Behind a subshell the folder is the one before it.
    if (folder !== start && operator === ')') folder = undefined
    after = operator
    return placed
  })
}

const MOVES = /^(?:cd|pushd|popd)$/

function withoutSudo(words: readonly string[]): readonly string[] {
  if (words[0] !== 'sudo') return words
  const at = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && words[i - 1] !== '-u')
  return at === -1 ? [] : words.slice(at)
}

/** Out of its own text: `cat > notes.md <<'EOF'`, `echo done | sudo tee -a notes.md`. */
export function filesWrittenBy(script: string): string[] {
  if (!/<<|\b(?:echo|printf)\b/.test(script)) return []
  const commands = placedCommands(script)
  return commands.flatMap((command, i) =>
    command.after === '||' ? [] : writtenBy(command, commands[i - 1]).flatMap(placeOf(command)),
  )
}

function writtenBy({ words, after }: PlacedCommand, before: PlacedCommand | undefined): string[] {
  const [name = ''] = words
  if (name === 'tee') {
    const isOwn = hasText(words) || (after === '|' && before !== undefined && saysOwn(before.words))
    return isOwn ? words.slice(1).filter((word) => !/^[-<>]/.test(word)) : []
  }
  const at = words.findIndex((word) => /^>>?(?!&)/.test(word))
  const file = words[at]?.replace(/^>>?/, '') || words[at + 1]
  return at !== -1 && file !== undefined && saysOwn(words) ? [file] : []
}

/** What it prints stands in it. */
function saysOwn(words: readonly string[]): boolean {
  const [name = ''] = words
  return name === 'echo' || name === 'printf' || (name === 'cat' && hasText(words))
}

function hasText(words: readonly string[]): boolean {
  return words.some((word) => word.startsWith('<<'))
}

/** Nothing is expanded, and a name holds where the command began. */
export function placeOf({ folder }: PlacedCommand): (file: string) => string[] {
  return (file) => {
    if (!PLAIN.test(file) || file.startsWith('/dev/')) return []
    if (/^[~/]/.test(file)) return [file]
    return folder === undefined
      ? []
      : [folder === '' ? file : `${folder}/${file.replace(/^(?:\.\/)+/, '')}`]
  }
}

const PLAIN = /^(?:~\/)?[\p{L}\d_./@+-]+$/u
