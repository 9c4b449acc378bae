import type { SeenSession } from '../../app/session/view-sessions.ts'
import { findSession, seeSession, shadowRefsOf } from '../../app/session/view-sessions.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { safeText } from '../format.ts'
import { count, phaseWord, safePath } from '../format-session.ts'

export const sessionShow: Command = {
  name: 'show',
  words: '<id>',
  describe: 'Show one session: where it stands, what it was asked, what it changed',
  examples: [['ledger-git session show 0379', 'the session whose id begins so']],
  options: (yargs) =>
    yargs.positional('id', { type: 'string', describe: 'id of a session, or its beginning' }),
  run: async (args, context) => {
    const work = await context.sessions()
    const id = await findSession(work, text(args, 'id') ?? '')
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
    if (flag(args, 'json')) printJson(context, shownJson(seen, refs))
    else context.stdout(`${sessionLines(seen, refs).join('\n')}\n`)
    return 0
  },
}

function shownJson({ state, isTimedOut, isFinished, isOwnerAlive }: SeenSession, refs: string[]) {
  const alive = isOwnerAlive ?? null
  return {
    session: state.id,
    agent: state.agent,
    phase: state.phase,
    timed_out: isTimedOut,
    finished: isFinished,
    worktree: state.worktree,
    base: state.base ?? null,
    started_at: state.startedAt,
    ended_at: state.endedAt ?? null,
    last_sign_of_life: state.lastSignOfLife,
    process: state.owner === undefined ? null : { pid: state.owner.pid, alive },
    turn: state.turn,
    steps: state.steps,
    pending_checkpoint: state.pendingCheckpoint ?? null,
    last_checkpoint: state.lastCheckpoint ?? null,
    awaiting: state.awaiting,
    commits: state.commits,
    files: state.filesTouched,
    more_files: state.hasMoreFiles,
    first_prompt: state.firstPrompt ?? null,
    prompts: state.prompts,
    todos: state.todos,
    questions: state.questions,
    tasks: state.tasks.map(({ toolUseId }) => toolUseId),
    transcript: state.transcript?.path ?? null,
    end_event: state.endEvent ?? null,
    shadow_refs: refs,
  }
}

function sessionLines(seen: SeenSession, refs: readonly string[]): string[] {
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
    ...fact('started', state.startedAt),
    ...fact('last sign of life', state.lastSignOfLife),
    ...fact('ended', state.endedAt),
    ...(state.owner === undefined ? [] : [`  process: ${state.owner.pid}, ${alive}`]),
    ...fact('pending checkpoint', state.pendingCheckpoint),
    ...fact('last checkpoint', state.lastCheckpoint),
    ...fact('event of its end', state.endEvent),
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

/** The first one, and those since the last checkpoint. */
function promptsOf({ state: { firstPrompt, prompts } }: SeenSession): string[] {
  const isThere = firstPrompt === undefined || prompts.some((one) => one.startsWith(firstPrompt))
  return isThere ? [...prompts] : [firstPrompt, ...prompts]
}
