/**
 * The outbox: what is added, what is sent next, and what happens to an item after an answer. Pure.
 *
 * Invariants:
 * - The items of an issue are sent in the order in which they were added.
 * - An item that waits or is rejected never holds up another issue.
 * - The same thing added twice is one item.
 * - Nothing stays forever.
 */

import type { Answer } from './answer.ts'
import type { Content, OutboxItem } from './outbox-item.ts'
import { newItem } from './outbox-item.ts'

/** An item that has waited longer is of no use to anybody. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000
export const MAX_ITEMS = 500

const FIRST_WAIT_MS = 30_000
const LONGEST_WAIT_MS = 6 * 60 * 60 * 1000

export interface Addition {
  readonly issue: string
  readonly content: Content
}

export interface Added {
  readonly added: readonly OutboxItem[]
  /** Items that newer ones replace. */
  readonly replaced: readonly OutboxItem[]
  /** Number of items for which there was no room. */
  readonly refused: number
}

/** `present`: items in the outbox. Newer progress replaces older; other existing items are kept. */
export function addItems(
  present: readonly OutboxItem[],
  additions: readonly Addition[],
  now: number,
): Added {
  const items = new Map(present.map((item) => [item.id, item]))
  const added = new Map<string, OutboxItem>()
  const replaced: OutboxItem[] = []
  let place = Math.max(now, ...present.map((item) => item.place + 1))
  let refused = 0
  for (const { issue, content } of additions) {
    const item = newItem(issue, content, now, place)
    const known = items.get(item.id)
    if (known !== undefined && content.kind !== 'progress') continue
    if (known === undefined && items.size >= MAX_ITEMS) {
      refused += 1
      continue
    }
    if (known !== undefined && !added.has(item.id)) replaced.push(known)
    items.set(item.id, item)
    added.set(item.id, item)
    place += 1
  }
  return { added: [...added.values()], replaced, refused }
}

/** Items by place, without duplicates: two processes may add the same item, and one may die while replacing it. */
export function inOrder(items: readonly OutboxItem[]): {
  readonly items: readonly OutboxItem[]
  readonly surplus: readonly OutboxItem[]
} {
  const byPlace = items.toSorted((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
  const kept = new Map<string, OutboxItem>()
  for (const item of byPlace) {
    if (!kept.has(item.id) || item.content.kind === 'progress') kept.set(item.id, item)
  }
  const isKept = (item: OutboxItem) => kept.get(item.id) === item
  return { items: byPlace.filter(isKept), surplus: byPlace.filter((item) => !isKept(item)) }
}

export function isExpired({ at }: OutboxItem, now: number): boolean {
  return now - at > KEEP_MS
}

export interface Choice {
  readonly now: number
  /** Somebody requested it, so the waiting times of items do not count. */
  readonly isAsked: boolean
  /** Ids that were tried, or are not ready, in this run. */
  readonly passed: ReadonlySet<string>
}

/**
 * `items`: in order. Takes the first item of each issue, and among these the one with the fewest attempts, so that
 * items which the tracker never answers come after untried ones.
 */
export function nextItem(
  items: readonly OutboxItem[],
  { now, isAsked, passed }: Choice,
): OutboxItem | undefined {
  const heads = new Map<string, OutboxItem>()
  for (const item of items) {
    const queue = queueOf(item)
    if (item.rejected === undefined && !heads.has(queue)) heads.set(queue, item)
  }
  const ready = [...heads.values()].filter(
    ({ id, notBefore }) => !passed.has(id) && (isAsked || notBefore <= now),
  )
  return ready.toSorted((a, b) => a.tries - b.tries || a.place - b.place)[0]
}

/** A link waits for somebody's push, so nothing waits for the link. */
function queueOf({ issue, id, content }: OutboxItem): string {
  return content.kind === 'link' ? id : issue
}

/** The item to keep; undefined if it is done. */
export function afterAnswer(
  item: OutboxItem,
  answer: Answer<unknown>,
  now: number,
): OutboxItem | undefined {
  switch (answer.kind) {
    case 'ok':
      return undefined
    case 'rejected':
      return { ...item, rejected: answer.why }
    case 'failed': {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** item.tries, LONGEST_WAIT_MS)
      return { ...item, tries: item.tries + 1, notBefore: now + wait }
    }
    case 'limited':
    case 'refused':
      // The answer is about the sender, not about the item.
      return item
  }
}
