/** Sends what is in the outbox: one process at a time, each issue in its order, until nothing more is to be done. */

import type { KnownIssue } from '../../core/tracker/known-issues.ts'
import { withIssues } from '../../core/tracker/known-issues.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import { afterAnswer, inOrder, isExpired, nextItem } from '../../core/tracker/outbox.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import { trackerNeeded } from './read-tracker.ts'
import { sendItem } from './send-item.ts'
import type { TrackerContext } from './tracker-ports.ts'

/** So many failures one after the other are the network's, or the tracker's: it is no use to go on. */
const FAILURES = 3

interface Done {
  readonly sent: OutboxItem[]
  readonly rejected: OutboxItem[]
  readonly failed: { readonly item: OutboxItem; readonly why: string }[]
  readonly dropped: OutboxItem[]
  /** What could not be done beside an item that was sent. */
  readonly remarks: string[]
}

export interface Flushed extends Done {
  /** Why it ended before everything was tried. */
  readonly stopped: Stop | undefined
}

export type Stop =
  | { readonly kind: 'busy' }
  | { readonly kind: 'no-key' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'paused'; readonly until: number }
  | { readonly kind: 'failing'; readonly why: string }

export interface FlushRequest {
  /** Somebody waits for it: the waits of single items do not count. */
  readonly isAsked: boolean
  /** Items that the tracker rejected are tried once more. */
  readonly again: boolean
}

/** Throws `TRACKER_MISSING`. */
export async function flushOutbox(
  context: TrackerContext,
  request: FlushRequest,
): Promise<Flushed> {
  const settings = await trackerNeeded(context)
  const flushed = await context.outbox.locked(async (isHeld) => {
    const run = new Run(context, request)
    run.dropOld()
    // Where nothing waits, nobody misses a key.
    if (run.next() === undefined) return run.end(undefined)
    const key = (context.env[KEY_VARIABLE] ?? '').trim()
    if (key === '') return run.end({ kind: 'no-key' })
    // It could not be sent, and what says so might show it.
    if (!/^[!-~]+$/.test(key)) return run.end({ kind: 'refused', why: 'it is no single word' })
    const tracker = context.openTracker(settings, key)
    for (;;) {
      const { pausedUntil } = context.outbox.readState()
      if (pausedUntil > context.clock.now()) return run.end({ kind: 'paused', until: pausedUntil })
      if (!isHeld()) return run.end({ kind: 'busy' })
      const item = run.next()
      if (item === undefined) return run.end(undefined)
      const { content } = item
      const path = 'path' in content ? content.path : undefined
      const link = path === undefined ? undefined : await context.linkOf(path, item.at)
      if (content.kind === 'link' && link === undefined) {
        run.pass(item)
        continue
      }
      const { state } = settings
      const answer = await sendItem(item, {
        tracker,
        state,
        link,
        remark: (text) => run.remark(`${item.issue}: ${text}`),
        learn: (name) => run.learn(item.issue, name),
      })
      const stop = run.settle(item, answer)
      if (stop !== undefined) return run.end(stop)
    }
  })
  return flushed ?? new Run(context, request).end({ kind: 'busy' })
}

/** What came of one run so far. */
class Run {
  readonly #context: TrackerContext
  readonly #request: FlushRequest
  readonly #passed = new Set<string>()
  readonly #done: Done = { sent: [], rejected: [], failed: [], dropped: [], remarks: [] }
  readonly #issues = new Map<string, KnownIssue>()
  #failures = 0

  constructor(context: TrackerContext, request: FlushRequest) {
    this.#context = context
    this.#request = request
  }

  dropOld(): void {
    const { outbox, clock } = this.#context
    const { items, surplus } = inOrder(outbox.list().items)
    for (const item of surplus) outbox.remove(item)
    for (const item of items) {
      if (!isExpired(item, clock.now())) {
        if (this.#request.again && item.rejected !== undefined) {
          outbox.write({ ...item, rejected: undefined })
        }
        continue
      }
      outbox.remove(item)
      // Of a link nobody waits for a word: the comment names the path.
      if (item.content.kind === 'link') continue
      this.#done.dropped.push(item)
      this.#log(item, 'dropped after 30 days')
    }
  }

  /** Read anew each time: others put in items meanwhile. */
  next(): OutboxItem | undefined {
    const { outbox, clock } = this.#context
    const { isAsked } = this.#request
    const { items } = inOrder(outbox.list().items)
    return nextItem(items, { now: clock.now(), isAsked, passed: this.#passed })
  }

  pass({ id }: OutboxItem): void {
    this.#passed.add(id)
  }

  remark(text: string): void {
    this.#done.remarks.push(text)
  }

  learn(issue: string, state: string): void {
    this.#issues.set(issue, { state, at: this.#context.clock.now() })
  }

  settle(item: OutboxItem, answer: Awaited<ReturnType<typeof sendItem>>): Stop | undefined {
    const { outbox, clock } = this.#context
    const after = afterAnswer(item, answer, clock.now())
    if (after === undefined) outbox.remove(item)
    else if (after !== item) outbox.write(after)
    this.#failures = answer.kind === 'failed' ? this.#failures + 1 : 0
    this.#log(item, answer.kind === 'ok' ? 'told' : answer.kind)
    switch (answer.kind) {
      case 'ok':
        this.#done.sent.push(item)
        return undefined
      case 'rejected':
        this.#done.rejected.push({ ...item, rejected: answer.why })
        return undefined
      case 'failed':
        this.pass(item)
        this.#done.failed.push({ item, why: answer.why })
        return this.#failures < FAILURES ? undefined : { kind: 'failing', why: answer.why }
      case 'limited':
        outbox.writeState({ ...outbox.readState(), pausedUntil: answer.until })
        return { kind: 'paused', until: answer.until }
      case 'refused':
        return { kind: 'refused', why: answer.why }
    }
  }

  end(stopped: Stop | undefined): Flushed {
    const { outbox } = this.#context
    if (this.#issues.size > 0) outbox.writeIssues(withIssues(outbox.readIssues(), this.#issues))
    return { ...this.#done, stopped }
  }

  /** Nobody reads what a sender of its own says. */
  #log({ issue, id, content }: OutboxItem, what: string): void {
    this.#context.log(`tracker: ${issue} ${content.kind} ${id}: ${what}`)
  }
}
