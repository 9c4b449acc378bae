/**
 * Puts into the outbox what the tracker is to be told, without what looks like a secret, and starts who sends it.
 * It never waits for the network, and does nothing where no tracker is set up.
 */

import { usage } from '../../core/errors/errors.ts'
import { issueKey } from '../../core/tracker/issue-key.ts'
import type { Addition } from '../../core/tracker/outbox.ts'
import { addItems, inOrder, MAX_ITEMS } from '../../core/tracker/outbox.ts'
import type { Content } from '../../core/tracker/outbox-item.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import { foreignIssue, teamsOf, trackedIssue } from './tracked-issue.ts'
import type { TrackerContext } from './tracker-ports.ts'

export interface TrackedCheckpoint {
  /** As the user named it. */
  readonly issue: string | undefined
  readonly branch: string | undefined
  readonly level: string
  readonly percent: number | undefined
  readonly iteration: number | undefined
  readonly title: string
  /** The handoff, from the top of the worktree. */
  readonly handoffPath: string
  readonly text: string
}

export interface TrackedShards {
  /** The issue that they are parts of. */
  readonly parent: string
  readonly shards: readonly {
    readonly title: string
    readonly body: string
    /** Tokens. */
    readonly estimate: number | undefined
  }[]
}

export interface TrackedProgress {
  readonly parent: string
  readonly plan: string
  readonly done: number
  readonly total: number
}

/** The issue that is told; undefined where there is none, or no tracker. */
export async function enqueueCheckpoint(
  context: TrackerContext,
  { handoffPath: path, title, text, ...about }: TrackedCheckpoint,
): Promise<string | undefined> {
  const key = await trackedIssue(context, about)
  if (key === undefined) return undefined
  const { level, percent, iteration } = about
  const contents: readonly Content[] = [
    { kind: 'checkpoint', title, level, percent, iteration, path, text },
    { kind: 'link', title, path },
  ]
  return (await put(context, key, contents)) ? key : undefined
}

/** Throws `USAGE` for a parent of no known team. */
export async function enqueueShards(
  context: TrackerContext,
  { parent, shards }: TrackedShards,
): Promise<string | undefined> {
  const key = await parentKey(context, parent)
  const contents = shards.map(({ title, body, estimate }): Content => {
    return { kind: 'shard', title, tokens: estimate, text: body }
  })
  return key !== undefined && (await put(context, key, contents)) ? key : undefined
}

/** One comment for a plan, rewritten each time. */
export async function enqueueProgress(
  context: TrackerContext,
  { parent, plan, done, total }: TrackedProgress,
): Promise<string | undefined> {
  const key = await parentKey(context, parent)
  if (key === undefined) return undefined
  return (await put(context, key, [{ kind: 'progress', plan, done, total }])) ? key : undefined
}

async function parentKey(context: TrackerContext, parent: string): Promise<string | undefined> {
  const teams = await teamsOf(context)
  if (teams === undefined) return undefined
  const key = issueKey(parent, teams)
  if (key === undefined) throw usage(foreignIssue(parent, teams), 'name another')
  return key
}

/** False where nothing of it found room. */
async function put(
  context: TrackerContext,
  issue: string,
  contents: readonly Content[],
): Promise<boolean> {
  const { outbox, clock, secrets, say } = context
  const { redact } = await secrets()
  const additions: Addition[] = contents.map((content) => ({
    issue,
    content: clean(redact, content),
  }))
  const { items } = inOrder(outbox.list().items)
  const { added, replaced, refused } = addItems(items, additions, clock.now())
  for (const item of added) outbox.write(item)
  for (const item of replaced) outbox.remove(item)
  if (refused > 0) {
    say?.(
      `${refused} of ${contents.length} texts for ${issue} found no room: ${MAX_ITEMS} wait already`,
    )
    say?.('  next: ledger-git tracker status')
  }
  if (hasKey(context) && !context.startSender()) {
    say?.('ledger-git is not installed here: nobody sends it by itself')
    say?.('  next: ledger-git tracker flush')
  }
  return refused < contents.length
}

function hasKey({ env, outbox, say }: TrackerContext): boolean {
  const state = outbox.readState()
  const isThere = (env[KEY_VARIABLE] ?? '').trim() !== ''
  if (say === undefined) return isThere
  if (!isThere && !state.toldNoKey) {
    say(`${KEY_VARIABLE} is not set: what the tracker is to be told waits`)
    say('  next: set it, then run ledger-git tracker flush')
  }
  if (isThere === state.toldNoKey) outbox.writeState({ ...state, toldNoKey: !isThere })
  return isThere
}

function clean(redact: (text: string) => string, content: Content): Content {
  const entries = Object.entries(content).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === 'string' && name !== 'kind' ? redact(value) : value]
  })
  return Object.fromEntries(entries) as Content
}
