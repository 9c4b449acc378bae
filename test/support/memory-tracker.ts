/**
 * A tracker and an outbox in memory. The tracker misbehaves according to a script: each call takes the next word. Its
 * effects are what a person would see in the tracker.
 */

import type { KnownIssues } from '../../src/core/tracker/known-issues.ts'
import type { TrackedPlan } from '../../src/core/plan/parts.ts'
import type { Answer } from '../../src/core/tracker/answer.ts'
import { parseItem, fileNameOf, renderItem } from '../../src/core/tracker/outbox-item.ts'
import type {
  IssueTracker,
  IssueView,
  OutboxPort,
  OutboxState,
  TrackerContext,
} from '../../src/app/tracker/tracker-ports.ts'

/** The outcome of one call. `lost`: carried out, but the answer is lost. `killed`: the sender dies afterwards. */
export type Mood = 'well' | 'failed' | 'lost' | 'limited' | 'refused' | 'killed'

export class Killed extends Error {}

export interface MemoryIssue {
  labels: string[]
  state: string
  readonly comments: { id: string; body: string }[]
  readonly children: { id: string; title: string; description: string }[]
  readonly links: Map<string, string>
}

const STATES = [
  { id: 's-todo', name: 'Todo' },
  { id: 's-paused', name: 'Paused' },
] as const

export class MemoryTracker {
  readonly issues = new Map<string, MemoryIssue>()
  readonly labels = new Map<string, string>()
  moods: Mood[] = []
  calls = 0
  /** Whether an id that already exists is refused; no tracker guarantees that. */
  honoursIds = true
  /** The number of lookups that do not yet see what was created. */
  blindLooks = 0
  readonly changes: object[] = []
  now = 0
  /** Texts that the tracker refuses. */
  isBad = (_text: string): boolean => false

  issue(key: string): MemoryIssue {
    const found = this.issues.get(key)
    if (found !== undefined) return found
    const made = { labels: ['kept'], state: 's-todo', comments: [], children: [], links: new Map() }
    this.issues.set(key, made)
    return made
  }

  readonly port: IssueTracker = {
    look: (key, marker) =>
      this.#call((): Answer<IssueView> => {
        if (key === 'ANV-404') return { kind: 'rejected', why: 'Entity not found' }
        const issue = this.issue(key)
        const { labels, state } = issue
        const isBlind = this.blindLooks > 0
        this.blindLooks -= isBlind ? 1 : 0
        const { comments, children } = isBlind ? { comments: [], children: [] } : issue
        return ok({
          id: key,
          team: 'team',
          labels,
          state: STATES.find(({ id }) => id === state) ?? STATES[0],
          states: STATES,
          comment: comments.find(({ body }) => body.includes(marker))?.id,
          subIssue: children.find(({ description }) => description.includes(marker))?.id,
        })
      }),
    label: (_team, name) =>
      this.#call(() => {
        this.labels.set(name, this.labels.get(name) ?? `label ${this.labels.size}`)
        return ok(this.labels.get(name) ?? '')
      }),
    change: (key, { label, state }) =>
      this.#call(() => {
        this.changes.push({ label, state })
        const issue = this.issue(key)
        if (label !== undefined) issue.labels = [...new Set([...issue.labels, label])]
        if (state !== undefined) issue.state = state
        return ok(undefined)
      }),
    link: (key, { url, title }) =>
      this.#call(() => {
        this.issue(key).links.set(url, title)
        return ok(undefined)
      }),
    comment: (key, comment) =>
      this.#call(() => this.#create(this.issue(key).comments, comment, comment.body)),
    rewrite: (id, body) =>
      this.#call(() => {
        for (const { comments } of this.issues.values()) {
          for (const comment of comments) if (comment.id === id) comment.body = body
        }
        return ok(undefined)
      }),
    createSubIssue: ({ id: key }, child) =>
      this.#call(() => this.#create(this.issue(key).children, child, child.title)),
  }

  #create<T extends { id: string }>(list: T[], made: T, text: string): Answer<undefined> {
    if (this.isBad(text)) return { kind: 'rejected', why: 'invalid input' }
    if (this.honoursIds && list.some(({ id }) => id === made.id))
      return { kind: 'rejected', why: 'id is taken' }
    list.push({ ...made })
    return ok(undefined)
  }

  async #call<T>(action: () => Answer<T>): Promise<Answer<T>> {
    this.calls += 1
    const mood = this.moods.shift() ?? 'well'
    if (mood === 'failed') return { kind: 'failed', why: 'no connection' }
    if (mood === 'limited') return { kind: 'limited', until: this.now + 5000, why: 'too many' }
    if (mood === 'refused') return { kind: 'refused', why: 'no such key' }
    const answer = action()
    if (mood === 'killed') throw new Killed()
    return mood === 'lost' ? { kind: 'failed', why: 'no answer' } : answer
  }
}

function ok<T>(value: T): Answer<T> {
  return { kind: 'ok', value }
}

/** Items as stored in the files. */
export class MemoryOutbox implements OutboxPort {
  readonly files = new Map<string, string>()
  state: OutboxState = { pausedUntil: 0, toldNoKey: false }
  issues: KnownIssues = new Map()
  isTaken = false

  list() {
    const items = [...this.files].flatMap(([name, text]) => parseItem(name, text) ?? [])
    return { items, damaged: [] }
  }
  write: OutboxPort['write'] = (item) => void this.files.set(fileNameOf(item), renderItem(item))
  remove: OutboxPort['remove'] = (item) => void this.files.delete(fileNameOf(item))
  readState = () => this.state
  writeState: OutboxPort['writeState'] = (state) => {
    this.state = state
  }
  readIssues = () => this.issues
  writeIssues: OutboxPort['writeIssues'] = (issues) => {
    this.issues = issues
  }
  plans: readonly TrackedPlan[] = []
  readPlans = () => this.plans
  changePlans: OutboxPort['changePlans'] = async (change) => {
    this.plans = await change(this.plans)
  }
  locked: OutboxPort['locked'] = async (action) => {
    if (this.isTaken) return undefined
    this.isTaken = true
    try {
      return await action(() => true)
    } finally {
      this.isTaken = false
    }
  }
}

export const TRACKER_CONFIG: Readonly<Record<string, string>> = {
  'ledger.tracker': 'linear',
  'ledger.trackerTeams': 'ANV',
  'ledger.trackerState': 'paused',
}

export interface MemoryTrackerContext extends TrackerContext {
  readonly outbox: MemoryOutbox
  readonly tracker: MemoryTracker
  readonly said: string[]
  readonly logged: string[]
  readonly config: Record<string, string>
  readonly links: Map<string, string>
  readonly started: { count: number }
}

export function memoryTracker(about: Partial<TrackerContext> = {}): MemoryTrackerContext {
  const tracker = new MemoryTracker()
  const said: string[] = []
  const logged: string[] = []
  const config = { ...TRACKER_CONFIG }
  const links = new Map<string, string>()
  const started = { count: 0 }
  const redact = (text: string) => text.replaceAll('hunter2', '[redacted: password]')
  return {
    tracker,
    said,
    logged,
    config,
    links,
    started,
    repository: {
      personalConfig: async (key) => {
        const value = config[key]
        return value === undefined ? undefined : { kind: 'value', value }
      },
    },
    env: { LINEAR_API_KEY: 'key' },
    clock: { now: () => tracker.now },
    secrets: async () => ({ find: () => [], redact, lineRedactor: () => redact }),
    openTracker: () => tracker.port,
    linkOf: async (path) => links.get(path),
    startSender: () => (started.count += 1) > 0,
    log: (line) => void logged.push(line),
    say: (message) => void said.push(message),
    ...about,
    outbox: new MemoryOutbox(),
  }
}
