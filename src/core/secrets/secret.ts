/**
 * A found secret: its kind and its place in a text, never the secret itself.
 *
 * A kind consists of a few lowercase words joined by dashes, so that `[redacted: <kind>]` differs from ordinary text
 * and is never mistaken for a secret.
 */

export interface Secret {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** The secrets of a text in order, without overlaps. */
export type FindSecrets = (text: string) => readonly Secret[]

/** The text that replaces a secret. */
export const MARKER = /\[redacted: [a-z]+(?:-[a-z]+){0,4}\]/g

export function marker(kind: string): string {
  return `[redacted: ${kind}]`
}

/** Sorts secrets and merges overlapping ones. The first names the kind; if several begin together, the first found. */
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
