/** `buildFleet` turns facts into the fleet as it is shown. The order of the facts does not matter. Pure. */

import type { LedgerEvent } from '../event/event.ts'
import { compareBytes, compareEvents, saidOf } from '../event/event.ts'
import { formatInstant } from '../event/instant.ts'
import { changeText } from '../ledger/change-text.ts'
import { counted } from '../text/counted.ts'
import { safeText } from '../text/safe-text.ts'
import { agentsAtWork, shownInstant } from './agents-at-work.ts'
import { attentionOf } from './attention.ts'
import { differingDecisions, openQuestionsOf, questionJson } from './differing.ts'
import type {
  Fleet,
  FleetBranch,
  FleetCheckpoint,
  FleetError,
  FleetList,
  FleetWorktree,
  TimelineEvent,
} from './fleet.ts'
import type {
  BranchFacts,
  CheckpointFacts,
  EventFact,
  FleetFacts,
  WorktreeFacts,
} from './fleet-facts.ts'
import { FLEET_LISTS } from './fleet.ts'
import { holdersOf } from './holders.ts'

/** How many entries of each list are shown; agents are counted per worktree, changes per branch. */
export type FleetLimits = Readonly<Record<FleetList | 'agents' | 'changes', number>>

export const FLEET_LIMITS: FleetLimits = {
  attention: 50,
  worktrees: 100,
  branches: 100,
  decisions_differ: 50,
  open_questions: 50,
  timeline: 200,
  checkpoints: 50,
  agents: 8,
  changes: 20,
}

/** Lists that a person has to act on are shown in full, because nothing else shows the rest. */
export const WHOLE_LISTS: Partial<FleetLimits> = {
  attention: Infinity,
  decisions_differ: Infinity,
  open_questions: Infinity,
}

/** `limits` override `FLEET_LIMITS`; entries beyond a limit are counted in `more`. */
export function buildFleet(facts: FleetFacts, limits: Partial<FleetLimits> = {}): Fleet {
  const most: FleetLimits = { ...FLEET_LIMITS, ...limits }
  const more = Object.fromEntries([...FLEET_LISTS, 'agents'].map((list) => [list, 0])) as Record<
    FleetList | 'agents',
    number
  >
  const cut = <T>(list: FleetList, all: readonly T[]): T[] => {
    const { kept, rest } = firstOf(all, most[list])
    more[list] = rest + (facts.leftOut?.[list] ?? 0)
    return kept
  }
  const holders = holdersOf(facts)
  const questions = openQuestionsOf(holders)
  const worktrees = cut('worktrees', facts.worktrees.toSorted(compareWorktrees)).map(
    (worktree): FleetWorktree => {
      const { kept, rest } = firstOf(agentsAtWork(worktree, facts), most.agents)
      more.agents += rest
      return { ...worktreeJson(worktree), agents: kept }
    },
  )
  const branches = facts.branches.toSorted(
    (a, b) =>
      Number(b.name === facts.mainBranch) - Number(a.name === facts.mainBranch) ||
      compareBytes(a.name, b.name),
  )
  return {
    generated_at: formatInstant(facts.now),
    at: facts.at === undefined ? null : formatInstant(facts.at),
    main_branch: facts.mainBranch ?? null,
    attention: cut('attention', attentionOf(facts, holders, questions)),
    worktrees,
    branches: cut('branches', branches).map((branch) => branchJson(branch, most.changes)),
    decisions_differ: cut('decisions_differ', differingDecisions(holders)),
    open_questions: cut('open_questions', questions).map(questionJson),
    timeline: cut('timeline', facts.events.toSorted(compareNewest)).map(eventJson),
    checkpoints: cut('checkpoints', facts.checkpoints.toSorted(compareCheckpoints)).map(
      checkpointJson,
    ),
    errors: errorsJson(facts),
    more,
  }
}

/** Each error once: several facts about one branch may need the same unreadable object. */
function errorsJson({ errors }: FleetFacts): FleetError[] {
  const shown = errors.map(({ part, subject, message }) => ({
    part,
    subject: safeText(subject),
    message: safeText(message),
  }))
  return [...new Map(shown.map((one) => [JSON.stringify(one), one]))]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([, one]) => one)
}

function firstOf<T>(all: readonly T[], most: number): { kept: T[]; rest: number } {
  return { kept: all.slice(0, most), rest: Math.max(0, all.length - most) }
}

function compareWorktrees(a: WorktreeFacts, b: WorktreeFacts): number {
  return Number(b.isMain) - Number(a.isMain) || compareBytes(a.path, b.path)
}

function worktreeJson(worktree: WorktreeFacts): Omit<FleetWorktree, 'agents'> {
  const { path, branch, head, isMain, isFresh, pending, ahead, behind, note } = worktree
  return {
    path,
    branch: branch ?? null,
    head: head ?? null,
    main: isMain,
    fresh: isFresh ?? null,
    pending: pending?.length ?? null,
    ahead: ahead ?? null,
    behind: behind ?? null,
    note: note === undefined ? null : safeText(note),
  }
}

function branchJson(branch: BranchFacts, most: number): FleetBranch {
  const { name, head, isFresh, ahead, behind, changes } = branch
  const { kept, rest } = firstOf(changes ?? [], most)
  return {
    name,
    head,
    fresh: isFresh ?? null,
    ahead: ahead ?? null,
    behind: behind ?? null,
    would_change: changes === undefined ? null : kept.map(changeText),
    more: rest,
  }
}

function compareNewest(a: EventFact, b: EventFact): number {
  return compareEvents(b.event, a.event)
}

function eventJson({ event, isPending }: EventFact): TimelineEvent {
  return {
    file: event.file,
    ts: formatInstant(event.ts),
    agent: event.agent,
    branch: event.branch ?? null,
    type: event.type ?? null,
    summary: summaryOf(event),
    pending: isPending,
  }
}

/** The most interesting thing that the event says. */
function summaryOf(event: LedgerEvent): string {
  const [decision] = event.decisions
  const said = [
    event.now,
    event.thisSession[0],
    decision && `${decision.key}: ${saidOf(decision) ?? 'taken back'}`,
    event.openQuestions[0],
    event.resolvedQuestions[0] && `answered: ${event.resolvedQuestions[0]}`,
    event.next?.[0] && `next: ${event.next[0]}`,
    event.goal,
    event.retracts[0] && `takes back ${event.retracts[0]}`,
    event.covers.length > 0
      ? `stands for ${counted(event.covers.length, 'archived event')}`
      : undefined,
    event.reason,
    event.title,
    event.next && 'next: (none)',
  ]
  return safeText(said.find((text) => text !== undefined && text.trim() !== '') ?? '')
}

function compareCheckpoints(a: CheckpointFacts, b: CheckpointFacts): number {
  return compareBytes(b.ts ?? '', a.ts ?? '') || compareBytes(a.id, b.id)
}

function checkpointJson({ id, ts, sessions, commits, files }: CheckpointFacts): FleetCheckpoint {
  const agents = [...new Set(sessions.map(({ agent }) => agent))].sort(compareBytes)
  const [branch = null] = sessions.flatMap((session) => session.branch ?? []).sort(compareBytes)
  return {
    id,
    ts: ts === undefined ? null : shownInstant(ts),
    agent: agents.join(', '),
    branch,
    commits,
    summary: `${counted(commits.length, 'commit')}, ${counted(files, 'file')}`,
  }
}
