/** Starts, validates, fails, or skips a phase: its line, and what the next agent has to know. */

import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import { addItem, combineEdits, lineOf, splice } from './edit-lines.ts'
import type { Edit } from './edit-lines.ts'
import { setEntry, setLastFailure, setUpdated } from './edits.ts'
import type { Handoff } from './handoff.ts'
import { DATE } from './handoff.ts'
import type { Phase, PhaseState } from './phases.ts'
import { PHASE_STATES, phaseKey, phasesOf } from './phases.ts'

export interface PhaseStep {
  /** A number such as `3`, or a label. */
  readonly phase: string
  readonly state: PhaseState
  readonly note: string | undefined
  readonly time: Instant
}

/** Changes only the line of the phase. */
export function setPhase({ phase, state, note, time }: PhaseStep): Edit {
  return (handoff) => {
    const { icon, word } = PHASE_STATES[state]
    const at = `${state === 'in_progress' ? 'started ' : ''}${formatInstant(time)}`
    const text = `${icon}${icon === '' ? '' : ' '}${word} (${[note && lineOf(note), at].filter(Boolean).join(', ')})`
    const found = phaseMeant(handoff, phase)
    if (found === undefined) return addItem('phases', `- ${labelOf(phase)}: ${text}`)(handoff)
    const hasColon = found.state.start > found.label.end
    const { start, end } = found.state
    return splice(handoff, { start, end, put: (hasColon ? '' : ': ') + text })
  }
}

/** Changes the line, the time, the failure, and the Resume Context. */
export function stepPhase(step: PhaseStep): Edit {
  return (handoff) => {
    const { state, note } = step
    const meant = phaseMeant(handoff, step.phase)
    const key = meant?.key ?? phaseKey(step.phase)
    const label = meant?.label.text ?? labelOf(step.phase)
    const steps = [setPhase(step), setUpdated(step.time, 'checkpoints')]
    if (state === 'in_progress') {
      steps.push(continueWith(label, state))
      if (/^\d+$/.test(key)) steps.push(setEntry('workflow', 'phase', key))
    } else if (state === 'failed') {
      steps.push(continueWith(label, state), resume('Blockers', note ?? `${label} failed`))
      if (note !== undefined) steps.push(setLastFailure(note))
    } else steps.push(continueElsewhere)
    return combineEdits(steps)(handoff)
  }
}

/** After a phase is over: what to do next, and what still blocks. */
const continueElsewhere: Edit = (handoff) => {
  const next = nextPhase(handoff)
  const isFailed = ({ status }: Phase) => status === 'failed'
  const failed = next && isFailed(next) ? next : phasesOf(handoff).find(isFailed)
  const blockers = failed && (noteOf(failed) || `${failed.label.text} failed`)
  return combineEdits([
    continueWith(next?.label.text, next?.status),
    resume('Blockers', blockers ?? '(none)'),
  ])(handoff)
}

/** The note without the time that `setPhase` adds. */
function noteOf({ note }: Phase): string {
  return note.replace(new RegExp(`(?:^|, )${DATE.source}$`), '')
}

function continueWith(label: string | undefined, status: PhaseState | undefined): Edit {
  const verb =
    status === 'failed' ? 'Fix and validate' : status === 'in_progress' ? 'Finish' : 'Begin'
  return combineEdits([
    resume('Current focus', label ?? '(none)'),
    resume('Next action', label === undefined ? '(all phases done)' : `${verb} ${label}`),
  ])
}

/** Finds a phase by its number, else by its label or by the text in parentheses there. */
export function phaseMeant(handoff: Handoff, word: string): Phase | undefined {
  const phases = phasesOf(handoff)
  const key = phaseKey(word)
  const words = word.trim().toLowerCase()
  const labels = phases.map(({ label }) => label.text.toLowerCase())
  return (
    phases.find((phase) => phase.key === key) ??
    phases[labels.indexOf(words)] ??
    phases[labels.findIndex((label) => label.endsWith(` (${words})`))]
  )
}

/** Where to continue: the phase that was started or failed last, else the first open one. */
export function nextPhase(handoff: Handoff): Phase | undefined {
  const phases = phasesOf(handoff)
  const begun = phases.filter(({ status }) => status === 'in_progress' || status === 'failed')
  let [last] = begun
  for (const phase of begun) if ((phase.time ?? '') > (last?.time ?? '')) last = phase
  return last ?? phases.find(({ status }) => status !== 'validated' && status !== 'skipped')
}

function labelOf(phase: string): string {
  const words = lineOf(phase).replace(/:(?=\s|$)/g, '')
  return /^\d/.test(words) ? `Phase ${words}` : words || 'Phase'
}

const resume = (key: string, text: string) => setEntry('resume', key, text)
