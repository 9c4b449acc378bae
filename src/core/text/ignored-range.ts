/** Lines around text that Markdown formatters and linters must leave alone (docs/decisions/0020). */

export const IGNORE_START = '<!-- markdownlint-disable-file -->\n\n<!-- prettier-ignore-start -->'
export const IGNORE_END = '<!-- prettier-ignore-end -->'
