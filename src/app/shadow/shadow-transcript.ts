/**
 * The uncondensed slice of an agent's log, redacted line by line.
 *
 * What a step before has stored is not read again: new lines are put behind it. Only the newest lines are
 * kept when it is too long.
 */

import { MAX_TRANSCRIPT } from '../../core/checkpoint/checkpoint.ts'
import type { SessionState, Transcript } from '../../core/session/session-state.ts'
import type { TranscriptPart } from '../../core/shadow/shadow-record.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'
import type { TranscriptSlice } from './session-ports.ts'
import type { SessionContext } from './session-context.ts'
import { textOf } from './shadow-chain.ts'

import type { ShadowTranscript } from './shadow-session.ts'
import { shadowOf } from './shadow-session.ts'

/** Redacted text of a log, and which part of it that is. */
export interface StoredLog {
  readonly text: string
  readonly part: TranscriptPart
}

export async function storeTranscript(
  context: SessionContext,
  state: SessionState,
  before: ShadowTranscript | undefined,
  scanner: SecretScanner,
): Promise<ShadowTranscript | undefined> {
  const { transcript } = state
  if (transcript === undefined) return undefined
  const known = before !== undefined && isSamePart(before, transcript) ? before : undefined
  const kept = known === undefined ? undefined : await textOf(context, known.blob)
  // Where the text before does not end with JSON, a key may have begun in it: all is read again.
  const head = known !== undefined && kept !== undefined && endsWithJson(kept) ? kept : ''
  const from = head === '' ? transcript.offset : (known?.part.next ?? transcript.offset)
  const slice = readSlice(context, transcript.path, from)
  if (slice === undefined) return known
  const redact = scanner.lineRedactor()
  const lines = slice.lines.map((line) => `${redact(line)}\n`).join('')
  // A file that is shorter than before was begun anew: what it said before is here alone.
  const { text, isCut } = keepNewest(slice.isCut ? lines : head + lines)
  if (text === '') return undefined
  const [blob = ''] = await context.objects.blobs([text])
  const wasCut = head !== '' && known?.part.isCut === true
  return {
    blob,
    part: {
      path: transcript.path,
      from: transcript.offset,
      next: slice.next,
      isCut: isCut || slice.isCut || wasCut,
    },
  }
}

/** What steps have stored of the log since the last condensation. */
export async function readStoredLog(
  context: SessionContext,
  state: SessionState,
): Promise<StoredLog | undefined> {
  const transcript = (await shadowOf(context, state))?.transcript
  if (transcript === undefined || state.transcript === undefined) return undefined
  if (!isSamePart(transcript, state.transcript)) return undefined
  const text = await textOf(context, transcript.blob)
  return text === undefined ? undefined : { text, part: transcript.part }
}

function isSamePart({ part }: ShadowTranscript, { path, offset }: Transcript): boolean {
  return part.path === path && part.from === offset
}

function readSlice(
  { transcripts }: SessionContext,
  path: string,
  from: number,
): (TranscriptSlice & { isCut: boolean }) | undefined {
  const slice = transcripts.readFrom(path, from, MAX_TRANSCRIPT)
  if (slice === undefined || slice.toEnd) return slice && { ...slice, isCut: false }
  const tail = transcripts.readTail(path, MAX_TRANSCRIPT)
  return tail && { ...tail, isCut: true }
}

/** Where it does not, a key may go on behind it, and what follows cannot be judged alone. */
export function endsWithJson(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1)
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** The end of a text, whole lines, at most `MAX_TRANSCRIPT` bytes. */
export function keepNewest(text: string): { text: string; isCut: boolean } {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_TRANSCRIPT) return { text, isCut: false }
  const start = bytes.indexOf(0x0a, bytes.length - MAX_TRANSCRIPT - 1) + 1
  return { text: start === 0 ? '' : bytes.subarray(start).toString('utf8'), isCut: true }
}
