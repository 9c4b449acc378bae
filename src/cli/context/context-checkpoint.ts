/** Handing over a full context: `context checkpoint`, `orient`, `undo-wip`. */

import { findCheckpoint, knownIssues, noteShown } from '../../app/context/find-checkpoint.ts'
import { noteTyped } from '../../app/context/note-checkpoint.ts'
import { observeContext } from '../../app/context/observe-context.ts'
import { undoWip } from '../../app/context/wip-commit.ts'
import type { CheckpointRequest } from '../../app/context/write-checkpoint.ts'
import { writeContextCheckpoint } from '../../app/context/write-checkpoint.ts'
import { wakeSender } from '../../app/tracker/wake-sender.ts'
import { sessionHere, sessionOfProcess } from '../../app/shadow/session-here.ts'
import { quietly } from '../../app/shadow/session-context.ts'
import { NONE_RECORDED } from '../../core/context/handoff-document.ts'
import { orientText } from '../../core/context/orient.ts'
import { issueLines, issuesJson } from '../../core/tracker/known-issues.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, sentence, value } from '../command/command.ts'
import { BODY_OPTIONS, readBody } from '../command/event-body.ts'
import { members, safePath, safeText } from '../command/format.ts'

const ISSUE = value('the issue that it is about, such as ANV-123')

export const CHECKPOINT_OPTIONS = {
  ...BODY_OPTIONS,
  reason: sentence('why (default: manual)'),
  issue: ISSUE,
  wip: { ...flag('commit work in progress'), default: true },
}

/** Writes the checkpoint that the options ask for, and notes it. `loops`: all of them, or only those running. */
export async function takeCheckpoint(
  input: Input,
  request: Pick<CheckpointRequest, 'by' | 'loops'>,
) {
  const words = readBody(input)
  const { settings, fromHere } = await input.openWorktree()
  const context = await input.context.sessions()
  const session = sessionHere(context)
  const reason = input.filled('reason') ?? 'manual'
  const written = await writeContextCheckpoint(context, session, {
    ...request,
    reason,
    record: session && (await observeContext(context, session, settings, false)),
    settings,
    issue: input.filled('issue'),
    words,
    noWip: !input.flag('wip'),
  })
  if (session !== undefined && context.contexts.isFollowed()) {
    await noteTyped(context, session, settings, { path: written.path, reason })
  }
  const { path, handoff, issue } = written
  const { wip } = handoff
  /** The document and the commit come first, what the tracker is told comes last. */
  const lines = (between: readonly string[]) => [
    `handoff: ${safePath(fromHere(path))}`,
    ...(wip === undefined ? [] : [`work in progress: commit ${wip.slice(0, 8)}`]),
    ...between,
    ...(issue === undefined ? [] : [`the tracker is told: ${issue}`]),
  ]
  return { context, fromHere, written, lines }
}

export const contextCheckpoint: Command = {
  name: 'checkpoint',
  writes: true,
  describe: 'Save the work and write down what the next session needs to know',
  examples: [
    [
      'ledger-git context checkpoint --now "wire the form" --next "validate the email"',
      'with a few words of your own',
    ],
  ],
  options: CHECKPOINT_OPTIONS,
  run: async (input) => {
    const { written, lines } = await takeCheckpoint(input, { by: 'typed' })
    const { path: handoff, event, obstacle, isSaved, loops, isRemembered, issue } = written
    const elsewhere = isSaved ? 'it is saved as shadow data' : 'only the files here have it'
    const { wip, leftOut } = written.handoff
    input.print(
      { handoff, event, wip, left_out: leftOut, obstacle, loops, remembered: isRemembered, issue },
      [
        ...lines([
          ...(obstacle === undefined
            ? []
            : [`no commit of work in progress: ${safeText(obstacle)}; ${elsewhere}`]),
          ...leftOut.map(({ path, why }) => `not in it: ${safePath(path)} (${safeText(why)})`),
          ...loops.map((file) => `the loop's next iteration reads: ${safePath(file)}`),
          ...(isRemembered ? ['claude-mem has a copy'] : []),
        ]),
        input.context.named('The next session continues with: ledger-git context orient'),
      ],
    )
  },
}

export const contextOrient: Command = {
  name: 'orient',
  describe: 'Show where the last session on this branch left off, and its next steps',
  examples: [
    ['ledger-git context orient', 'for this branch'],
    ['ledger-git context orient --issue ANV-123', 'for an issue, whatever the branch'],
  ],
  options: { issue: { ...ISSUE, requiresArg: true } },
  run: async (input) => {
    const open = await input.openWorktree()
    const { branch } = await open.repository.history.head()
    const issue = input.filled('issue')
    const context = await input.context.sessions()
    const found = await findCheckpoint(context, { branch, issue })
    if (found === undefined) {
      const what = issue === undefined ? `branch ${branch ?? '(detached)'}` : `issue ${issue}`
      throw new LedgerError(
        'CONTEXT_CHECKPOINT_NOT_FOUND',
        `there is no context checkpoint for ${what}`,
        'ledger-git show, for what the ledger says',
      )
    }
    const { path, handoff } = found
    const reader = sessionOfProcess(context)
    if (reader !== undefined) {
      await quietly(context, 'orient not noted', () => noteShown(context, reader, path))
    }
    const issues = await knownIssues(context, handoff)
    const items = (title: string) =>
      handoff.section(title).map((line) => line.replace(/^(?:[-*]|\d+\.|\[->\])\s+/, ''))
    input.print(
      {
        handoff: path,
        ...members(handoff, 'title', 'when', 'branch', 'issues', 'wip'),
        issue_states: issuesJson(issues),
        now: items('Now')[0],
        next: items('Next Steps').filter((step) => step !== NONE_RECORDED),
        questions: items('Open Questions'),
        decisions: items('Decisions'),
        files: items('Modified Files'),
      },
      orientText(handoff, { path: open.fromHere(path), issues: issueLines(issues) }, Infinity)
        .trimEnd()
        .split('\n'),
    )
  },
}

export const contextUndoWip: Command = {
  name: 'undo-wip',
  writes: true,
  describe: 'Undo the work-in-progress commit: its changes are uncommitted again',
  examples: [['ledger-git context undo-wip', 'while nobody else has the commit']],
  run: async (input) => {
    const open = await input.openWorktree()
    const context = await input.context.sessions()
    const undone = await undoWip(context, open.settings)
    await wakeSender(await context.tracker())
    const { commit, parent } = undone
    input.print({ commit, parent }, [
      `taken back: ${commit.slice(0, 8)}; HEAD is ${parent.slice(0, 8)} again, its changes are in the worktree`,
    ])
  },
}
