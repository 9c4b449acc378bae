/**
 * Reads a summarizer's answer as the content of an event. The answer is not trusted: it is parsed like the body of any
 * event, and only statements about the work are used. It cannot determine who, when, where, and of which type the event
 * is, or which other events it retracts. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { parseEvent } from '../event/parse-event.ts'
import { parseYaml } from '../event/yaml-value.ts'
import type { EventFields } from './summary-job.ts'

/** Maximum UTF-16 units of an answer; a longer one is ignored. */
export const MAX_ANSWER = 64 * 1024
const MAX_ITEMS = 50
const MAX_TEXT = 2000

/** Undefined if the answer is not a YAML map, cannot be read without problems, or says nothing. */
export function readAnswer(
  answer: string,
  clean: (text: string) => string,
): EventFields | undefined {
  if (answer.length > MAX_ANSWER || answer.includes('\0')) return undefined
  const body = bodyOf(answer)
  if (parseYaml(body)?.kind !== 'map') return undefined
  const text = `---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\n${body}\n`
  const { event, problems } = parseEvent({ file: '', id: '', text })
  if (event === undefined || problems.length > 0) return undefined
  const fields = contentOf(event, (one) => clean(one).slice(0, MAX_TEXT).toWellFormed().trim())
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** Removes a code fence around the YAML, and any text before and after it. */
function bodyOf(answer: string): string {
  const text = answer.replace(/\r\n?/g, '\n')
  const fence = /^(`{3,})(?:ya?ml|ledger)?[ \t]*\n(.*?)^\1`*[ \t]*$/ms.exec(text)
  return (fence?.[2] ?? text).trim()
}

/** The fields of the event, without empty ones. */
function contentOf(event: LedgerEvent, clean: (text: string) => string): EventFields {
  const one = (text: string | undefined) => (text === undefined ? undefined : clean(text))
  const all = (texts: readonly string[]) =>
    texts
      .map(clean)
      .filter((text) => text !== '')
      .slice(0, MAX_ITEMS)
  const decisions = event.decisions.slice(0, MAX_ITEMS).map(({ key, value, text }) => ({
    key: clean(key),
    value: value === null ? null : clean(text),
  }))
  const fields = {
    title: one(event.title),
    goal: one(event.goal),
    test: one(event.test),
    now: one(event.now),
    thisSession: all(event.thisSession),
    decisions: decisions.filter(({ key }) => key !== ''),
    openQuestions: all(event.openQuestions),
    resolvedQuestions: all(event.resolvedQuestions),
  }
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value.length > 0)
  // An empty list of next steps says that nothing is left.
  const next = event.next === undefined ? {} : { next: all(event.next) }
  return { ...Object.fromEntries(said), ...next }
}
