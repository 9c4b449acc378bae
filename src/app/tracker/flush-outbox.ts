/** Sends what is in the outbox: one process at a time, in order for each issue, until nothing is left to do. */

import type { KnownIssue } from '../../core/tracker/known-issues.ts'
import { withIssues } from '../../core/tracker/known-issues.ts'
import type { OutboxItem } from '../../core/tracker/outbox-item.ts'
import { afterAnswer, inOrder, isExpired, nextItem } from '../../core/tracker/outbox.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import { trackerNeeded } from './read-tracker.ts'
import { sendItem } from './send-item.ts'
import type { TrackerContext } from './tracker-ports.ts'

/** After this many failures in a row, the network or the tracker is to blame, and it is no use to continue. */
const MAX_FAILURES = 3

interface Done {
  readonly sent: OutboxItem[]
  readonly rejected: OutboxItem[]
  readonly failed: { readonly item: OutboxItem; readonly why: string }[]
  readonly dropped: OutboxItem[]
  /** What could not be done along with an item that was sent. */
  readonly remarks: string[]
}

export interface Flushed extends Done {
  /** Why the run ended before everything was tried. */
  readonly stopped: Stop | undefined
}

export type Stop =
  | { readonly kind: 'busy' }
  | { readonly kind: 'no-key' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'paused'; readonly until: number }
  | { readonly kind: 'failing'; readonly why: string }

export interface FlushRequest {
  /** A person waits for the result, so retry delays of single items are ignored. */
  readonly isAsked: boolean
  /** Retry items that the tracker rejected. */
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
    // If nothing is waiting, a missing key does not matter.
    if (run.next() === undefined) return run.end(undefined)
    const key = (context.env[KEY_VARIABLE] ?? '').trim()
    if (key === '') return run.end({ kind: 'no-key' })
    // Such a key could not be sent in a header, and the error might reveal it.
    if (!/^[!-~]+$/.test(key)) return run.end({ kind: 'refused', why: 'it is not a single word' })
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
        run.passed.add(item.id)
        continue
      }
      const { state } = settings
      const answer = await sendItem(item, {
        tracker,
        state,
        link,
        remark: (text) => run.done.remarks.push(`${item.issue}: ${text}`),
        learn: (name) => run.issues.set(item.issue, { state: name, at: context.clock.now() }),
      })
      const stop = run.settle(item, answer)
      if (stop !== undefined) return run.end(stop)
    }
  })
  return flushed ?? new Run(context, request).end({ kind: 'busy' })
}

/** One run, and its results so far. */
class Run {
  readonly #context: TrackerContext
  readonly #request: FlushRequest
  readonly done: Done = { sent: [], rejected: [], failed: [], dropped: [], remarks: [] }
  /** Ids of the items that are not tried again in this run. */
  readonly passed = new Set<string>()
  /** What the tracker said about the states of issues. */
  readonly issues = new Map<string, KnownIssue>()
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
      // A dropped link need not be reported: the comment names the path.
      if (item.content.kind === 'link') continue
      this.done.dropped.push(item)
      this.#log(item, 'dropped after 30 days')
    }
  }

  /** Reads the outbox again each time, because other processes may add items. */
  next(): OutboxItem | undefined {
    const { outbox, clock } = this.#context
    const { isAsked } = this.#request
    const { items } = inOrder(outbox.list().items)
    return nextItem(items, { now: clock.now(), isAsked, passed: this.passed })
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
        this.done.sent.push(item)
        return undefined
      case 'rejected':
        this.done.rejected.push({ ...item, rejected: answer.why })
        return undefined
      case 'failed':
        this.passed.add(item.id)
        this.done.failed.push({ item, why: answer.why })
        return this.#failures < MAX_FAILURES ? undefined : { kind: 'failing', why: answer.why }
      case 'limited':
        outbox.writeState({ ...outbox.readState(), pausedUntil: answer.until })
        return { kind: 'paused', until: answer.until }
      case 'refused':
        return { kind: 'refused', why: answer.why }
    }
  }

  end(stopped: Stop | undefined): Flushed {
    const { outbox } = this.#context
    if (this.issues.size > 0) outbox.writeIssues(withIssues(outbox.readIssues(), this.issues))
    return { ...this.done, stopped }
  }

  /** Goes to the log, because nobody reads the output of a background sender. */
  #log({ issue, id, content }: OutboxItem, what: string): void {
    this.#context.log(`tracker: ${issue} ${content.kind} ${id}: ${what}`)
  }
}
