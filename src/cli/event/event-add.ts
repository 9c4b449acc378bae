/** Writing events: `event add` and `event retract`. */

import type { AddedEvent } from '../../app/commit/add-event.ts'
import { addEvent } from '../../app/commit/add-event.ts'
import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { retractedFiles } from '../../core/event/event-set.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import { usage } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, sentence, value } from '../command/command.ts'
import { BODY_OPTIONS, readBody, isEmptyBody } from '../command/event-body.ts'
import {
  ALLOW_SECRET,
  readWriteOptions,
  WRITE_OPTIONS,
  writeContext,
} from '../command/shared-options.ts'

export const eventAdd: Command = {
  name: 'add',
  writes: true,
  describe: 'Write one event; it goes into your next commit',
  examples: [
    [
      'ledger-git event add --now "fix the parser" --done "found the bug"',
      'what you are doing, and did',
    ],
    [
      'ledger-git event add --decision db=sqlite --question "Which port?"',
      'a decision, and an open question',
    ],
    ["printf 'now: fix it\\n' | ledger-git event add --stdin", 'a body in YAML'],
  ],
  options: {
    ...BODY_OPTIONS,
    ...WRITE_OPTIONS,
    type: value('type of the event (default: note)'),
    reason: sentence('why it was written'),
    session: value("the agent session's id"),
    branch: value('branch (default: the current one)'),
    stream: value('the handoff it belongs to'),
    ts: value('time, ISO 8601 (default: now)'),
    stdin: flag('read the body, in YAML, from standard input'),
    'allow-secret': ALLOW_SECRET,
  },
  run: async (input) => {
    const body = input.flag('stdin') ? await input.context.stdin() : undefined
    const fields = readFields(input, body)
    const open = await input.openWorktree()
    const added = await addEvent(writeContext(open, input), {
      fields,
      ts: input.text('ts'),
      secrets: input.flag('allow-secret') ? undefined : input.context.secrets,
      ...readWriteOptions(input),
    })
    const path = open.fromHere(added.path)
    const { commit, existed, obstacle } = added
    const { agent, branch, type, file, ts } = added.event
    if (agent === 'unknown') {
      input.say(
        'ledger-git: no agent is named, so the event is attributed to "unknown"; next: --agent NAME',
      )
    }
    if (existed) input.say('ledger-git: exactly this event already exists')
    input.print({ path, file, ts: formatInstant(ts), agent, branch, type, commit }, path)
    sayObstacle(input, obstacle)
  },
}

/** Reports what kept the commit from being made, or the event from being staged; the event is written anyway. */
function sayObstacle(input: Input, obstacle: AddedEvent['obstacle']): void {
  if (obstacle === undefined) return
  if (obstacle.code !== 'COMMIT_SKIPPED') {
    input.say('ledger-git: the event is written, and pending: your next commit takes it along')
  }
  throw obstacle
}

export const eventRetract: Command = {
  name: 'retract',
  words: { '<files..>': 'event files, names, or their beginnings' },
  writes: true,
  describe: 'Remove events from the ledger by adding a retraction; the files stay',
  examples: [
    [
      'ledger-git event retract 2099-01-01T00-00-00Z_crisp_00c0ffee.md',
      'an event whose clock was wrong',
    ],
  ],
  options: { ...WRITE_OPTIONS, reason: value('why'), 'allow-secret': ALLOW_SECRET },
  run: async (input) => {
    const open = await input.openWorktree()
    const set = await readLedgerEvents(open.repository, open.settings, undefined)
    const archived = set.events.flatMap(({ covers }) => covers)
    const known = [...set.events, ...set.problems, ...archived].map(({ file }) => file)
    const named = input.texts('files').map((word) => fileMeant(word, known))
    const retracted = retractedFiles(set.events)
    const retracts = named.filter((file) => !retracted.has(file))
    if (retracts.length === 0) {
      input.say('ledger-git: already retracted; nothing was written')
      input.print({ path: null, retracts, commit: null }, [])
      return
    }
    const added = await addEvent(writeContext(open, input), {
      fields: { type: 'retraction', reason: input.text('reason'), retracts },
      ts: undefined,
      secrets: input.flag('allow-secret') ? undefined : input.context.secrets,
      ...readWriteOptions(input),
    })
    const path = open.fromHere(added.path)
    input.print({ path, retracts, commit: added.commit }, path)
    sayObstacle(input, added.obstacle)
  },
}

function readFields(input: Input, body: string | undefined): Omit<NewEvent, 'ts' | 'agent'> {
  const content = readBody(input)
  const head = {
    branch: input.filled('branch'),
    type: input.filled('type'),
    reason: input.filled('reason'),
    session: input.filled('session'),
    stream: input.filled('stream'),
  }
  if (body !== undefined) {
    if (isEmptyBody(content)) return { ...head, body }
    throw usage(
      '--stdin supplies the whole body; it cannot be combined with --now, --done and the like',
    )
  }
  // `--next ""` alone clears the list, which is a statement; nothing at all is not.
  if (isEmptyBody(content) && content.next === undefined) {
    throw usage('an event must say something', 'for example --now "fix the parser"')
  }
  return { ...head, ...content }
}
