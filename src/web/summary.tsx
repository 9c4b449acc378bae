/** The fleet in one line of numbers; each leads to its part of the page. */

import type { JSX } from 'preact'
import type { Fleet, FleetList } from '../core/fleet/fleet.ts'
import { goToHeading } from './keyboard.ts'

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
            goToHeading(document.getElementById(id))
          }}
        >
          <strong>{number}</strong> <span>{what}</span>
        </a>
      ))}
    </nav>
  )
}

function figuresOf(fleet: Fleet): Figure[] {
  const total = (part: FleetList) => fleet[part].length + fleet.more[part]
  const [needs, trees, branches] = [total('attention'), total('worktrees'), total('branches')]
  const [questions, checkpoints] = [total('open_questions'), total('checkpoints')]
  const events = total('timeline')
  const active = fleet.worktrees
    .flatMap(({ agents }) => agents)
    .filter(({ phase }) => phase === 'active' || phase === 'active_committed').length
  const at = `active in ${trees} ${plural(trees, 'worktree')}`
  const open = `open ${plural(questions, 'question')}`
  const apart = total('decisions_differ')
  return [
    { id: 'attention', number: needs, what: needs === 1 ? 'needs you' : 'need you', tone: 'warn' },
    { id: 'worktrees', number: active, what: at, tone: 'good' },
    { id: 'branches', number: branches, what: plural(branches, 'branch', 'branches') },
    { id: 'decisions', number: apart, what: 'decided differently', tone: 'warn' },
    { id: 'questions', number: questions, what: open, tone: 'ask' },
    { id: 'checkpoints', number: checkpoints, what: plural(checkpoints, 'checkpoint') },
    { id: 'timeline', number: events, what: plural(events, 'event') },
  ]
}

function plural(number: number, one: string, many = `${one}s`): string {
  return number === 1 ? one : many
}
