/**
 * Random walks through the phases, compared with a model without a table: it knows what a session
 * is (a turn is open, somebody ended the session, commits wait for their checkpoint) and what must
 * never be lost.
 */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Action, Phase, SessionEvent } from '../../../src/core/session/phase.ts'
import { transition } from '../../../src/core/session/phase.ts'
import { runs } from '../../support/long.ts'

type Step = SessionEvent & { isSequence?: boolean; isForeign?: boolean; writes?: boolean }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('turn_start' as const), writes: fc.boolean() }),
  fc.constantFrom<Step>({ type: 'turn_goes_on' }, { type: 'turn_end' }, { type: 'session_end' }),
  fc.record({
    type: fc.constant('git_commit' as const),
    isSequence: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    isForeign: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('session_start' as const),
    source: fc.constantFrom('startup', 'resume', 'clear', 'compact'),
  }),
)

/** What is true of a session, whatever its phase is called. */
class Model {
  exists = false
  isOver = false
  turnIsOpen = false
  /** The open turn has made a commit. */
  hasCommitted = false

  on(step: Step): void {
    if (!this.exists && step.type !== 'turn_start') return
    const wasOver = this.isOver
    switch (step.type) {
      case 'turn_start':
        Object.assign(this, { exists: true, isOver: false, turnIsOpen: true, hasCommitted: false })
        return
      case 'session_end':
        this.isOver = true
        this.turnIsOpen = false
        break
      case 'turn_goes_on':
        if (!wasOver) this.turnIsOpen = true
        break
      case 'turn_end':
        this.turnIsOpen = false
        break
      case 'session_start':
        this.isOver = false
        if (wasOver || step.source === 'startup' || step.source === 'resume')
          this.turnIsOpen = false
        break
      case 'git_commit':
        if (this.turnIsOpen && !step.isSequence && !step.isForeign) this.hasCommitted = true
        break
    }
    if (!this.turnIsOpen) this.hasCommitted = false
  }

  get phase(): Phase | undefined {
    if (!this.exists) return undefined
    if (this.isOver) return 'ended'
    if (!this.turnIsOpen) return 'idle'
    return this.hasCommitted ? 'active_committed' : 'active'
  }
}

interface Seen {
  readonly before: Phase | undefined
  readonly after: Phase | undefined
  readonly actions: readonly Action[]
  readonly step: Step
}

/** Walks with files that the turns write and the actions save. */
function walk(steps: readonly Step[], see: (seen: Seen) => void): void {
  let before: Phase | undefined
  let touchedFiles = false
  for (const step of steps) {
    if (step.type === 'turn_start' && step.writes) touchedFiles = true
    const facts = { touchedFiles, isSequence: step.isSequence === true }
    const { phase: after, actions } = transition(before, step, {
      ...facts,
      isForeign: step.isForeign === true,
    })
    see({ before, after, actions, step })
    if (actions.includes('condense')) touchedFiles = false
    before = actions.includes('discard') ? undefined : after
  }
}

const anyWalk = fc.array(anyStep, { maxLength: 30 })

test('the phase is what the model says of the session', () => {
  fc.assert(
    fc.property(anyWalk, (steps) => {
      let model = new Model()
      walk(steps, ({ after, actions, step }) => {
        model.on(step)
        expect(after).toBe(model.phase)
        if (actions.includes('discard')) model = new Model()
      })
    }),
    runs(2000),
  )
})

test('leaving active_committed always condenses, so that no promised checkpoint is missing', () => {
  fc.assert(
    fc.property(anyWalk, (steps) => {
      let waiting = 0
      walk(steps, ({ before, after, actions, step }) => {
        if (before === 'active_committed' && after !== 'active_committed')
          expect(actions).toContain('condense')
        const isOwn = step.type === 'git_commit' && !step.isSequence && !step.isForeign
        if (isOwn && before !== undefined) waiting++
        if (actions.includes('condense')) waiting = 0
        // An ended session without files cannot have made a commit, so none can contain its work.
        if (actions.includes('discard')) waiting = 0
        if (after !== 'active_committed') expect(waiting).toBe(0)
      })
    }),
    runs(2000),
  )
})

test('saves a turn before the next one begins, and before the session is idle or ends', () => {
  fc.assert(
    fc.property(anyWalk, (steps) => {
      let isUnsaved = false
      walk(steps, ({ before, after, actions, step }) => {
        const saves = actions.some((action) =>
          ['save-shadow', 'catch-up', 'condense'].includes(action),
        )
        if (step.type === 'turn_start') {
          if (before === 'active' || before === 'active_committed')
            expect(actions.at(-1)).toBe('catch-up')
          expect(isUnsaved && !saves).toBe(false)
          isUnsaved = true
          return
        }
        if (step.type === 'turn_goes_on' && before === 'idle') isUnsaved = true
        if (saves) isUnsaved = false
        if (after === 'idle' || after === 'ended') expect(isUnsaved).toBe(false)
      })
    }),
    runs(2000),
  )
})

test('actions are unique and ordered, with condense first', () => {
  fc.assert(
    fc.property(anyWalk, (steps) => {
      walk(steps, ({ before, after, actions }) => {
        expect(new Set(actions).size).toBe(actions.length)
        if (actions.includes('condense')) expect(actions[0]).toBe('condense')
        expect(actions.includes('clear-ended')).toBe(before === 'ended' && after !== 'ended')
      })
    }),
  )
})
