/** Messages repeat text from users, files, and branches: no escape sequence may reach the terminal. */
export function stripControlChars(message: string): string {
  // oxlint-disable-next-line no-control-regex
  return message.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}
