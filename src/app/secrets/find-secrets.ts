/**
 * Reports where a text or a new event seems to hold secrets (place and kind, never the secret itself), and
 * redacts texts.
 *
 * The detector is loaded only for a text that could hold a secret.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import { mayHoldSecret } from '../../core/secrets/may-hold-secret.ts'
import { redactTexts } from '../../core/secrets/redact-texts.ts'
import { MAX_STRING } from '../../core/secrets/redact.ts'
import type { SecretValues } from '../../core/secrets/repeated-values.ts'
import { withoutValues } from '../../core/secrets/repeated-values.ts'
import type { Secret } from '../../core/secrets/secret.ts'

/** The secret detector as use cases see it. */
export interface SecretScanner {
  /** Secrets in text order; they do not overlap. */
  find(text: string): readonly Secret[]
  /** Replaces each secret with `[redacted: <kind>]`. Adds what it found to `values`, and replaces what is in them. */
  redact(text: string, values?: SecretValues): string
  /** Replaces the secrets of a file line by line, and adds them to `values`; JSON lines stay JSON. */
  lineRedactor(values?: SecretValues): (line: string) => string
}

type GivenTexts = Readonly<Record<string, readonly (string | undefined)[] | undefined>>

export type LoadSecretScanner = () => Promise<SecretScanner>

export interface SecretPlace {
  /** Starting at 1. */
  readonly line: number
  readonly kind: string
}

export async function findSecrets(text: string, load: LoadSecretScanner): Promise<SecretPlace[]> {
  if (!mayHoldSecret(text)) return []
  const found = (await load()).find(text)
  return found.map(({ kind, start }) => ({ line: text.slice(0, start).split('\n').length, kind }))
}

/** A text, or every text within a value, without secrets. */
export async function withoutSecrets<T>(value: T, load: LoadSecretScanner): Promise<T> {
  if (!isForDetector(JSON.stringify(value))) return value
  return redactTexts(value, (await load()).redact)
}

/** Lines of a file, without secrets. */
export async function linesWithoutSecrets(
  lines: readonly string[],
  load: LoadSecretScanner,
): Promise<readonly string[]> {
  // The detector would leave the lines before this one unchanged.
  const first = lines.findIndex(isForDetector)
  if (first === -1) return lines
  const values: SecretValues = new Map()
  const redact = (await load()).lineRedactor(values)
  const clean = [...lines.slice(0, first), ...lines.slice(first).map((line) => redact(line))]
  // A line may give away what lines before it contain.
  return values.size === 0 ? clean : clean.map((line) => withoutValues(line, values))
}

/** True if the detector must see the text: it may hold a secret, or it is too long, which the detector marks. */
function isForDetector(text: string): boolean {
  return text.length > MAX_STRING || mayHoldSecret(text)
}

/**
 * Refuses a new event whose text holds a secret, because a commit stays in the history of every clone. The
 * message names the option and the kind of secret. Throws `SECRET_FOUND`.
 */
export async function refuseSecrets(event: NewEvent, load: LoadSecretScanner): Promise<void> {
  await refuseSecretTexts(textsOf(event), load, 'the event')
}

/** Like `refuseSecrets`, for texts keyed by the option or file that each came from. */
export async function refuseSecretTexts(
  given: GivenTexts,
  load: LoadSecretScanner,
  what: string,
): Promise<void> {
  const places = new Set<string>()
  for (const [name, texts = []] of Object.entries(given)) {
    const isLong = name === '--stdin' || name === '--context'
    for (const text of texts.filter((text) => text !== undefined)) {
      for (const { line, kind } of await findSecrets(text, load)) {
        places.add(`${isLong ? `${name}, line ${line}` : name} (${kind})`)
      }
    }
  }
  if (places.size === 0) return
  throw new LedgerError(
    'SECRET_FOUND',
    `${what} seems to hold a secret: ${[...places].join(', ')}; nothing was written`,
    'remove it; if it is not a secret, run the command again with --allow-secret',
  )
}

/** The event's texts, keyed by the option that gave each. */
function textsOf(event: NewEvent): GivenTexts {
  const { decisions = [], checkpoints = [] } = event
  return {
    '--stdin': [event.body],
    '--title': [event.title],
    '--goal': [event.goal],
    '--test': [event.test],
    '--now': [event.now],
    '--done': event.thisSession,
    '--next': event.next,
    '--question': event.openQuestions,
    '--resolve': event.resolvedQuestions,
    '--decision': decisions.map(({ key, value }) => `${key}=${value ?? ''}`),
    '--checkpoint': checkpoints.map(({ phase, status }) => `${phase ?? ''} ${status ?? ''}`),
    '--type': [event.type],
    '--reason': [event.reason],
    '--session': [event.session],
    '--stream': [event.stream],
    '--branch': [event.branch],
    '--agent': [event.agent],
  }
}
