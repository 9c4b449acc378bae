/**
 * Calls in a log of Codex and their answers, which share `call_id`. A command that takes long is answered with the id of
 * its shell session, and `write_stdin` asks that session for more. Pure.
 */

import { parseInstant } from '../event/instant.ts'
import type { Fields } from '../text/json-fields.ts'
import { fieldsIn, own, textIn } from '../text/json-fields.ts'
import type { Outcome } from './call-entries.ts'
import { fieldsOf, outcomeOf, runningSession } from './codex-tools.ts'

/** By the id of a call. */
export interface Calls {
  /** A command that kept running has the answer from when it ended. */
  readonly answers: ReadonlyMap<string, Outcome>
  /** For `write_stdin`: the command that it asks. */
  readonly polled: ReadonlyMap<string, Fields>
}

export function callsIn(records: readonly Fields[]): Calls {
  const answers = new Map<string, Outcome>()
  const polled = new Map<string, Fields>()
  const calls = new Map<string, Fields>()
  const running = new Map<string, Fields>()
  for (const record of records) {
    const payload = fieldsIn(record, 'payload')
    const [id, type = ''] = [textIn(payload, 'call_id'), textIn(payload, 'type')]
    if (id === undefined) continue
    const isPoll = textIn(payload, 'name') === 'write_stdin'
    if (isPoll) {
      const session = own(fieldsOf(own(payload, 'arguments')) ?? {}, 'session_id')
      const command = running.get(String(session))
      if (command !== undefined) polled.set(id, command)
    } else if (type.endsWith('_call')) calls.set(id, payload)
    if (!type.endsWith('_output')) continue
    const output = own(payload, 'output')
    const at = parseInstant(textIn(record, 'timestamp') ?? '')?.instant
    const answer = { ...outcomeOf(output), at }
    answers.set(id, answer)
    const command = polled.get(id)
    if (command !== undefined && answer.end !== 'open') {
      answers.set(textIn(command, 'call_id') ?? '', answer)
    }
    const call = calls.get(id)
    const session = runningSession(output)
    if (session !== undefined && call !== undefined) running.set(session, call)
  }
  return { answers, polled }
}
