/**
 * What a found secret is: a kind and a place in a text, never the secret itself.
 *
 * A kind is a few lower-case words joined by dashes, so that `[redacted: <kind>]` can be told from
 * ordinary text and is never taken for a secret.
 */

export interface Secret {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Secrets of a text in their order; they do not overlap. */
export type FindSecrets = (text: string) => readonly Secret[]

/** What stands where secrets were. */
export const MARKER = /\[redacted: [a-z]+(?:-[a-z]+){0,4}\]/g

export function marker(kind: string): string {
  return `[redacted: ${kind}]`
}

/** Sorts and joins what overlaps. The first names the kind, of those that begin together the first found. */
export function joinSecrets(found: readonly Secret[]): Secret[] {
  const joined: Secret[] = []
  for (const secret of found.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last === undefined || secret.start >= last.end) joined.push(secret)
    else if (secret.end > last.end) {
      joined[joined.length - 1] = { ...last, kind: last.kind || secret.kind, end: secret.end }
    }
  }
  return joined
}
