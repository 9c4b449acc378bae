import type { DamagedState } from '../../app/shadow/session-ports.ts'
import type { SeenSession } from '../../app/session/view-sessions.ts'
import { seeSessions } from '../../app/session/view-sessions.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import { printJson } from '../context.ts'
import { safeText } from '../format.ts'
import { count, fileCount, phaseWord, safePath } from '../format-session.ts'

export const sessionList: Command = {
  name: 'list',
  describe: "List agents' sessions of all worktrees, in the order in which they started",
  examples: [
    ['ledger-git session list', 'those that are not finished'],
    ['ledger-git session list --all --json', 'all of them, as data'],
  ],
  options: (yargs) => yargs.option('all', { type: 'boolean', describe: 'finished ones, too' }),
  run: async (args, context) => {
    const withFinished = flag(args, 'all')
    const { sessions, damaged } = seeSessions(await context.sessions(), { withFinished })
    if (flag(args, 'json')) {
      const problems = damaged.map(({ file, reason, keptAs }) => ({
        file,
        reason,
        kept_as: keptAs ?? null,
      }))
      printJson(context, { sessions: sessions.map(listedJson), damaged: problems })
    } else {
      for (const session of sessions) context.stdout(`${sessionLine(session)}\n`)
      if (sessions.length === 0) {
        context.stderr(withFinished ? 'no sessions here\n' : 'no open sessions here\n')
      }
    }
    for (const problem of damaged) context.stderr(`${damageLine(problem)}\n`)
    return 0
  },
}

function listedJson({ state, isTimedOut, isFinished }: SeenSession): unknown {
  return {
    session: state.id,
    agent: state.agent,
    phase: state.phase,
    timed_out: isTimedOut,
    finished: isFinished,
    worktree: state.worktree,
    started_at: state.startedAt,
    last_sign_of_life: state.lastSignOfLife,
    steps: state.steps,
    pending_checkpoint: state.pendingCheckpoint ?? null,
    files: state.filesTouched,
  }
}

function sessionLine(session: SeenSession): string {
  const { state } = session
  const pending = state.pendingCheckpoint
  return [
    safeText(state.id),
    phaseWord(session),
    `${safeText(state.agent)} in ${safePath(state.worktree.path)}`,
    `started ${safeText(state.startedAt)}`,
    `last seen ${safeText(state.lastSignOfLife)}`,
    `${count(state.steps, 'step')}, ${fileCount(state)}`,
    ...(pending === undefined ? [] : [`checkpoint ${pending} pending`]),
  ].join('  ')
}

function damageLine({ file, reason, keptAs }: DamagedState): string {
  const kept =
    keptAs === undefined ? '' : `; kept as ${safePath(keptAs)}: look at it, then delete it`
  return `ledger-git: ${safePath(file)} ${safeText(reason)}${kept}`
}
