/**
 * Where a text, or a new event, seems to hold secrets: place and kind, never the secret. And texts without them.
 *
 * The detector loads only for a text that could hold one.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import { mayHoldSecret } from '../../core/secrets/may-hold-secret.ts'
import { redactTexts } from '../../core/secrets/redact-texts.ts'
import { MAX_STRING } from '../../core/secrets/redact.ts'
import type { Secret } from '../../core/secrets/secret.ts'

/** The detector of secrets as use cases see it. */
export interface SecretScanner {
  /** Secrets in their order; they do not overlap. */
  find(text: string): readonly Secret[]
  /** `[redacted: <kind>]` in place of each secret. */
  redact(text: string): string
  /** The same for a file line by line, in bounded memory; JSON lines stay JSON. */
  lineRedactor(): (line: string) => string
}

type GivenTexts = Readonly<Record<string, readonly (string | undefined)[] | undefined>>

export type LoadSecretScanner = () => Promise<SecretScanner>

export interface SecretPlace {
  /** From 1. */
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

/** Lines of one file without secrets. */
export async function linesWithoutSecrets(
  lines: readonly string[],
  load: LoadSecretScanner,
): Promise<readonly string[]> {
  // The detector leaves what stands before it as it is.
  const first = lines.findIndex(isForDetector)
  if (first === -1) return lines
  const redact = (await load()).lineRedactor()
  return [...lines.slice(0, first), ...lines.slice(first).map((line) => redact(line))]
}

/** Of what is too long the detector says so. */
function isForDetector(text: string): boolean {
  return text.length > MAX_STRING || mayHoldSecret(text)
}

/**
 * Refuses a new event whose text holds a secret: what is committed stays in the history of every clone.
 * The message says which option and what kind. Throws `SECRET_FOUND`.
 */
export async function refuseSecrets(event: NewEvent, load: LoadSecretScanner): Promise<void> {
  await refuseSecretTexts(textsOf(event), load, 'the event')
}

/** The same for texts by the option, or the file, that each was given by. */
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
    'take it out; if it is none, run the command again with --allow-secret',
  )
}

/** Each with the option that it was given by. */
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
