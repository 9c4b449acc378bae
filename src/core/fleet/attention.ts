/** What needs a person's attention, and which command helps. */

import { compareBytes } from '../event/event.ts'
import { formatInstant, instantToMillis } from '../event/instant.ts'
import type { Instant } from '../event/instant.ts'
import type { Attributed } from '../ledger/join-state.ts'
import { hasWork, isOpenTurn } from '../session/session-state.ts'
import { counted } from '../text/counted.ts'
import { safeText } from '../text/safe-text.ts'
import { shellWord } from '../text/shell-word.ts'
import { agentName, instantOf, shownInstant } from './agents-at-work.ts'
import type { Attention } from './fleet.ts'
import { ATTENTION_KINDS } from './fleet.ts'
import type { ErrorFact, FleetFacts, SessionFacts, WorktreeFacts } from './fleet-facts.ts'
import type { Holder } from './holders.ts'
import { folderName } from '../text/folder-name.ts'

/** Milliseconds without a hook after which an open turn counts as stalled. */
const STALLED_AFTER = 15 * 60_000
/** Milliseconds after which an unanswered question is reported. */
const OLD_QUESTION = 24 * 60 * 60_000

/** Sorted by kind; within a kind, the oldest first. */
export function attentionOf(
  facts: FleetFacts,
  holders: readonly Holder[],
  questions: readonly Attributed<string>[],
): Attention[] {
  return [
    ...facts.sessions.flatMap((session) => ofSession(session, facts)),
    ...facts.worktrees.flatMap(ofWorktree),
    ...staleBranches(facts),
    ...unreadableEvents(holders),
    ...brokenParts(facts),
    ...questions.flatMap((question) => oldQuestion(question, facts.at ?? facts.now)),
  ].sort(
    (a, b) =>
      ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind) ||
      compareBytes(a.since ?? '', b.since ?? '') ||
      compareBytes(a.subject, b.subject) ||
      compareBytes(a.message, b.message) ||
      compareBytes(a.command ?? '', b.command ?? ''),
  )
}

type Report = (
  kind: Attention['kind'],
  message: string,
  since: string,
  command: string | null,
) => Attention

function ofSession(session: SessionFacts, { now, worktrees }: FleetFacts): Attention[] {
  const { state, isTimedOut, isFinished, isOwnerAlive, context } = session
  const worktree = worktrees.find(({ path }) => path === state.worktree.path)
  const hasWorktree = worktree !== undefined && !worktree.isGone
  const place = safeText(state.branch ?? folderName(state.worktree.path))
  const subject = `${safeText(agentName(session))} on ${place}`
  const here = (command: string) => (hasWorktree ? inFolder(state.worktree.path, command) : null)
  const show = `git ledger session show ${state.id}`
  const report: Report = (kind, message, since, command) => {
    return { kind, subject, message, since: shownInstant(since), command }
  }
  const sign = state.lastSignOfLife
  const found: Attention[] = []
  if (!isFinished && isOpenTurn(state)) {
    if (isOwnerAlive === false) {
      const message = 'its process is gone in the middle of a turn'
      found.push(report('stalled', message, sign, here('doctor --fix') ?? show))
    } else if (isTimedOut || isOlder(sign, now, STALLED_AFTER)) {
      found.push(report('stalled', 'its turn is open, and no hook has run since', sign, show))
    }
  }
  if (state.phase === 'idle' && !isTimedOut) {
    const [question] = state.questions
    const message =
      question === undefined
        ? 'its turn is over: it waits for a person'
        : `asks: ${safeText(question, 160)}`
    found.push(report('waiting', message, sign, show))
  }
  if (context !== undefined && context.level !== 'L0' && state.phase !== 'ended') {
    const message = `its context is ${context.percent} % full (${context.level})`
    found.push(report('context', message, sign, here('context checkpoint')))
  }
  return [...found, ...leftWork(session, hasWorktree, report)]
}

/** Uncommitted work of a session that is over. */
function leftWork(
  { state, isTimedOut }: SessionFacts,
  hasWorktree: boolean,
  report: Report,
): Attention[] {
  const isOver = state.phase === 'ended' || (state.phase === 'idle' && isTimedOut)
  if (!isOver || !(hasWork(state) || state.isLeftBehind)) return []
  const files = state.filesTouched.length
  const number = state.hasMoreFiles ? `over ${files} files` : counted(files, 'file')
  const what = files === 0 ? 'work' : `changes in ${number}`
  const where = hasWorktree ? '' : '; its worktree is gone'
  const command = `git ledger session ${hasWorktree ? 'show' : 'recover'} ${state.id}`
  const since = state.endedAt ?? state.lastSignOfLife
  return [report('left_behind', `it left ${what} that no commit holds${where}`, since, command)]
}

function ofWorktree(worktree: WorktreeFacts): Attention[] {
  const { path, branch, isGone, isLocked, isFresh, note } = worktree
  // Never its path, which is long and private.
  const subject = safeText(branch ?? folderName(path))
  if (isGone) {
    if (isLocked) return []
    // Pruning a worktree that was only moved loses its index, and the state of a merge or rebase in it.
    const message = `${safeText(note ?? 'its folder is gone')}; if it was deleted: git worktree prune`
    const command = 'git worktree repair FOLDER'
    return [{ kind: 'left_behind', subject, message, since: null, command }]
  }
  if (isFresh !== false) return []
  const command = inFolder(path, 'resolve')
  return [{ kind: 'stale', subject, message: STALE, since: null, command }]
}

const STALE = 'current.md does not match its events'

/** Stale branches that are not checked out in any worktree. */
function staleBranches({ branches, worktrees }: FleetFacts): Attention[] {
  const shown = new Set(worktrees.map(({ branch }) => branch))
  return branches
    .filter(({ name, isFresh }) => isFresh === false && !shown.has(name))
    .map(({ name }) => ({
      kind: 'stale',
      subject: safeText(name),
      message: STALE,
      since: null,
      command: naming(name, (word) => `git switch ${word} && git ledger resolve --commit`),
    }))
}

/** Something that cannot be read is reported once, even if several parts need it. */
function brokenParts({ errors }: FleetFacts): Attention[] {
  const order = (one: ErrorFact) => JSON.stringify([one.part, one.subject, one.command])
  const byMessage = new Map<string, ErrorFact>()
  for (const error of errors) {
    const known = byMessage.get(error.message)
    if (known === undefined || order(error) < order(known)) byMessage.set(error.message, error)
  }
  return [...byMessage.values()].map(({ subject, message, command = null }) => ({
    kind: 'broken',
    subject: safeText(subject),
    message: safeText(message),
    since: null,
    command,
  }))
}

/** Each unreadable file once, at the first holder that has it. */
function unreadableEvents(holders: readonly Holder[]): Attention[] {
  const reported = new Set<string>()
  return holders.flatMap(({ name, ledger: { state }, worktree }): Attention[] => {
    const skipped = state.problems.flatMap(({ file }) =>
      state.retracted.has(file) || reported.has(file) ? [] : file,
    )
    const files = [...new Set(skipped)].sort(compareBytes)
    for (const file of files) reported.add(file)
    if (files.length === 0) return []
    const [first = ''] = files
    const others = files.length === 1 ? '' : ` and ${files.length - 1} more`
    const message = `cannot be read in full: ${safeText(first)}${others}`
    const validate = 'event validate'
    const command =
      worktree === undefined ? `git ledger ${validate}` : inFolder(worktree.path, validate)
    return [{ kind: 'broken', subject: safeText(name), message, since: null, command }]
  })
}

function oldQuestion({ value, by }: Attributed<string>, now: Instant): Attention[] {
  if (instantToMillis(now) - instantToMillis(by.ts) < OLD_QUESTION) return []
  const text = safeText(value, 160)
  const where = by.branch === undefined ? '' : ` on ${safeText(by.branch)}`
  return [
    {
      kind: 'question',
      subject: `${safeText(by.agent)}${where}`,
      message: text,
      since: formatInstant(by.ts),
      // The command must contain the whole question, so there is none if the shown text was changed or shortened.
      command: text === value ? `git ledger event add --resolve ${shellWord(value)}` : null,
    },
  ]
}

function inFolder(path: string, command: string): string | null {
  return naming(path, (word) => `git -C ${word} ledger ${command}`)
}

/** Null if the text cannot be shown unchanged: a person must see what they copy. */
function naming(text: string, command: (word: string) => string): string | null {
  return safeText(text, 4096) === text ? command(shellWord(text)) : null
}

/** A text that is not an instant counts as old. */
function isOlder(text: string, now: Instant, than: number): boolean {
  const then = instantOf(text)
  return then === undefined || instantToMillis(now) - instantToMillis(then) >= than
}
