/**
 * Puts messages for the tracker into the outbox, with secrets redacted, and starts a process that sends them.
 * Never waits for the network, and does nothing if no tracker is set up.
 */

import type { Addition } from '../../core/tracker/outbox.ts'
import { addItems, inOrder, MAX_ITEMS } from '../../core/tracker/outbox.ts'
import type { Content } from '../../core/tracker/outbox-item.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import type { Named } from './tracked-issue.ts'
import { trackedIssue } from './tracked-issue.ts'
import type { TrackerContext } from './tracker-ports.ts'

/** Returns the issue concerned; undefined if there is none, if there is no tracker, or if the outbox is full. */
export async function tellIssue(
  context: TrackerContext,
  named: Named,
  contents: readonly Content[],
): Promise<string | undefined> {
  const key = await trackedIssue(context, named)
  return key !== undefined && (await put(context, key, contents)) ? key : undefined
}

/** False if there was no room for any of the messages. */
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
      `${refused} of ${contents.length} texts for ${issue} did not fit: ${MAX_ITEMS} already wait`,
    )
    say?.('  next: ledger-git tracker status')
  }
  if (hasKey(context) && !context.startSender()) {
    say?.('ledger-git is not installed here: nothing is sent automatically')
    say?.('  next: ledger-git tracker flush')
  }
  return refused < contents.length
}

function hasKey({ env, outbox, say }: TrackerContext): boolean {
  const state = outbox.readState()
  const isThere = (env[KEY_VARIABLE] ?? '').trim() !== ''
  if (say === undefined) return isThere
  if (!isThere && !state.toldNoKey) {
    say(`${KEY_VARIABLE} is not set: messages to the tracker wait`)
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
