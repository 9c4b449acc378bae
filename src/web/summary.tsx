/** The fleet in one line of numbers; each leads to its part of the page. */

import type { JSX } from 'preact'
import type { Fleet } from '../core/fleet/fleet.ts'

interface Figure {
  readonly id: string
  readonly number: number
  readonly what: string
  readonly tone?: string
}

export function Summary({ fleet }: { fleet: Fleet }): JSX.Element {
  return (
    <nav class="summary" aria-label="Parts of the page">
      {figuresOf(fleet).map(({ id, number, what, tone }) => (
        <a
          key={id}
          href={`#${id}`}
          class={number > 0 ? (tone ?? '') : 'none'}
          onClick={(event) => {
            // The fragment holds the filter.
            event.preventDefault()
            const heading = document.getElementById(id)
            heading?.focus({ preventScroll: true })
            heading?.scrollIntoView({ block: 'start' })
          }}
        >
          <strong>{number}</strong> <span>{what}</span>
        </a>
      ))}
    </nav>
  )
}

function figuresOf(fleet: Fleet): Figure[] {
  const { attention, worktrees, branches, decisions_differ, open_questions, checkpoints } = fleet
  const { more } = fleet
  const active = worktrees
    .flatMap(({ agents }) => agents)
    .filter(({ phase }) => phase === 'active' || phase === 'active_committed').length
  const trees = worktrees.length + more.worktrees
  const needs = attention.length + more.attention
  const decisions = decisions_differ.length + more.decisions_differ
  const questions = open_questions.length + more.open_questions
  return [
    { id: 'attention', number: needs, what: needs === 1 ? 'needs you' : 'need you', tone: 'warn' },
    {
      id: 'worktrees',
      number: active,
      what: `active in ${trees} ${plural(trees, 'worktree')}`,
      tone: 'good',
    },
    {
      id: 'branches',
      number: branches.length + more.branches,
      what: plural(branches.length + more.branches, 'branch', 'branches'),
    },
    { id: 'decisions', number: decisions, what: 'decided differently', tone: 'warn' },
    {
      id: 'questions',
      number: questions,
      what: `open ${plural(questions, 'question')}`,
      tone: 'ask',
    },
    {
      id: 'checkpoints',
      number: checkpoints.length + more.checkpoints,
      what: plural(checkpoints.length + more.checkpoints, 'checkpoint'),
    },
    {
      id: 'timeline',
      number: fleet.timeline.length + more.timeline,
      what: plural(fleet.timeline.length + more.timeline, 'event'),
    },
  ]
}

function plural(number: number, one: string, many = `${one}s`): string {
  return number === 1 ? one : many
}
