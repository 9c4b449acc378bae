/**
 * The part of an agent's log that is not condensed yet, and what steps keep of it, redacted line by line.
 *
 * Lines that an earlier step stored are not read again: new lines are appended. If the text gets too long, only the
 * newest lines are kept.
 */

import { keepNewest, MAX_TRANSCRIPT } from '../../core/checkpoint/checkpoint.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { TranscriptPart } from '../../core/shadow/shadow-record.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { linesWithoutSecrets } from '../secrets/find-secrets.ts'
import { textOf } from './git-trees.ts'
import type { SessionContext } from './session-context.ts'
import type { Chains } from './shadow-chain.ts'
import { readChains } from './shadow-chain.ts'
import type { ShadowSession } from './shadow-session.ts'
import { shadowOf } from './shadow-session.ts'

/**
 * Reads from an offset; if there is too much, only the newest lines. Undefined if nothing can be read.
 * - `start`: the byte offset in the file at which the slice begins.
 * - `isCut`: the log is too long, so older lines were left out.
 * - `isOther`: the file is shorter than it was, so it is a different log and was read from its beginning.
 */
export function readLog({ transcripts }: SessionContext, path: string, offset: number) {
  const first = transcripts.readFrom(path, offset, MAX_TRANSCRIPT)
  if (first === undefined) return undefined
  const isOther = first.next < offset
  const start = isOther ? 0 : offset
  if (first.toEnd) return { ...first, start, isCut: false, isOther }
  const last = transcripts.readTail(path, MAX_TRANSCRIPT)
  if (last === undefined) return undefined
  const from = last.next - Buffer.byteLength(linesText(last.lines))
  return { ...last, start: Math.max(start, from), isCut: true, isOther }
}

export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

export async function storeTranscript(
  context: SessionContext,
  { transcript }: SessionState,
  before: ShadowSession['transcript'],
): Promise<ShadowSession['transcript']> {
  if (transcript === undefined) return undefined
  const { path, offset } = transcript
  const known = before?.part.path === path && before.part.from === offset ? before : undefined
  const kept = await textOf(context.repository, known?.blob, 'empty')
  // If the stored text does not end with complete JSON, a secret key may have begun in it: read everything again.
  const isGoingOn = known !== undefined && endsWithJson(kept)
  const slice = readLog(context, path, isGoingOn ? known.part.next : offset)
  if (slice === undefined) return known
  const lines = linesText(await linesWithoutSecrets(slice.lines, context.secrets))
  // A file that is shorter than before was started again: its earlier lines exist only in the stored text.
  const { text, dropped } = keepNewest(
    isGoingOn && !slice.isCut ? kept + lines : lines,
    MAX_TRANSCRIPT,
  )
  if (text === '') return undefined
  const [blob = ''] = context.objects.blobs([text])
  const isCut = dropped > 0 || slice.isCut || (isGoingOn && known.part.isCut)
  return { blob, part: { path, from: offset, next: slice.next, isCut } }
}

/** Redacted text of a log, and which part of the log it is. */
export interface StoredLog {
  readonly text: string
  readonly part: TranscriptPart
}

/** The part of the log that steps have stored since the last condensation. */
export async function readStoredLog(
  context: SessionContext,
  state: SessionState,
  known?: Chains,
): Promise<StoredLog | undefined> {
  const chains = known ?? (await readChains(context, state.worktree.name))
  const { transcript } = await shadowOf(context, chains, state)
  const { path, offset } = state.transcript ?? {}
  if (transcript?.part.path !== path || transcript?.part.from !== offset) return undefined
  const text = await textOf(context.repository, transcript?.blob, 'empty')
  return transcript === undefined || text === '' ? undefined : { text, part: transcript.part }
}

/** If the text does not, a secret key may continue after it, so what follows cannot be judged alone. */
export function endsWithJson(text: string): boolean {
  return parseJson(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)) !== undefined
}
