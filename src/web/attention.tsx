/** What waits for a person, first. */

import type { JSX } from 'preact'
import type { Attention, Fleet } from '../core/fleet/fleet.ts'
import { Panel } from './panel.tsx'
import { Age, Command, Said, Tag } from './parts.tsx'
import type { Filter } from './view.ts'

/** How it is called, and how much it matters. */
const KINDS: Readonly<Record<Attention['kind'], readonly [label: string, tone: string]>> = {
  stalled: ['stalled', 'bad'],
  waiting: ['waiting', 'warn'],
  broken: ['broken', 'bad'],
  stale: ['stale', 'warn'],
  context: ['context', 'warn'],
  question: ['question', 'ask'],
  left_behind: ['left behind', 'calm'],
}

export function AttentionPanel({ fleet, filter }: { fleet: Fleet; filter: Filter }): JSX.Element {
  const entries = fleet.attention.filter(({ kind, subject, message }) =>
    filter.accepts({ agents: [subject], branches: [subject], texts: [kind, message] }),
  )
  return (
    <Panel
      id="attention"
      title="Needs you"
      entries={entries}
      total={fleet.attention.length}
      cut={fleet.more.attention}
      errors={[]}
      empty="Nothing waits for a person."
      first={8}
    >
      {(shown) => (
        <ul class="rows">
          {shown.map((entry) => (
            <li key={keyOf(entry)} class="row attention-row" data-row="" tabIndex={-1}>
              <Tag kind={KINDS[entry.kind][1]}>{KINDS[entry.kind][0]}</Tag>
              <span class="body">
                <strong class="subject">
                  <Said text={entry.subject} lines={1} />
                </strong>
                <Said text={entry.message} lines={2} />
              </span>
              {entry.since !== null && <Age of={entry.since} />}
              {entry.command !== null && <Command text={entry.command} />}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function keyOf({ kind, subject, message }: Attention): string {
  return `${kind}\n${subject}\n${message}`
}
