/** A handoff, for people and as JSON. */

import type { HandoffFile } from '../../app/handoff/read-handoffs.ts'
import { foldToShow, readStreams } from '../../app/handoff/stream-events.ts'
import { ageOf } from '../../core/event/age.ts'
import type { Instant } from '../../core/event/instant.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { nextPhase } from '../../core/handoff/phase-edits.ts'
import { viewHandoff } from '../../core/handoff/view.ts'
import type { HandoffView } from '../../core/handoff/view.ts'
import type { Input } from '../command/command.ts'
import { count, members, safePath, safeText } from '../command/format.ts'
import type { OpenHandoffs } from './handoff-words.ts'

/** What the file says, joined with the newer events of its stream; reports what cannot be joined in. */
export async function viewWithEvents(
  input: Input,
  open: OpenHandoffs,
  file: HandoffFile,
): Promise<HandoffView> {
  const events = (await readStreams(open))(file.name)
  const { handoff, count: joined, obstacle } = foldToShow(file.handoff, events)
  if (obstacle !== undefined)
    input.say(`ledger-git: ${safePath(file.path)}: ${safeText(obstacle, 500)}`)
  return viewHandoff(handoff, joined)
}

export function viewJson(file: HandoffFile, view: HandoffView) {
  return {
    ...members(file, 'name', 'path'),
    ...members(view, 'status', 'branch', 'goal', 'test', 'now', 'thisSession', 'next', 'decisions'),
    ...members(view, 'otherDecisions', 'openQuestions', 'workflow', 'resolved', 'unknowns'),
    ...members(view, 'lastFailure', 'checkpoints', 'validation', 'newerEvents'),
    updated: view.updated && formatInstant(view.updated),
    unconfirmed: unconfirmedOf(view),
    phases: view.phases.map(({ key, label, status, note, time }) => {
      return { phase: key, label: label.text, status, note, time: time && formatInstant(time) }
    }),
    resume_context: view.resume,
  }
}

/** For the next agent, most important first. */
export function resumeLines(
  file: HandoffFile,
  view: HandoffView,
  { now, commits }: { now: number; commits: number | undefined },
): string[] {
  const { phases, validation } = view
  const last = phases.findLast(({ status }) => status === 'validated')
  const next = nextPhase(file.handoff)
  const questions = unconfirmedOf(view).slice(0, 3)
  const command = validation?.['last_test_command']
  const age =
    view.updated === undefined ? 'without a date' : `updated ${updatedAge(view.updated, now)} ago`
  const passed = commits === undefined ? 'not committed yet' : `${count(commits, 'commit')} since`
  const newer =
    view.newerEvents === 0 ? '' : `, ${count(view.newerEvents, 'newer event')} joined in`
  return [
    `${safeText(file.name)}: ${age}, ${passed}${newer}`,
    ...(view.goal === undefined ? [] : [`Goal: ${safeText(view.goal, 1000)}`]),
    ...part('Now', view.now),
    ...part('Next', view.next),
    ...part('Decisions', [
      ...[...view.decisions].map(([key, text]) => `${key}: ${text}`),
      ...view.otherDecisions,
    ]),
    ...(questions.length === 0
      ? []
      : [
          'Ask before you go on:',
          ...questions.map((text, i) => `  ${i + 1}. ${safeText(text, 500)}`),
        ]),
    ...(last === undefined ? [] : [`Last validated: ${safeText(last.label.text)}`]),
    ...(next === undefined ? [] : [`Next phase: ${safeText(next.label.text)}`]),
    ...[...view.resume].map(([key, text]) => `${safeText(key)}: ${safeText(text, 500)}`),
    ...(typeof command === 'string' ? [`Last test: ${safeText(command, 500)}`] : []),
  ]
}

/** The Ledger in full. */
export function showLines(view: HandoffView): string[] {
  const pairs = (map: ReadonlyMap<string, string>) =>
    [...map].map(([key, text]) => `${key}: ${text}`)
  return [
    ...(view.status === undefined ? [] : [`Status: ${safeText(view.status)}`]),
    ...(view.branch === undefined ? [] : [`Branch: ${safeText(view.branch)}`]),
    ...(view.updated === undefined ? [] : [`Updated: ${formatInstant(view.updated)}`]),
    ...(view.goal === undefined ? [] : [`Goal: ${safeText(view.goal, 2000)}`]),
    ...(view.test === undefined ? [] : [`Test: ${safeText(view.test, 2000)}`]),
    ...part('Now', view.now),
    ...part('This Session', view.thisSession),
    ...part('Next', view.next),
    ...part('Decisions', [...pairs(view.decisions), ...view.otherDecisions]),
    ...part('Open Questions', view.openQuestions),
    ...part('Workflow State', pairs(view.workflow)),
    ...part('Resolved', pairs(view.resolved)),
    ...part('Unknowns', pairs(view.unknowns)),
    ...part('Last Failure', view.lastFailure?.split('\n') ?? []),
    ...part('Checkpoints', pairs(view.checkpoints)),
    ...part(
      'Phase Status',
      view.phases.map(({ label, state }) => `${label.text}: ${state.text}`),
    ),
    ...part('Resume Context', pairs(view.resume)),
  ]
}

function unconfirmedOf(view: HandoffView): string[] {
  return view.openQuestions
    .filter((text) => /^\**UNCONFIRMED\b/i.test(text))
    .map((text) => text.replace(/^\**UNCONFIRMED:?\**:?\s*/i, ''))
}

function part(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return []
  return [`${title}:`, ...texts.map((text) => `  - ${safeText(text, 2000)}`)]
}

/** The age of an update. An update from a clock that is ahead counts as just now. */
export function updatedAge(updated: Instant, now: number): string {
  const here = instantFromMillis(now)
  return ageOf(updated < here ? updated : here, now)
}
