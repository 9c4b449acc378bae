/**
 * What changed in a handoff between two readings of it, as the fields of an event: what was done, where
 * things stand, what is next, what was decided and asked. What both readings say is no change. Pure.
 */

import type { NewEvent } from '../event/event.ts'
import { itemKey, itemText } from '../event/item-text.ts'
import { foldLine, hasWords, shorten } from '../text/markdown-to-text.ts'
import type { Block } from '../document/blocks.ts'
import type { Handoff } from './handoff.ts'
import { entriesOf, focusesOf, isEmpty, itemsOf, readHandoff, registerOf } from './handoff.ts'

export type HandoffChange = Pick<
  NewEvent,
  'goal' | 'test' | 'now' | 'thisSession' | 'next' | 'decisions' | 'openQuestions'
> &
  Pick<NewEvent, 'resolvedQuestions'>

/** UTF-16 units of an item, and items of a list: a handoff may be pasted together. */
const MAX_TEXT = 500
const MAX_ITEMS = 60

/** `before`: undefined for a handoff that is new. Undefined when nothing that an event says changed. */
export function handoffChange(
  before: string | undefined,
  after: string,
): HandoffChange | undefined {
  const [was, is] = [saidIn(readHandoff(before ?? '')), saidIn(readHandoff(after))]
  const done = newIn(is.done, was.done)
  const asked = newIn(is.questions, was.questions)
  // A question that only moved, or was answered where it stands.
  const answered = newIn(was.questions, [...is.questions, ...is.answered])
  const resolved = [...answered, ...newIn(is.answered, was.answered)]
  const decisions = is.decisions.filter(
    ({ key, value }) => !was.decisions.some((one) => one.key === key && one.value === value),
  )
  const change: HandoffChange = {
    ...(is.goal === undefined || is.goal === was.goal ? {} : { goal: is.goal }),
    ...(is.test === undefined || is.test === was.test ? {} : { test: is.test }),
    ...(is.now === undefined || is.now === was.now ? {} : { now: is.now }),
    ...(done.length === 0 ? {} : { thisSession: done }),
    ...(isSameList(is.next, was.next) ? {} : { next: is.next }),
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(asked.length === 0 ? {} : { openQuestions: asked }),
    ...(resolved.length === 0 ? {} : { resolvedQuestions: resolved }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

interface Said {
  readonly goal: string | undefined
  readonly test: string | undefined
  readonly now: string | undefined
  readonly done: readonly string[]
  readonly next: readonly string[]
  readonly decisions: readonly { readonly key: string; readonly value: string }[]
  readonly questions: readonly string[]
  readonly answered: readonly string[]
}

function saidIn(handoff: Handoff): Said {
  const { byName } = handoff
  const steps = itemsOf(byName.next)
  const questions = itemsOf(byName.openQuestions)
  const isTicked = ({ box }: Block) => box === 'done'
  const told = itemsOf(byName.thisSession).filter(({ box }) => box !== 'open')
  return {
    goal: register(handoff, 'Goal'),
    test: register(handoff, 'Test'),
    now: textsOf(focusesOf(handoff)).join('; ') || undefined,
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
