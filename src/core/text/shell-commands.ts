/**
 * The commands of a shell script, as far as the text shows; nothing is expanded. Quoted text, comments, and heredocs
 * are not commands.
 */

export interface ShellCommand {
  /** As written. */
  readonly text: string
  /** Its words, without their quotes. */
  readonly words: readonly string[]
  /** The operator that ends it, such as `&&` or `)`; empty for the last command. */
  readonly operator: string
}

/** UTF-16 units; text beyond them is ignored. */
const MAX_SCRIPT = 20_000

/** `<<<word` and `1<<3` are not heredocs. Bounded, so that a line of many `<<A` takes no noticeable time. */
const HEREDOC =
  /((?<!<)<<-?\s*(['"]?)([A-Za-z_]\w*)\2[^\n]{0,400})\n[^]*?(?:\n[^\S\n]*\3(?=[^\S\n]*(?:\n|$))|$)/g
/** An operator, a comment, a word, or anything else: spaces, and unclosed quotes. */
const TOKEN =
  /(&&|\|\|?|[;()\n]|&(?!>))\s*|(#[^\n]*)|((?:\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*'|[$<>]\([^()]*\)|[<>]&|&>|[^\s;&|()"'\\])+)|[^]/g

/** Between two adjacent operators there is a command without words. */
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
