/** The messages that commands and hooks put into an outbox, in a short notation. */

import { tellIssue } from '../../src/app/tracker/put-in-outbox.ts'
import type { TrackerContext } from '../../src/app/tracker/tracker-ports.ts'

type About = {
  readonly issue: string | undefined
  readonly branch: string | undefined
  readonly level: string
  readonly percent: number | undefined
  readonly iteration: number | undefined
  readonly title: string
  readonly handoffPath: string
  readonly text: string
}

export function enqueueCheckpoint(context: TrackerContext, about: About) {
  const { issue, branch, handoffPath: path, title, text, ...rest } = about
  return tellIssue(context, { issue, branch }, [
    { kind: 'checkpoint', title, path, text, ...rest },
    { kind: 'link', title, path },
  ])
}

type Part = { readonly title: string; readonly body: string; readonly estimate: number | undefined }

export function enqueueShards(
  context: TrackerContext,
  { parent: issue, shards }: { readonly parent: string; readonly shards: readonly Part[] },
) {
  const parts = shards.map(({ title, body: text, estimate: tokens }) => {
    return { kind: 'shard', title, tokens, text } as const
  })
  return tellIssue(context, { issue, branch: undefined }, parts)
}

export function enqueueProgress(
  context: TrackerContext,
  {
    parent: issue,
    ...progress
  }: {
    readonly parent: string
    readonly plan: string
    readonly done: number
    readonly total: number
  },
) {
  return tellIssue(context, { issue, branch: undefined }, [{ kind: 'progress', ...progress }])
}
