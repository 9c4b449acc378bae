/** Finds the event file that a path, a name or the beginning of a name refers to. */

import { LedgerError } from '../errors/errors.ts'
import { oneLine } from '../text/escape-markdown.ts'

/** The matching name. Throws `EVENT_NOT_FOUND` if no name matches, or several do. */
export function fileMeant(word: string, names: Iterable<string>): string {
  const found = filesMeant(word, names)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const shown = oneLine(word, '').slice(0, 200)
  const what = first === undefined ? 'no event is named' : 'several events begin with'
  const some = found.slice(0, MOST_NAMED).map((name) => `\n  ${oneLine(name, '')}`)
  throw new LedgerError('EVENT_NOT_FOUND', `${what} ${shown}${some.join('')}`, NEXT)
}

/** The same for events. If several events have the name, the first one is returned. */
export function eventMeant<T extends { readonly file: string }>(
  word: string,
  events: readonly T[],
): T {
  const names = events.map(({ file }) => file)
  return events[names.indexOf(fileMeant(word, names))] as T
}

const MOST_NAMED = 3
const NEXT = 'ledger-git event list'

/** All matching names: the exact one, else those with this beginning. `.md` and `.json` may be left out. */
export function filesMeant(word: string, names: Iterable<string>): string[] {
  const name = word.replace(/^.*\//, '')
  const known = [...new Set(names)]
  const stem = name.replace(/\.(?:md|json)$/, '')
  if (known.includes(name)) return [name]
  if (known.includes(`${stem}.md`)) return [`${stem}.md`]
  return stem === '' ? [] : known.filter((one) => one.startsWith(stem))
}
