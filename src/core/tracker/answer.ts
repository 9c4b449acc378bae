/** Interprets a tracker's answer: done, never, not now, or not with this key. Pure. */

import type { Fields } from '../text/json-fields.ts'
import { asFields, fieldsIn, listIn, objectsIn, parseFields, textIn } from '../text/json-fields.ts'
import { shorten } from '../text/markdown-to-text.ts'
import { stripControlChars } from '../text/strip-control-chars.ts'

export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** The tracker will never accept the item. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** No answer, or a meaningless one: the request may or may not have been processed. */
  | { readonly kind: 'failed'; readonly why: string }
  /** Nothing is accepted until then (Unix time in milliseconds). */
  | { readonly kind: 'limited'; readonly until: number; readonly why: string }
  /** The key is invalid, or lacks permission. */
  | { readonly kind: 'refused'; readonly why: string }

export interface Reply {
  readonly status: number
  /** By lowercase name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const DEFAULT_WAIT_MS = 60_000
const SHORTEST_WAIT_MS = 1000
/** No header makes us wait for longer. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

type Kind = 'limited' | 'refused' | 'failed' | 'rejected'

/** Words in Linear's errors that determine the kind; the first match counts. */
const ERRORS: readonly (readonly [RegExp, Kind])[] = [
  [/ratelimit/, 'limited'],
  [/authentication|unauthenticated|forbidden|featurenotaccessible/, 'refused'],
  [/locktimeout|internal|bootstrap|network|unknown/, 'failed'],
]

/** `parseDate`: converts an HTTP date to Unix time in milliseconds; NaN for anything else. */
export function readAnswer(
  reply: Reply,
  now: number,
  parseDate: (text: string) => number,
): Answer<Fields> {
  const { status, body } = reply
  const fields = parseFields(body)
  const errors = objectsIn(fields === undefined ? [] : listIn(fields, 'errors'))
  const data = fields === undefined ? undefined : asFields(fields['data'])
  if (errors.length === 0 && data !== undefined && status >= 200 && status < 300) {
    return { kind: 'ok', value: data }
  }
  const why = reasonOf(errors, status)
  const kind = kindOf(errors, status)
  if (kind !== 'limited') return { kind, why }
  return { kind, why, until: waitUntil(reply.headers, now, parseDate) }
}

function kindOf(errors: readonly Fields[], status: number): Kind {
  if (status === 429) return 'limited'
  const words = errors.map((error) => {
    const { type, code } = fieldsIn(error, 'extensions')
    return [type, code]
      .join(' ')
      .toLowerCase()
      .replaceAll(/[\s_-]/g, '')
  })
  for (const [pattern, kind] of ERRORS) if (words.some((word) => pattern.test(word))) return kind
  if (status === 401 || status === 403) return 'refused'
  // A page from a proxy between us and the tracker says nothing about the item.
  return errors.length > 0 && status < 500 ? 'rejected' : 'failed'
}

function reasonOf(errors: readonly Fields[], status: number): string {
  const [error] = errors
  if (error === undefined) return `status ${status} without a readable answer`
  const shown = textIn(fieldsIn(error, 'extensions'), 'userPresentableMessage')
  const words = shown ?? textIn(error, 'message') ?? `status ${status}`
  return shorten(stripControlChars(words).replaceAll(/\s+/g, ' ').trim(), 200)
}

/** `retry-after`, else the reset of an exhausted limit, else the next reset. */
function waitUntil(
  headers: ReadonlyMap<string, string>,
  now: number,
  parseDate: (text: string) => number,
): number {
  const asked = retryAfter(headers.get('retry-after'), now, parseDate)
  const resets = [...headers].flatMap(([name, text]) => {
    const limit = /^x-ratelimit-(.+-)?reset$/.exec(name)
    if (limit === null || !/^\d+(?:\.\d+)?$/.test(text)) return []
    // Linear uses milliseconds; a value that would be in 1970 is in seconds.
    const at = Number(text) < 1e11 ? Number(text) * 1000 : Number(text)
    const left = headers.get(`x-ratelimit-${limit[1] ?? ''}remaining`)
    return at > now ? [{ at, isUsedUp: left !== undefined && Number(left) <= 0 }] : []
  })
  const usedUp = resets.filter((reset) => reset.isUsedUp).map(({ at }) => at)
  const first = Math.min(...resets.map(({ at }) => at))
  const reset = usedUp.length > 0 ? Math.max(...usedUp) : first
  const until = asked ?? (Number.isFinite(reset) ? reset : now + DEFAULT_WAIT_MS)
  return Math.min(Math.max(Math.ceil(until), now + SHORTEST_WAIT_MS), now + LONGEST_WAIT_MS)
}

function retryAfter(
  text: string | undefined,
  now: number,
  parseDate: (text: string) => number,
): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return now + Number(text) * 1000
  // Only HTTP dates are accepted: without a weekday, date parsers accept nearly anything.
  const at = /^[A-Z][a-z]+, /.test(text) ? parseDate(text) : Number.NaN
  return Number.isFinite(at) ? at : undefined
}
