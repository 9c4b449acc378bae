/**
 * Sends one item to the tracker. It first checks what is already there, so that an item is sent only once even
 * if its answer was lost or its sender was killed. The step that marks an item as done comes last, so that
 * finding it means that everything was done.
 */

import type { Answer } from '../../core/tracker/answer.ts'
import {
  checkpointComment,
  markerOf,
  progressComment,
  shardDescription,
} from '../../core/tracker/comment.ts'
import type { CheckpointContent, OutboxItem } from '../../core/tracker/outbox-item.ts'
import type { IssueTracker, IssueView } from './tracker-ports.ts'

const LABEL = 'context-checkpointed'

export interface Sending {
  readonly tracker: IssueTracker
  /** The name of the state to which a checkpoint moves its issue. */
  readonly state: string | undefined
  /** URL at which the item's handoff can be seen. */
  readonly link: string | undefined
  /** Reports something that could not be done; this stops nothing. */
  remark(text: string): void
  /** Records the name of the issue's present state. */
  learn(state: string): void
}

const DONE = { kind: 'ok', value: undefined } as const

export async function sendItem(item: OutboxItem, sending: Sending): Promise<Answer<unknown>> {
  const { tracker } = sending
  const marker = markerOf(item.id)
  const seen = await tracker.look(item.issue, marker)
  if (seen.kind !== 'ok') return seen
  sending.learn(seen.value.state.name)
  const answer = await send(item, seen.value, sending)
  if (answer.kind !== 'rejected') return answer
  // If the id is already taken, it is our own earlier item, whose answer was lost.
  const again = await tracker.look(item.issue, marker)
  return again.kind === 'ok' && isThere(item, again.value) ? DONE : answer
}

function isThere({ content }: OutboxItem, { comment, subIssue }: IssueView): boolean {
  if (content.kind === 'checkpoint') return comment !== undefined
  return content.kind === 'shard' && subIssue !== undefined
}

async function send(
  item: OutboxItem,
  issue: IssueView,
  sending: Sending,
): Promise<Answer<unknown>> {
  const { id, content } = item
  const { tracker, link } = sending
  if (isThere(item, issue)) return DONE
  switch (content.kind) {
    case 'checkpoint':
      return sendCheckpoint(id, content, issue, sending)
    case 'link':
      return link === undefined ? DONE : tracker.link(issue.id, { url: link, title: content.title })
    case 'shard': {
      const description = shardDescription(id, content)
      return tracker.createSubIssue(issue, { id, title: content.title, description })
    }
    case 'progress': {
      const body = progressComment(id, content)
      if (issue.comment !== undefined) return tracker.rewrite(issue.comment, body)
      return tracker.comment(issue.id, { id, body })
    }
  }
}

async function sendCheckpoint(
  id: string,
  content: CheckpointContent,
  issue: IssueView,
  { tracker, state: wanted, link, remark, learn }: Sending,
): Promise<Answer<unknown>> {
  const label = await tracker.label(issue.team, LABEL)
  if (label.kind !== 'ok' && label.kind !== 'rejected') return label
  if (label.kind === 'rejected') remark(`no label ${LABEL}: ${label.why}`)
  const state = stateToBe(issue, wanted, remark)
  const changed = await tracker.change(issue.id, {
    label: label.kind === 'ok' && !issue.labels.includes(label.value) ? label.value : undefined,
    state: state?.id,
  })
  if (changed.kind === 'rejected') remark(`label and state are unchanged: ${changed.why}`)
  else if (changed.kind !== 'ok') return changed
  else if (state !== undefined) learn(state.name)
  return tracker.comment(issue.id, { id, body: checkpointComment(id, content, link) })
}

/** The wanted state, if the issue is not in it. */
function stateToBe(
  issue: IssueView,
  wanted: string | undefined,
  remark: (text: string) => void,
): IssueView['state'] | undefined {
  if (wanted === undefined) return undefined
  const found = issue.states.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (found === undefined)
    remark(`the team has no state ${JSON.stringify(wanted)} (ledger.trackerState)`)
  return found?.id === issue.state.id ? undefined : found
}
