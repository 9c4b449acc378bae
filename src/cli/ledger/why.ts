/** `why`: shows which event set a decision or asked a question, or which session made a commit. */

import type { CommitLinkFound, CommitReason } from '../../app/checkpoint/explain-commit.ts'
import { explainCommit } from '../../app/checkpoint/explain-commit.ts'
import type { Reason } from '../../app/ledger/view-ledger.ts'
import { explainKey } from '../../app/ledger/view-ledger.ts'
import type { RepositoryPort } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { whoOf } from '../../core/event/event.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Command, Input } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { eventLine } from '../command/event-lines.ts'
import { members, safeText } from '../command/format.ts'

export const why: Command = {
  name: 'why',
  isLong: true,
  words: { '<key>': "a decision's key, or words of a question; if nothing matches, a commit" },
  describe: 'Show which event set a decision or asked a question, or which session made a commit',
  examples: [
    ['ledger-git why db', 'the history of the decision "db"'],
    ['ledger-git why "rate limiter"', 'questions with these words'],
    ['ledger-git why 1f0c2ab', 'session, agent and prompts of a commit'],
  ],
  options: { commit: flag('treat the word as a commit') },
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const [key, isCommit] = [input.word('key'), input.flag('commit')]
    const reasons = isCommit ? [] : await explainKey(repository, settings, key)
    if (reasons.length > 0)
      return input.print(
        reasons.map(reasonJson),
        reasons.map((reason) => reasonText(reason, input)),
      )
    const reason = await commitReason(repository, key, isCommit)
    const { commit, subject, links } = reason
    const title = `${commit.slice(0, 9)} ${safeText(subject)}`
    input.print(commitJson(reason), [title, ...links.flatMap(linkLines)])
    if (links.length > 0) return 0
    if (!input.json) input.say('ledger-git: no session is linked to this commit')
    return 1
  },
}

/** Explains a commit if no key matched: words of a ledger are what this command is for. */
async function commitReason(
  repository: RepositoryPort,
  word: string,
  isCommit: boolean,
): Promise<CommitReason> {
  try {
    return await explainCommit(repository, word)
  } catch (error) {
    if (isCommit || !(error instanceof LedgerError) || error.code !== 'REVISION_UNKNOWN')
      throw error
    const message = `no event decides or asks ${safeText(word)}, and it is not a commit`
    throw new LedgerError('EVENT_NOT_FOUND', message, 'ledger-git show')
  }
}

function reasonJson({ event, what, holds, commit }: Reason) {
  const { file, ts, agent, branch } = event
  return { what, holds, file, ts: formatInstant(ts), agent, branch, commit: commit?.oid }
}

function reasonText({ event, what, holds, commit }: Reason, input: Input): string {
  const where = commit ? `${commit.oid.slice(0, 9)} ${safeText(commit.subject)}` : 'pending'
  const { bold, green } = input.paint
  const said = holds ? `${bold(safeText(what))}  ${green('(holds now)')}` : safeText(what)
  return `${eventLine(event, input)}\n    ${said}\n    ${safeText(event.file)}\n    ${where}`
}

function commitJson({ commit, subject, links }: CommitReason): unknown {
  return {
    commit,
    subject,
    checkpoints: links.map(({ id, isMention, checkpoint }) => ({
      checkpoint: id,
      mentioned_only: isMention,
      found: checkpoint !== undefined,
      sessions: (checkpoint?.sessions ?? []).map((one) =>
        members(one, 'session', 'agent', 'branch', 'prompts'),
      ),
    })),
  }
}

function linkLines({ id, isMention, checkpoint }: CommitLinkFound): string[] {
  const mark = isMention ? '  (mentioned only: anybody can write such a line)' : ''
  const head = `  checkpoint ${id}${mark}`
  if (checkpoint === undefined) {
    return [head, '    not here: not made yet, or on another clone (git fetch)']
  }
  const sessions = checkpoint.sessions.flatMap(({ prompts, ...one }) => [
    `    ${safeText(whoOf(one))}  session ${safeText(one.session)}`,
    ...prompts.map((prompt) => `      prompt: ${safeText(prompt)}`),
  ])
  return [head, ...sessions]
}
