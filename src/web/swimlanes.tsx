/** The timeline as a picture: a lane for each agent, a mark where it said something. The list says the same. */

import type { JSX } from 'preact'
import type { TimelineEvent } from '../core/fleet/fleet.ts'
import { fullTime } from './ages.ts'
import { plain } from './plain.ts'
import { layOut } from './lanes.ts'

export function Swimlanes({
  events,
  now,
}: {
  events: readonly TimelineEvent[]
  now: number
}): JSX.Element | null {
  const picture = layOut(events, now)
  if (picture === null) return null
  const { lanes, ticks, others, width, labelWidth, rowHeight } = picture
  const height = lanes.length * rowHeight + 22
  return (
    <figure class="lanes">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Events of ${lanes.length} agents over time; the list below has them all`}
      >
        {ticks.map(({ x, label, isEdge }) => (
          <g key={x}>
            <line class="tick" x1={x} x2={x} y1={0} y2={height - 20} />
            <text class="tick-label" x={x} y={height - 6} text-anchor={isEdge ? 'end' : 'middle'}>
              {label}
            </text>
          </g>
        ))}
        {lanes.map(({ agent, marks }, row) => {
          const y = row * rowHeight + rowHeight / 2
          return (
            <g key={agent}>
              <line class="lane" x1={labelWidth} x2={width} y1={y} y2={y} />
              <text class="lane-label" x={labelWidth - 10} y={y + 4} text-anchor="end">
                {agent.length > 18 ? `${agent.slice(0, 17)}…` : agent}
              </text>
              {marks.map(({ x, count, pending, first }) => (
                <circle
                  key={x}
                  class={pending ? 'mark pending' : 'mark'}
                  cx={x}
                  cy={y}
                  r={Math.min(3 + Math.sqrt(count - 1), rowHeight / 2 - 2)}
                >
                  <title>{`${fullTime(first.ts)}  ${count === 1 ? plain(first.summary) : `${count} events`}`}</title>
                </circle>
              ))}
            </g>
          )
        })}
      </svg>
      {others > 0 && <figcaption class="cut">{others} more agents are in the list only</figcaption>}
    </figure>
  )
}
