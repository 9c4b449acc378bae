/**
 * What changed between two readings of a handoff, as the fields of an event: what was done, where things stand, what
 * is next, what was decided and asked. Anything that both readings say is not a change. Pure.
 */

import { LedgerError } from '../errors/errors.ts'
import type { LedgerEvent, NewEvent } from '../event/event.ts'
import { itemKey, itemText } from '../event/item-text.ts'
import { foldLine, hasWords, shorten } from '../text/markdown-to-text.ts'
import type { Block } from '../document/blocks.ts'
import { foldEvents } from './fold-events.ts'
import type { Handoff } from './handoff.ts'
import {
  entriesOf,
  focusesOf,
  isEmpty,
  itemsOf,
  readHandoff,
  registerOf,
  updatedOf,
} from './handoff.ts'

export type HandoffChange = Pick<
  NewEvent,
  'goal' | 'test' | 'now' | 'thisSession' | 'next' | 'decisions' | 'openQuestions'
> &
  Pick<NewEvent, 'resolvedQuestions'>

/** Maximum UTF-16 units of an item, and items of a list: somebody may have pasted anything into a handoff. */
const MAX_TEXT = 500
const MAX_ITEMS = 60

/**
 * `before`: undefined for a new handoff. `others`: events of the stream; what a command took from them into the
 * handoff between the readings is not a change. Returns undefined if nothing changed that an event reports.
 */
export function handoffChange(
  before: string | undefined,
  after: string,
  others: readonly LedgerEvent[] = [],
): HandoffChange | undefined {
  const [first, last] = [readHandoff(before ?? ''), readHandoff(after)]
  const [was, is] = [contentOf(first), contentOf(last)]
  const told = contentOf(withTaken(first, last, others))
  const done = newIn(is.done, [...was.done, ...told.done])
  const asked = newIn(is.questions, [...was.questions, ...told.questions])
  // The question is gone, and was neither moved nor ticked.
  const answered = newIn(was.questions, [...is.questions, ...is.answered])
  const resolved = [
    ...newIn(answered, newIn(was.questions, told.questions)),
    ...newIn(is.answered, [...was.answered, ...told.answered]),
  ]
  const decisions = is.decisions.filter(
    ({ key, value }) =>
      ![...was.decisions, ...told.decisions].some((one) => one.key === key && one.value === value),
  )
  const taken = newIn([...told.next, ...told.focuses], [...was.next, ...was.focuses])
  const next = newIn(is.next, taken)
  const isSameNext = isSameList(next, was.next) || isSameList(next, newIn(told.next, taken))
  const change: HandoffChange = {
    ...registerChange('goal', is, was, told),
    ...registerChange('test', is, was, told),
    ...registerChange('now', is, was, told),
    ...(done.length === 0 ? {} : { thisSession: done }),
    ...(isSameNext ? {} : { next }),
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(asked.length === 0 ? {} : { openQuestions: asked }),
    ...(resolved.length === 0 ? {} : { resolvedQuestions: resolved }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

/** The first reading, plus the events that a command took into the handoff before the last reading. */
function withTaken(first: Handoff, last: Handoff, others: readonly LedgerEvent[]): Handoff {
  const [from, to] = [first, last].map((one) => updatedOf(one)?.instant)
  // Only commands take events in, and they also set the date.
  if (to === undefined || to === from) return first
  const taken = others.filter(({ ts }) => ts <= to)
  try {
    return foldEvents(first, taken).handoff
  } catch (error) {
    if (error instanceof LedgerError) return first
    throw error
  }
}

function registerChange<T extends 'goal' | 'test' | 'now'>(
  name: T,
  is: Content,
  ...known: readonly Content[]
): { readonly [name in T]?: string } {
  const text = is[name]
  if (text === undefined || known.some((one) => one[name] === text)) return {}
  return { [name]: text } as { [name in T]: string }
}

type Content = ReturnType<typeof contentOf>

function contentOf(handoff: Handoff) {
  const { byName } = handoff
  const steps = itemsOf(byName.next)
  const questions = itemsOf(byName.openQuestions)
  const focuses = textsOf(focusesOf(handoff))
  const isTicked = ({ box }: Block) => box === 'done'
  const told = itemsOf(byName.thisSession).filter(({ box }) => box !== 'open')
  return {
    goal: register(handoff, 'Goal'),
    test: register(handoff, 'Test'),
    now: focuses.join('; ') || undefined,
    focuses,
    done: textsOf([...told, ...steps.filter(isTicked)]),
    next: textsOf(steps.filter((step) => !isTicked(step))),
    decisions: entriesOf(byName.decisions).flatMap(({ key, value }) => {
      const text = plain(value.text)
      return text === '' ? [] : [{ key: shorten(plain(key), MAX_TEXT), value: text }]
    }),
    questions: textsOf(questions.filter((one) => !isTicked(one))),
    answered: textsOf(questions.filter(isTicked)),
  }
}

function register(handoff: Handoff, key: string): string | undefined {
  const text = plain(registerOf(handoff, key)?.value.text ?? '').replace(/^`([^`]*)`$/, '$1')
  return isEmpty(text) ? undefined : text
}

function textsOf(blocks: readonly Block[]): string[] {
  const texts = blocks.map(({ words }) => plain(words.text.replace(/^UNCONFIRMED:\s*/i, '')))
  return texts.filter((text) => itemText(text) !== '' && hasWords(text)).slice(0, MAX_ITEMS)
}

function plain(text: string): string {
  return shorten(foldLine(text), MAX_TEXT)
}

function newIn(items: readonly string[], known: readonly string[]): string[] {
  const keys = new Set(known.map(itemKey))
  return items.filter((item) => !keys.has(itemKey(item)))
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => itemKey(text) === itemKey(b[i] ?? ''))
}
