/** Sessions of agents: `session list`, `show` and `reset`. */

import type { DamagedState } from '../../app/shadow/session-ports.ts'
import { resetSession } from '../../app/session/reset-session.ts'
import type { SeenSession } from '../../app/session/view-sessions.ts'
import {
  findSession,
  seeSession,
  seeSessions,
  shadowRefsOf,
} from '../../app/session/view-sessions.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { agoOf } from '../../core/event/age.ts'
import type { Command } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { count, members, safePath, safeText } from '../command/format.ts'

const ID = { '<id>': 'id of a session, or its beginning' }

export const sessionList: Command = {
  name: 'list',
  describe: "List agents' sessions of all worktrees, in the order in which they started",
  examples: [
    ['ledger-git session list', 'sessions that are not finished'],
    ['ledger-git session list --all --json', 'all sessions, as data'],
  ],
  options: { all: flag('include finished sessions') },
  run: async (input) => {
    const withFinished = input.flag('all')
    const now = input.context.clock.now()
    const context = await input.context.sessions()
    const { sessions, damaged } = seeSessions(context, { withFinished, mends: true })
    const problems = damaged.map(({ file, reason, keptAs }) => ({ file, reason, kept_as: keptAs }))
    const json = sessions.map(({ state, ...seen }) => ({
      ...headJson({ state, ...seen }),
      ...members(state, 'startedAt', 'lastSignOfLife', 'steps', 'pendingCheckpoint'),
      files: state.filesTouched,
    }))
    input.print(
      { sessions: json, damaged: problems },
      sessions.map((one) => sessionLine(one, now)),
    )
    if (sessions.length === 0 && !input.json) {
      input.say(withFinished ? 'no sessions here' : 'no open sessions here')
    }
    for (const problem of damaged) input.say(damageLine(problem))
  },
}

/** The members that `list` and `show` both begin with. */
function headJson({ state, isTimedOut, isFinished }: SeenSession) {
  return {
    session: state.id,
    ...members(state, 'agent', 'phase', 'worktree'),
    timed_out: isTimedOut,
    finished: isFinished,
  }
}

/** The session's phase, or `timed out` or `left behind` instead of it. */
function phaseWord({ state, isTimedOut }: SeenSession): string {
  if (state.isLeftBehind) return 'left behind'
  return isTimedOut ? 'timed out' : state.phase
}

function sessionLine(session: SeenSession, now: number): string {
  const { state } = session
  const files = state.filesTouched.length
  const pending = state.pendingCheckpoint
  return [
    safeText(state.id),
    phaseWord(session),
    `${safeText(state.agent)} in ${safePath(state.worktree.path)}`,
    `started ${safeText(agoOf(state.startedAt, now))}`,
    `last seen ${safeText(agoOf(state.lastSignOfLife, now))}`,
    `${count(state.steps, 'step')}, ${state.hasMoreFiles ? `over ${files} files` : count(files, 'file')}`,
    ...(pending === undefined ? [] : [`checkpoint ${pending} pending`]),
  ].join('  ')
}

function damageLine({ file, reason, keptAs }: DamagedState): string {
  const kept =
    keptAs === undefined ? '' : `; kept as ${safePath(keptAs)}: look at it, then delete it`
  return `ledger-git: ${safePath(file)} ${safeText(reason)}${kept}`
}

export const sessionShow: Command = {
  name: 'show',
  words: ID,
  describe: 'Show one session: its state, what it was asked, what it changed',
  examples: [['ledger-git session show 0379', 'the session whose id begins with 0379']],
  run: async (input) => {
    const work = await input.context.sessions()
    const id = await findSession(work, input.word('id'))
    const state = work.sessions.read(id)
    if (state === undefined) {
      throw new LedgerError(
        'SESSION_NOT_FOUND',
        `no state of session ${id} is left, only shadow data`,
        `ledger-git session recover ${id} --dry-run`,
      )
    }
    const seen = seeSession(work, state)
    const refs = await shadowRefsOf(work, id)
    input.print(shownJson(seen, refs), sessionLines(seen, refs, input.context.clock.now()))
  },
}

function shownJson(seen: SeenSession, refs: string[]) {
  const { state, isOwnerAlive: alive } = seen
  return {
    ...headJson(seen),
    ...members(state, 'base', 'startedAt', 'endedAt', 'lastSignOfLife', 'turn', 'steps'),
    ...members(state, 'pendingCheckpoint', 'lastCheckpoint', 'awaiting', 'commits', 'endEvent'),
    ...members(state, 'firstPrompt', 'prompts', 'todos', 'questions'),
    process: state.owner && { pid: state.owner.pid, alive },
    files: state.filesTouched,
    more_files: state.hasMoreFiles,
    tasks: state.tasks.map(({ toolUseId }) => toolUseId),
    transcript: state.transcript?.path,
    shadow_refs: refs,
  }
}

function sessionLines(seen: SeenSession, refs: readonly string[], now: number): string[] {
  const { state, isOwnerAlive } = seen
  const alive = isOwnerAlive === true ? 'alive' : 'gone'
  const waiting = new Set(state.awaiting.map(({ commit }) => commit))
  const fact = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`  ${name}: ${safeText(value)}`]
  return [
    `session ${safeText(state.id)}`,
    `  ${safeText(state.agent)}, ${phaseWord(seen)}, turn ${state.turn}, ${count(state.steps, 'step')}`,
    `  worktree: ${safePath(state.worktree.path)}`,
    ...fact('base', state.base),
    ...fact('started', agoOf(state.startedAt, now)),
    ...fact('last sign of life', agoOf(state.lastSignOfLife, now)),
    ...fact('ended', state.endedAt && agoOf(state.endedAt, now)),
    ...(state.owner === undefined ? [] : [`  process: ${state.owner.pid}, ${alive}`]),
    ...fact('pending checkpoint', state.pendingCheckpoint),
    ...fact('last checkpoint', state.lastCheckpoint),
    ...fact('end event', state.endEvent),
    ...promptsOf(seen).flatMap((prompt) => fact('prompt', prompt)),
    ...state.todos.flatMap(({ text: item, status }) => fact(`to-do, ${status}`, item)),
    ...state.questions.flatMap((question) => fact('question', question)),
    ...state.commits.map(({ commit, checkpoint }) => {
      const mark = waiting.has(commit) ? ', not written yet' : ''
      return `  commit: ${safeText(commit)} (checkpoint ${checkpoint}${mark})`
    }),
    ...state.filesTouched.map((file) => `  file: ${safePath(file)}`),
    ...(state.hasMoreFiles ? ['  more files: in the shadow data'] : []),
    ...state.tasks.flatMap(({ toolUseId }) => fact('subagent', toolUseId)),
    ...refs.flatMap((ref) => fact('shadow data', ref)),
    ...(state.transcript === undefined ? [] : [`  transcript: ${safePath(state.transcript.path)}`]),
  ]
}

/** The first prompt, and the prompts since the last checkpoint. */
function promptsOf({ state: { firstPrompt, prompts } }: SeenSession): string[] {
  const isThere = firstPrompt === undefined || prompts.some((one) => one.startsWith(firstPrompt))
  return isThere ? [...prompts] : [firstPrompt, ...prompts]
}

export const sessionReset: Command = {
  name: 'reset',
  words: ID,
  writes: true,
  describe: 'Remove one session: its state and its shadow data; checkpoints and events stay',
  examples: [
    ['ledger-git session reset 0379', 'a session that is over'],
    ['ledger-git session reset 0379 --force', 'a session whose agent crashed'],
  ],
  options: {
    force: flag(
      'even if a turn is open, commits wait, files exist nowhere else, or no state is left',
    ),
  },
  run: async (input) => {
    const work = await input.context.sessions()
    const found = await findSession(work, input.word('id'))
    const { id, state } = await resetSession(work, found, { isForced: input.flag('force') })
    const waiting = (state?.awaiting ?? []).map(({ commit }) => commit)
    const { phase, filesTouched: files = [] } = state ?? {}
    const json = { session: id, phase, files, without_checkpoint: waiting }
    input.print(json, `session ${id}: removed`)
    if (waiting.length > 0) input.say(`ledger-git: without checkpoint: ${waiting.join(', ')}`)
  },
}
