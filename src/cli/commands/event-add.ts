/** Writing events: `event add` and `event retract`. */

import { addEvent } from '../../app/commit/add-event.ts'
import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import { formatInstant, parseInstant } from '../../core/event/instant.ts'
import type { NewCheckpoint, NewEvent } from '../../core/event/event.ts'
import type { Command, Input } from '../command.ts'
import { flag, list, sentence, value } from '../command.ts'
import { ALLOW_SECRET, readWriteOptions, WRITE_OPTIONS, writeContext } from '../shared-options.ts'

export const eventAdd: Command = {
  name: 'add',
  hot: true,
  writes: true,
  describe: 'Write one event; it goes into your next commit',
  examples: [
    ['ledger-git event add --now "fix the parser" --done "found the bug"', 'what you do and did'],
    [
      'ledger-git event add --decision db=sqlite --question "Which port?"',
      'what was decided, what is open',
    ],
    ["printf 'now: fix it\\n' | ledger-git event add --stdin", 'a body in YAML'],
  ],
  options: {
    ...WRITE_OPTIONS,
    now: sentence('what is being done now'),
    goal: sentence('the goal of the work'),
    test: sentence('the command that tests it'),
    title: sentence('title of the ledger'),
    done: { ...list('something done (repeat)'), isSentence: true },
    next: { ...list('a next step (repeat)'), isSentence: true },
    decision: { ...list('key=value (repeat); key= removes'), isSentence: true },
    question: { ...list('an open question (repeat)'), isSentence: true },
    resolve: { ...list('a question that is answered (repeat)'), isSentence: true },
    checkpoint: list('phase=5,status=validated[,updated=TIME] (repeat)'),
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
    const { commit = null, existed, obstacle } = added
    const { agent, branch = null, type = null, file, ts } = added.event
    if (existed) input.say('ledger-git: exactly this event was there already')
    input.print({ path, file, ts: formatInstant(ts), agent, branch, type, commit }, path)
    if (obstacle === undefined) return
    if (obstacle.code !== 'COMMIT_SKIPPED') {
      input.say('ledger-git: the event is written, and pending: your next commit takes it along')
    }
    throw obstacle
  },
}

export const eventRetract: Command = {
  name: 'retract',
  words: { '<files..>': 'event files, names, or their beginnings' },
  writes: true,
  describe: 'Take events out of the ledger by adding a retraction; the files stay',
  examples: [
    ['ledger-git event retract 2099-01-01T00-00-00Z_crisp_00c0ffee.md', 'a clock that was wrong'],
  ],
  options: { ...WRITE_OPTIONS, reason: value('why'), 'allow-secret': ALLOW_SECRET },
  run: async (input) => {
    const open = await input.openWorktree()
    const set = await readLedgerEvents(open.repository, open.settings, undefined)
    const archived = set.events.flatMap(({ covers }) => covers)
    const known = [...set.events, ...set.problems, ...archived].map(({ file }) => file)
    const retracts = input.texts('files').map((word) => fileMeant(word, known))
    const added = await addEvent(writeContext(open, input), {
      fields: { type: 'retraction', reason: input.text('reason'), retracts },
      ts: undefined,
      secrets: input.flag('allow-secret') ? undefined : input.context.secrets,
      ...readWriteOptions(input),
    })
    const path = open.fromHere(added.path)
    input.print({ path, retracts, commit: added.commit ?? null }, path)
  },
}

function readFields(input: Input, body: string | undefined): Omit<NewEvent, 'ts' | 'agent'> {
  const items = (name: string) => input.texts(name).filter((item) => item.trim() !== '')
  const content = {
    title: input.filled('title'),
    goal: input.filled('goal'),
    test: input.filled('test'),
    now: input.filled('now'),
    thisSession: items('done'),
    next: input.texts('next').length === 0 ? undefined : items('next'),
    decisions: input.texts('decision').map(readDecision),
    checkpoints: input.texts('checkpoint').map(readCheckpoint),
    openQuestions: items('question'),
    resolvedQuestions: items('resolve'),
  }
  const head = {
    branch: input.filled('branch'),
    type: input.filled('type'),
    reason: input.filled('reason'),
    session: input.filled('session'),
    stream: input.filled('stream'),
  }
  const isEmpty = Object.values(content).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  )
  if (body !== undefined) {
    if (isEmpty) return { ...head, body }
    throw usage('--stdin brings the whole body; it excludes --now, --done and the like')
  }
  // `--next ""` alone clears the list, which is a statement; nothing at all is not.
  if (isEmpty && !content.next && head.type === undefined && head.reason === undefined) {
    throw usage('an event must say something', '--now "fix the parser"')
  }
  return { ...head, ...content }
}

function usage(message: string, example?: string): LedgerError {
  return new LedgerError('USAGE', message, example && `for example ${example}`)
}

/** YAML takes no longer key on one line. */
const MAX_KEY = 1000

function readDecision(pair: string): { key: string; value: string | null } {
  const at = pair.indexOf('=')
  const key = pair.slice(0, at).trim()
  if (at === -1 || key === '') {
    throw usage(`--decision ${pair} is not key=value`, '--decision db=sqlite')
  }
  if (key.length > MAX_KEY) {
    const message = `a decision's key has at most ${MAX_KEY} characters`
    throw new LedgerError('USAGE', message, 'put the text into the value')
  }
  return { key, value: pair.slice(at + 1) || null }
}

function readCheckpoint(pairs: string): NewCheckpoint {
  const example = '--checkpoint phase=5,status=validated'
  const fields: Record<string, string | undefined> = {}
  for (const pair of pairs.split(',')) {
    const [, key, value = ''] = /^\s*(phase|status|updated)\s*=(.*)$/s.exec(pair) ?? []
    if (key === undefined) {
      throw usage(`--checkpoint ${pairs}: ${pair} is not phase=, status= or updated=`, example)
    }
    if (value.trim() !== '') fields[key] = value.trim()
  }
  const { phase, status, updated } = fields
  if (updated !== undefined && parseInstant(updated) === undefined) {
    const message = `--checkpoint ${pairs}: updated=${updated} is not an ISO 8601 time`
    throw usage(message, 'updated=2026-01-31T09:00:00Z')
  }
  if (phase === undefined && status === undefined) {
    throw usage(`--checkpoint ${pairs} needs a phase or a status`, example)
  }
  return { phase, status, updated }
}
