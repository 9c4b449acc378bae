/** What the commands about handoffs share: their options, and what they open. */

import type { AddEventContext } from '../../app/commit/add-event.ts'
import type {
  ChangedHandoff,
  ChangeRequest,
  WriteRequest,
} from '../../app/handoff/change-handoff.ts'
import { changeHandoff } from '../../app/handoff/change-handoff.ts'
import { chooseHandoff } from '../../app/handoff/handoff-files.ts'
import type { HandoffFile } from '../../app/handoff/read-handoffs.ts'
import type { Input, OpenWorktree } from '../command/command.ts'
import { COMMIT, flag, value } from '../command/command.ts'
import { ALLOW_SECRET, writeContext } from '../command/shared-options.ts'

export const NAME =
  'a handoff, or the beginning of its name (default: the active one of this branch)'

/** How a change is recorded. */
export const RECORD_OPTIONS = {
  agent: value('who writes (default: from the environment)'),
  event: { ...flag('record the change as an event'), default: true },
  commit: { ...COMMIT, describe: 'commit the file and the event in a separate commit' },
  'allow-secret': ALLOW_SECRET,
}

export interface OpenHandoffs extends AddEventContext, OpenWorktree {}

export async function openHandoffs(input: Input): Promise<OpenHandoffs> {
  const open = await input.openWorktree()
  return { ...open, ...writeContext(open, input) }
}

export function writeRequest(input: Input): WriteRequest {
  return {
    agent: input.filled('agent'),
    commit: input.flag('commit'),
    secrets: input.flag('allow-secret') ? undefined : input.context.secrets,
  }
}

/** Changes a handoff, read once the lock is held. With `--no-event`, no event records the change. */
export function changeNow(
  input: Input,
  open: OpenHandoffs,
  { name }: HandoffFile,
  { said, ...change }: Omit<ChangeRequest, keyof WriteRequest>,
) {
  return open.locked(async () =>
    changeHandoff(open, await chooseHandoff(open, name), {
      ...writeRequest(input),
      ...change,
      said: (before, after) => (input.flag('event') ? said(before, after) : undefined),
    }),
  )
}

/** Reports what kept the commit from being made; the file and the event are written anyway. */
export function sayObstacle(input: Input, { obstacle }: ChangedHandoff): void {
  if (obstacle === undefined) return
  if (obstacle.code !== 'COMMIT_SKIPPED') {
    input.say(
      'ledger-git: the handoff and its event are written: your next commit takes the event along',
    )
  }
  throw obstacle
}
