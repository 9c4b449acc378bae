/** Files that a shell command writes, as far as its text shows; nothing is expanded. Pure. */

import { shellCommands } from '../text/shell-commands.ts'

/** A command without `sudo`, and the folder that it runs in. */
export interface PlacedCommand {
  readonly words: readonly string[]
  /** Empty for the script's initial folder; undefined if unknown. */
  readonly folder: string | undefined
  /** The operator before it. After `||` the command may not run. */
  readonly after: string
}

/** The commands of a script, in order. `start`: the folder of the first one. */
export function placedCommands(script: string, start = ''): PlacedCommand[] {
  let folder: string | undefined = start
  let after = ''
  return shellCommands(script).map(({ words: all, operator }) => {
    const words = withoutSudo(all)
    const placed = { words, folder, after }
    const [name = '', to = ''] = words
    if (CHANGES_FOLDER.test(name)) folder = to.startsWith('/') && PLAIN.test(to) ? to : undefined
    // After a subshell the folder is the one from before the subshell.
    if (folder !== start && operator === ')') folder = undefined
    after = operator
    return placed
  })
}

const CHANGES_FOLDER = /^(?:cd|pushd|popd)$/

function withoutSudo(words: readonly string[]): readonly string[] {
  if (words[0] !== 'sudo') return words
  const at = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && words[i - 1] !== '-u')
  return at === -1 ? [] : words.slice(at)
}

/**
 * Files whose content is in the script itself: `cat > notes.md <<'EOF'`, `echo done | sudo tee -a notes.md`. `start`: the
 * folder that the script runs in, if known.
 */
export function filesWrittenBy(script: string, start = ''): string[] {
  if (!/<<|\b(?:echo|printf)\b/.test(script)) return []
  const commands = placedCommands(script, start)
  return commands.flatMap((command, i) =>
    command.after === '||' ? [] : writtenBy(command, commands[i - 1]).flatMap(placeOf(command)),
  )
}

function writtenBy({ words, after }: PlacedCommand, before: PlacedCommand | undefined): string[] {
  const [name = ''] = words
  if (name === 'tee') {
    const isLiteral =
      hasHeredoc(words) || (after === '|' && before !== undefined && printsLiteral(before.words))
    return isLiteral ? words.slice(1).filter((word) => !/^[-<>]/.test(word)) : []
  }
  const at = words.findIndex((word) => /^>>?(?!&)/.test(word))
  const file = words[at]?.replace(/^>>?/, '') || words[at + 1]
  return at !== -1 && file !== undefined && printsLiteral(words) ? [file] : []
}

/** True if the command prints text that it contains itself. */
function printsLiteral(words: readonly string[]): boolean {
  const [name = ''] = words
  return name === 'echo' || name === 'printf' || (name === 'cat' && hasHeredoc(words))
}

function hasHeredoc(words: readonly string[]): boolean {
  return words.some((word) => word.startsWith('<<'))
}

/** Resolves a file's path against the command's folder; empty for a path that would need expansion. */
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
