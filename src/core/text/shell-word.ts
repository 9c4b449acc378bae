/** The text as one word of a shell command, for commands that people copy. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
