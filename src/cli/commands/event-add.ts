import { relative } from 'node:path'
import { addEvent } from '../../app/commit/add-event.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { NewCheckpoint, NewEvent } from '../../core/event/write-event.ts'
import { formatInstant, parseInstant } from '../../core/event/instant.ts'
import type { Arguments, Command } from '../command.ts'
import { filled, flag, text, texts } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { readWriteOptions, writeContext, writeOptions } from '../write-options.ts'

export const eventAdd: Command = {
  name: 'add',
  hot: true,
  writes: true,
  describe: 'Write one event; it goes into your next commit',
  sentences: [
    'now',
    'goal',
    'test',
    'title',
    'done',
    'next',
    'decision',
    'question',
    'resolve',
    'reason',
  ],
  examples: [
    ['ledger-git event add --now "fix the parser" --done "found the bug"', 'what you do and did'],
    [
      'ledger-git event add --decision db=sqlite --question "Which port?"',
      'what was decided, what is open',
    ],
    ["printf 'now: fix it\\n' | ledger-git event add --stdin", 'a body in YAML'],
  ],
  options: (yargs) =>
    writeOptions(yargs)
      .option('now', { type: 'string', describe: 'what is being done now' })
      .option('goal', { type: 'string', describe: 'the goal of the work' })
      .option('test', { type: 'string', describe: 'the command that tests it' })
      .option('title', { type: 'string', describe: 'title of the ledger' })
      .option('done', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'something done (repeat)',
      })
      .option('next', { type: 'string', array: true, nargs: 1, describe: 'a next step (repeat)' })
      .option('decision', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'key=value (repeat); key= removes',
      })
      .option('question', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'an open question (repeat)',
      })
      .option('resolve', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'a question that is answered (repeat)',
      })
      .option('checkpoint', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'phase=5,status=validated[,updated=TIME] (repeat)',
      })
      .option('type', { type: 'string', describe: 'type of the event (default: note)' })
      .option('reason', { type: 'string', describe: 'why it was written' })
      .option('session', { type: 'string', describe: "the agent session's id" })
      .option('branch', { type: 'string', describe: 'branch (default: the current one)' })
      .option('stream', { type: 'string', describe: 'the handoff it belongs to' })
      .option('ts', { type: 'string', describe: 'time, ISO 8601 (default: now)' })
      .option('stdin', {
        type: 'boolean',
        describe: 'read the body, in YAML, from standard input',
      })
      .option('allow-secret', {
        type: 'boolean',
        describe: 'write it even if something in it looks like a secret',
      }),
  run: async (args, context) => {
    const body = flag(args, 'stdin') ? await context.stdin() : undefined
    const fields = readFields(args, body)
    const open = await openWorktree(context)
    const added = await addEvent(writeContext(open, context), {
      fields,
      ts: text(args, 'ts'),
      secrets: flag(args, 'allow-secret') ? undefined : context.secrets,
      ...readWriteOptions(args),
    })
    const path = relative(context.cwd, `${open.top}/${added.path}`)
    const { event, commit, existed, obstacle } = added
    if (existed) context.stderr('ledger-git: exactly this event was there already\n')
    if (flag(args, 'json')) {
      const { agent, branch = null, type = null, file } = event
      printJson(context, {
        path,
        file,
        ts: formatInstant(event.ts),
        agent,
        branch,
        type,
        commit: commit ?? null,
      })
    } else context.stdout(`${path}\n`)
    if (obstacle === undefined) return 0
    if (obstacle.code !== 'COMMIT_SKIPPED') {
      context.stderr(
        'ledger-git: the event is written, and pending: your next commit takes it along\n',
      )
    }
    throw obstacle
  },
}

function readFields(args: Arguments, body: string | undefined): Omit<NewEvent, 'ts' | 'agent'> {
  const content = {
    title: filled(args, 'title'),
    goal: filled(args, 'goal'),
    test: filled(args, 'test'),
    now: filled(args, 'now'),
    thisSession: texts(args, 'done').filter(isFilled),
    next: args['next'] === undefined ? undefined : texts(args, 'next').filter(isFilled),
    decisions: texts(args, 'decision').map(readDecision),
    checkpoints: texts(args, 'checkpoint').map(readCheckpoint),
    openQuestions: texts(args, 'question').filter(isFilled),
    resolvedQuestions: texts(args, 'resolve').filter(isFilled),
  }
  const head = {
    branch: filled(args, 'branch'),
    type: filled(args, 'type'),
    reason: filled(args, 'reason'),
    session: filled(args, 'session'),
    stream: filled(args, 'stream'),
  }
  const isEmpty = Object.values(content).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  )
  if (body !== undefined) {
    if (isEmpty) return { ...head, body }
    throw new LedgerError(
      'USAGE',
      '--stdin brings the whole body; it excludes --now, --done and the like',
    )
  }
  // `--next ""` alone clears the list, which is a statement; nothing at all is not.
  if (
    isEmpty &&
    args['next'] === undefined &&
    head.type === undefined &&
    head.reason === undefined
  ) {
    throw new LedgerError(
      'USAGE',
      'an event must say something',
      'for example --now "fix the parser"',
    )
  }
  return { ...head, ...content }
}

function isFilled(item: string): boolean {
  return item.trim() !== ''
}

/** YAML takes no longer key on one line. */
const MAX_KEY = 1000

function readDecision(pair: string): { key: string; value: string | null } {
  const at = pair.indexOf('=')
  const key = pair.slice(0, at).trim()
  if (at === -1 || key === '') {
    throw new LedgerError(
      'USAGE',
      `--decision ${pair} is not key=value`,
      'for example --decision db=sqlite',
    )
  }
  if (key.length > MAX_KEY) {
    throw new LedgerError(
      'USAGE',
      `a decision's key has at most ${MAX_KEY} characters`,
      'put the text into the value',
    )
  }
  const value = pair.slice(at + 1)
  return { key, value: value === '' ? null : value }
}

function readCheckpoint(pairs: string): NewCheckpoint {
  const fields = new Map<string, string>()
  for (const pair of pairs.split(',')) {
    const at = pair.indexOf('=')
    const key = pair.slice(0, at).trim()
    if (at === -1 || !['phase', 'status', 'updated'].includes(key)) {
      throw new LedgerError(
        'USAGE',
        `--checkpoint ${pairs}: ${pair} is not phase=, status= or updated=`,
        'for example --checkpoint phase=5,status=validated',
      )
    }
    if (isFilled(pair.slice(at + 1))) fields.set(key, pair.slice(at + 1).trim())
  }
  const updated = fields.get('updated')
  if (updated !== undefined && parseInstant(updated) === undefined) {
    throw new LedgerError(
      'USAGE',
      `--checkpoint ${pairs}: updated=${updated} is not an ISO 8601 time`,
      'for example updated=2026-01-31T09:00:00Z',
    )
  }
  if (!fields.has('phase') && !fields.has('status')) {
    throw new LedgerError(
      'USAGE',
      `--checkpoint ${pairs} needs a phase or a status`,
      'for example --checkpoint phase=5,status=validated',
    )
  }
  return {
    phase: fields.get('phase'),
    status: fields.get('status'),
    updated: fields.get('updated'),
  }
}
