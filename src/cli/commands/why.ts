import type { RepositoryPort } from '../../app/ports.ts'
import type { CommitLinkFound, CommitReason } from '../../app/checkpoint/explain-commit.ts'
import { explainCommit } from '../../app/checkpoint/explain-commit.ts'
import type { Reason } from '../../app/ledger/view-ledger.ts'
import { explainKey } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import type { CliContext } from '../context.ts'
import { printJson } from '../context.ts'
import { eventLine, safeText } from '../format.ts'

export const why: Command = {
  name: 'why',
  words: '<key>',
  describe: 'Which event set a decision or asked a question; which session made a commit',
  examples: [
    ['ledger-git why db', 'the history of the decision "db"'],
    ['ledger-git why "rate limiter"', 'questions with these words'],
    ['ledger-git why 1f0c2ab', 'session, agent and prompts of a commit'],
  ],
  options: (yargs) =>
    yargs
      .positional('key', {
        type: 'string',
        describe: "a decision's key, or words of a question; if there is none, a commit",
      })
      .option('commit', { type: 'boolean', describe: 'take the word for a commit' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const key = text(args, 'key') ?? ''
    const isCommit = flag(args, 'commit')
    const reasons = isCommit ? [] : await explainKey(repository, settings, key)
    if (reasons.length > 0) {
      printReasons(context, reasons, flag(args, 'json'))
      return 0
    }
    const commit = await commitReason(repository, key, isCommit)
    if (flag(args, 'json')) printJson(context, commitJson(commit))
    else printCommit(context, commit)
    return commit.links.length === 0 ? 1 : 0
  },
}

/** Keys come first: words of a ledger are what this command is for. */
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
    throw new LedgerError(
      'EVENT_NOT_FOUND',
      `no event decides or asks ${safeText(word)}, and it is no commit`,
      'ledger-git show',
    )
  }
}

function printReasons(context: CliContext, reasons: readonly Reason[], asJson: boolean): void {
  if (asJson) {
    printJson(
      context,
      reasons.map(({ event, what, commit }) => ({
        what,
        file: event.file,
        ts: formatInstant(event.ts),
        agent: event.agent,
        branch: event.branch ?? null,
        commit: commit === undefined ? null : commit.oid,
      })),
    )
    return
  }
  for (const { event, what, commit } of reasons) {
    const where =
      commit === undefined ? 'pending' : `${commit.oid.slice(0, 9)} ${safeText(commit.subject)}`
    context.stdout(
      `${eventLine(event)}\n    ${safeText(what)}\n    ${safeText(event.file)}\n    ${where}\n`,
    )
  }
}

function commitJson({ commit, subject, links }: CommitReason): unknown {
  return {
    commit,
    subject,
    checkpoints: links.map(({ id, isMention, checkpoint }) => ({
      checkpoint: id,
      mentioned_only: isMention,
      found: checkpoint !== undefined,
      sessions: (checkpoint?.sessions ?? []).map(({ session, agent, branch, prompts }) => ({
        session,
        agent,
        branch: branch ?? null,
        prompts,
      })),
    })),
  }
}

function printCommit(context: CliContext, { commit, subject, links }: CommitReason): void {
  context.stdout(`${commit.slice(0, 9)} ${safeText(subject)}\n`)
  if (links.length === 0) context.stderr('ledger-git: no session is linked to this commit\n')
  for (const link of links) context.stdout(`${linkLines(link).join('\n')}\n`)
}

function linkLines({ id, isMention, checkpoint }: CommitLinkFound): string[] {
  const mark = isMention ? '  (mentioned only: anybody can write such a line)' : ''
  const head = `  checkpoint ${id}${mark}`
  if (checkpoint === undefined) {
    return [head, '    not here: not made yet, or on another clone (git fetch)']
  }
  const sessions = checkpoint.sessions.flatMap(({ session, agent, branch, prompts }) => [
    `    ${safeText(branch === undefined ? agent : `${agent} on ${branch}`)}  session ${safeText(session)}`,
    ...prompts.map((prompt) => `      prompt: ${safeText(prompt)}`),
  ])
  return [head, ...sessions]
}
