/**
 * The rules of secretlint's recommended preset, run on a text without secretlint's own machinery.
 *
 * The position of a secret comes from the value that a rule reports, not from its range: some rules give a range
 * that begins at the name and has the length of the value, which would leave the end of the value visible. A rule
 * runs only if one of its keywords is in the text; a rule that we do not know yet always runs.
 */

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { LIBRARY_RULES } from '../../core/secrets/library-kinds.ts'
import { isNoPlaceholder } from '../../core/secrets/secret-shapes.ts'
import type { Secret } from '../../core/secrets/secret.ts'

const PREFIX = '@secretlint/secretlint-rule-'

/** Rules that are not run, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  slack: 'takes any words joined by dashes after xoxb- for a token',
  'filter-comments': 'a text that says secretlint-disable would switch the detector off',
  gcp: 'opens the file that it is told about; the key inside is found as a private key',
  privatekey: 'misses keys that are cut off, encrypted or have line numbers',
  basicauth: 'takes the whole URL instead of the password, and only of http and ftp',
  'database-connection-string': 'takes the whole URL instead of the password',
}

/** The part of secretlint's rule interface that rules use. */
interface Rule {
  readonly meta: { readonly id: string }
  create(context: object, options: object): { file?(source: object): void | Promise<void> }
}

interface Report {
  readonly message: { readonly data: Readonly<Record<string, unknown>> }
  readonly range: readonly [start: number, end: number]
}

let report: (found: Report) => void = () => {}

const context = {
  sharedOptions: {},
  createTranslator: () => (messageId: string, data: object) => ({ messageId, data }),
  report: (found: Report) => report(found),
  ignore: () => {},
}

const RUNNING = (rules as readonly Rule[]).flatMap((rule) => {
  const name = rule.meta.id.replace(PREFIX, '')
  if (name in LEFT_OUT) return []
  const { kind, keywords } = LIBRARY_RULES[name] ?? { kind: 'secret', keywords: [''] }
  return [{ kind, keywords, handler: rule.create(context, {}) }]
})

export function librarySecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (const { kind, keywords, handler } of RUNNING) {
    if (!keywords.some((keyword) => text.includes(keyword))) continue
    report = (one) => {
      const [start, end] = placeOf(text, one)
      if (isNoPlaceholder(text.slice(start, end))) found.push({ kind, start, end })
    }
    void handler.file?.({ content: text, filePath: '', ext: '', contentType: 'text' })
  }
  return found
}

/** The position of the longest reported value that begins in the range. */
function placeOf(text: string, { message, range }: Report): [start: number, end: number] {
  const values = Object.values(message.data).filter((value) => typeof value === 'string')
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const at = text.slice(range[0], range[1] + value.length).indexOf(value)
    if (value === '' || at === -1) continue
    return [range[0] + at, range[0] + at + value.length]
  }
  return [range[0], range[1]]
}
