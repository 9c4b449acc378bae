/**
 * Refuses a new event whose text holds a secret: what is committed stays in the history of every clone.
 *
 * The message says which field and what kind, never the secret. The detector loads only for a text that
 * could hold one.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/write-event.ts'
import { mayHoldSecret } from '../../core/secrets/secret-hint.ts'
import { lineAt } from './find-secrets.ts'
import type { LoadSecretScanner } from './secret-scanner.ts'

interface Field {
  /** As the user typed it. */
  readonly name: string
  readonly text: string
}

export async function refuseSecrets(event: NewEvent, load: LoadSecretScanner): Promise<void> {
  const suspects = fieldsOf(event).filter(({ text }) => mayHoldSecret(text))
  if (suspects.length === 0) return
  const scanner = await load()
  const found = suspects.flatMap((field) =>
    scanner.find(field.text).map(({ kind, start }) => ({ kind, where: whereIn(field, start) })),
  )
  if (found.length === 0) return
  const places = new Set(found.map(({ kind, where }) => `${where} (${kind})`))
  throw new LedgerError(
    'SECRET_FOUND',
    `the event seems to hold a secret: ${[...places].join(', ')}; nothing was written`,
    'take it out; if it is none, run the command again with --allow-secret',
  )
}

function whereIn({ name, text }: Field, start: number): string {
  return name === '--stdin' ? `--stdin, line ${lineAt(text, start)}` : name
}

function fieldsOf(event: NewEvent): Field[] {
  const one = (name: string, text: string | undefined) =>
    text === undefined ? [] : [{ name, text }]
  const all = (name: string, texts: readonly string[] = []) => texts.map((text) => ({ name, text }))
  return [
    ...one('--stdin', event.body),
    ...one('--title', event.title),
    ...one('--goal', event.goal),
    ...one('--test', event.test),
    ...one('--now', event.now),
    ...all('--done', event.thisSession),
    ...all('--next', event.next),
    ...all('--question', event.openQuestions),
    ...all('--resolve', event.resolvedQuestions),
    ...all(
      '--decision',
      event.decisions?.map(({ key, value }) => `${key}=${value ?? ''}`),
    ),
    ...all(
      '--checkpoint',
      event.checkpoints?.map(({ phase, status }) => `${phase ?? ''} ${status ?? ''}`),
    ),
    ...one('--type', event.type),
    ...one('--reason', event.reason),
    ...one('--session', event.session),
    ...one('--stream', event.stream),
    ...one('--branch', event.branch),
    ...one('--agent', event.agent),
  ]
}
