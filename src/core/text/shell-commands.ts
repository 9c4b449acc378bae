/**
 * The commands of a shell script, as far as its text tells: nothing is expanded. What is quoted, commented
 * out or written by a heredoc is no command.
 */

export interface ShellCommand {
  /** As it is written. */
  readonly text: string
  /** Its words, without their quotes. */
  readonly words: readonly string[]
  /** The operators behind it, such as `&&` or `)|`; empty behind the last. */
  readonly operators: string
}

/** UTF-16 units; what is behind them is not looked at. */
const MAX_SCRIPT = 20_000

/** `<<<word` and `1<<3` begin none. Bounded: a line of nothing but `<<A` takes no time. */
const HEREDOC =
  /((?<!<)<<-?\s*(['"]?)([A-Za-z_]\w*)\2[^\n]{0,400})\n[^]*?(?:\n[^\S\n]*\3(?=[^\S\n]*(?:\n|$))|$)/g
/** An operator, a comment, a word, or whatever else: spaces, and a quote that is not closed. */
const TOKEN =
  /(&&|\|\|?|[;()\n]|&(?!>))\s*|(#[^\n]*)|((?:\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'|[$<>]\([^()]*\)|[<>]&|&>|[^\s;&|()"'\\])+)|[^]/g

export function shellCommands(script: string): ShellCommand[] {
  const commands: { text: string; words: string[]; operators: string }[] = []
  let isNew = true
  const text = script.replace(HEREDOC, '$1').replace(/\\\r?\n/g, ' ')
  for (const [token, operator, comment, word] of text.slice(0, MAX_SCRIPT).matchAll(TOKEN)) {
    const last = commands.at(-1)
    if (operator !== undefined) {
      if (last !== undefined) last.operators += operator
      isNew = true
    } else if (isNew && word !== undefined) {
      commands.push({ text: word, words: [unquoted(word)], operators: '' })
      isNew = false
    } else if (last !== undefined && !isNew && comment === undefined) {
      last.text += token
      if (word !== undefined) last.words.push(unquoted(word))
    }
  }
  return commands.map((command) => ({ ...command, text: command.text.trim() }))
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])/g, (_, double, single, other) =>
    String(double ?? single ?? other),
  )
}
