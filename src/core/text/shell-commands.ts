/**
 * The commands of a shell script, as far as its text tells: nothing is expanded. What is quoted, commented
 * out or written by a heredoc is no command.
 */

export interface ShellCommand {
  /** As it is written. */
  readonly text: string
  /** Its words, without their quotes. */
  readonly words: readonly string[]
  /** What ends it, such as `&&` or `)`; empty for the last one. */
  readonly operator: string
}

/** UTF-16 units; what is behind them is not looked at. */
const MAX_SCRIPT = 20_000

/** `<<<word` and `1<<3` begin none. Bounded: a line of nothing but `<<A` takes no time. */
const HEREDOC =
  /((?<!<)<<-?\s*(['"]?)([A-Za-z_]\w*)\2[^\n]{0,400})\n[^]*?(?:\n[^\S\n]*\3(?=[^\S\n]*(?:\n|$))|$)/g
/** An operator, a comment, a word, or whatever else: spaces, and a quote that is not closed. */
const TOKEN =
  /(&&|\|\|?|[;()\n]|&(?!>))\s*|(#[^\n]*)|((?:\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'|[$<>]\([^()]*\)|[<>]&|&>|[^\s;&|()"'\\])+)|[^]/g

/** Between two operators stands a command without words. */
export function shellCommands(script: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  let text = ''
  let words: string[] = []
  const end = (operator: string) => {
    commands.push({ text: text.trim(), words, operator })
    text = ''
    words = []
  }
  const read = script
    .replace(HEREDOC, '$1')
    .replace(/\\\r?\n/g, ' ')
    .slice(0, MAX_SCRIPT)
  for (const [token, operator, comment, word] of read.matchAll(TOKEN)) {
    if (operator !== undefined) end(operator)
    else if (comment === undefined) text += token
    if (word !== undefined) words.push(unquoted(word))
  }
  end('')
  return commands
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])/g, (_, double, single, other) =>
    String(double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? other),
  )
}
