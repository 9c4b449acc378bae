/** `context status` and `context defer`: how full a session's context is, and putting off its messages. */

import type { SeenContext } from '../../app/context/look-at-context.ts'
import { deferLevels, lookAtContext } from '../../app/context/look-at-context.ts'
import { findSession } from '../../app/session/view-sessions.ts'
import type { SessionContext } from '../../app/shadow/session-context.ts'
import { sessionHere } from '../../app/shadow/session-here.ts'
import { STATE_FILE } from '../../core/context/places.ts'
import { formatMillis } from '../../core/event/instant.ts'
import { wakeSender } from '../../app/tracker/wake-sender.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, nonEmpty, value } from '../command/command.ts'
import { thousands } from './context-words.ts'
import { safeText } from '../command/format.ts'

const SESSION = value('id of a session, or its beginning (default: the session active here)')
const INSTALL = 'ledger-git install --agent claude --context'

export const contextStatus: Command = {
  name: 'status',
  describe: 'Show how full the context of a session is, and what to do about it',
  examples: [
    ['ledger-git context status', 'the session active here'],
    ['ledger-git context status --session 4f3a --json', 'another session, as data'],
  ],
  options: { session: SESSION },
  run: async (input) => {
    const open = await input.openWorktree()
    const context = await input.context.sessions()
    const seen = await lookAtContext(context, await sessionFor(input, context), open.settings)
    const { isFollowed, kept, statusLineAt, log, stateFile } = seen.selfTest
    input.print(
      {
        ...seen.state,
        selfTest: {
          followed: isFollowed,
          keptSample:
            kept === undefined ? null : { source: kept.source, at: formatMillis(kept.at) },
          statusLineAt: statusLineAt === undefined ? null : formatMillis(statusLineAt),
          log,
          stateFile,
        },
      },
      statusLines(seen),
    )
    for (const line of selfTestLines(seen.selfTest)) input.say(line)
  },
}

export const contextDefer: Command = {
  name: 'defer',
  writes: true,
  describe: 'Put off the messages of L1 and L2; an emergency is never put off',
  examples: [
    ['ledger-git context defer', 'the next message: just one more task'],
    ['ledger-git context defer --until L2', 'all messages of L1'],
  ],
  options: {
    once: { ...flag('put off only the next message (default)'), conflicts: 'until' },
    until: {
      ...nonEmpty('put off every message before this level'),
      choices: ['L2'],
    },
    session: SESSION,
  },
  run: async (input) => {
    await input.openWorktree()
    const context = await input.context.sessions()
    if (!context.contexts.isFollowed()) {
      throw new LedgerError(
        'CONTEXT_NOT_FOLLOWED',
        'no hook follows how full the context is in this clone, so there is nothing to put off',
        INSTALL,
      )
    }
    const session = await sessionFor(input, context)
    const deferred = input.filled('until') === undefined ? 'once' : 'until L2'
    await deferLevels(context, session, deferred)
    await wakeSender(await context.tracker())
    const what =
      deferred === 'once' ? 'the next message of L1 or L2 is left out' : 'silent until L2'
    input.print({ session: session.id, deferred }, `session ${safeText(session.id)}: ${what}`)
  },
}

async function sessionFor(input: Input, context: SessionContext): Promise<SessionState> {
  const id = input.filled('session')
  const session =
    id === undefined ? sessionHere(context) : context.sessions.read(await findSession(context, id))
  if (session !== undefined) return session
  throw new LedgerError(
    'SESSION_NOT_FOUND',
    'no session is active in this worktree',
    'ledger-git session list --all, then --session ID',
  )
}

function statusLines({ record, state }: SeenContext): string[] {
  const { contextTokens: tokens, contextPercent, limitPercent, effectiveLimit } = state
  const of = (percent: number | null, what: string) =>
    percent === null ? [] : [`${percent}% of ${what}`]
  const parts = [
    ...of(contextPercent, `the window of ${thousands(state.contextWindow ?? 0)}`),
    ...of(limitPercent, `the limit of ${thousands(effectiveLimit ?? 0)}`),
  ]
  const last = record.checkpoints.at(-1)
  return [
    `session: ${safeText(state.sessionId)}`,
    tokens === null
      ? 'context: unknown'
      : `context: ${thousands(tokens)} tokens${parts.length === 0 ? '' : `, ${parts.join(', ')}`}`,
    `level: ${state.currentLevel}`,
    `recommendation: ${state.recommendation}`,
    ...trendLine(state),
    ...(record.deferred === undefined ? [] : [`put off: ${record.deferred}`]),
    ...(last === undefined
      ? []
      : [`last checkpoint: ${safeText(last.handoffFile)} (${safeText(last.reason)})`]),
  ]
}

function trendLine({ contextTrend, tokensPerMinute, ...state }: SeenContext['state']): string[] {
  if (tokensPerMinute === null) return ['trend: unknown']
  const times = [
    ['L1', state.estimatedTimeToL1],
    ['L2', state.estimatedTimeToL2],
    ['L3', state.estimatedTimeToL3],
  ] as const
  const next = times.find(([, time]) => time !== null)
  const until = next === undefined ? '' : `, ${next[0]} in ${next[1]}`
  return [`trend: ${contextTrend}, ${thousands(tokensPerMinute)} tokens a minute${until}`]
}

function selfTestLines({
  isFollowed,
  kept,
  statusLineAt,
  log,
  stateFile,
}: SeenContext['selfTest']): string[] {
  const by = kept === undefined ? 'none yet' : `${kept.source} at ${formatMillis(kept.at)}`
  const line = statusLineAt === undefined ? 'never' : formatMillis(statusLineAt)
  return [
    isFollowed
      ? `hooks follow it; their last sample: ${by}; status line last run: ${line}`
      : `no hook follows it. next: ${INSTALL}`,
    ...(log === 'read'
      ? []
      : [
          log === 'none'
            ? "the session's agent has named no log"
            : "the session's log cannot be read",
        ]),
    ...(stateFile === 'foreign'
      ? [`${STATE_FILE} belongs to another program and is left unchanged`]
      : []),
  ]
}
