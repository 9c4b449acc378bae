/** Where the marks of the timeline's picture stand. */

import type { TimelineEvent } from '../core/fleet/fleet.ts'
import { plain } from './plain.ts'

const WIDTH = 1000
const LABEL_WIDTH = 150
const ROW_HEIGHT = 22
const MOST_LANES = 10
/** Marks nearer than this are one. */
const GRAIN = 7

export interface Mark {
  readonly x: number
  readonly count: number
  /** One of them is in no commit yet. */
  readonly pending: boolean
  readonly first: TimelineEvent
}

export interface Picture {
  readonly width: number
  readonly labelWidth: number
  readonly rowHeight: number
  readonly lanes: readonly { readonly agent: string; readonly marks: readonly Mark[] }[]
  readonly ticks: readonly {
    readonly x: number
    readonly label: string
    readonly isEdge: boolean
  }[]
  /** Agents without a lane. */
  readonly others: number
}

/** Null where there are no two instants to lay between. `events`: the newest first. */
export function layOut(events: readonly TimelineEvent[], now: number): Picture | null {
  const timed = events.filter(({ ts }) => !Number.isNaN(Date.parse(ts)))
  const from = Math.min(...timed.map(({ ts }) => Date.parse(ts)))
  const to = Math.max(now, ...timed.map(({ ts }) => Date.parse(ts)))
  if (timed.length < 2 || to <= from) return null
  const left = LABEL_WIDTH + 8
  const xOf = (millis: number) => left + ((millis - from) / (to - from)) * (WIDTH - left - 8)
  const byAgent = grouped(timed)
  const agents = [...byAgent.keys()]
  return {
    width: WIDTH,
    labelWidth: LABEL_WIDTH,
    rowHeight: ROW_HEIGHT,
    others: Math.max(0, agents.length - MOST_LANES),
    ticks: ticksBetween(from, to, now).map((tick) => ({ ...tick, x: xOf(tick.millis) })),
    lanes: agents.slice(0, MOST_LANES).map((agent) => ({
      agent: plain(agent),
      marks: marksOf(byAgent.get(agent) ?? [], xOf),
    })),
  }
}

function grouped(events: readonly TimelineEvent[]): Map<string, TimelineEvent[]> {
  const groups = new Map<string, TimelineEvent[]>()
  for (const event of events) {
    const group = groups.get(event.agent)
    if (group === undefined) groups.set(event.agent, [event])
    else group.push(event)
  }
  return groups
}

function marksOf(events: readonly TimelineEvent[], xOf: (millis: number) => number): Mark[] {
  const cells = new Map<number, Mark>()
  for (const event of events) {
    const x = Math.round(xOf(Date.parse(event.ts)) / GRAIN) * GRAIN
    const cell = cells.get(x)
    cells.set(x, {
      x,
      count: (cell?.count ?? 0) + 1,
      pending: event.pending || cell?.pending === true,
      first: cell?.first ?? event,
    })
  }
  return [...cells.values()]
}

const MINUTE = 60_000
const SPANS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 7200, 14_400, 43_200, 129_600]

/** Round distances back from the end, as few as can be read. */
function ticksBetween(
  from: number,
  to: number,
  now: number,
): { millis: number; label: string; isEdge: boolean }[] {
  const span = (SPANS.find((minutes) => (to - from) / (minutes * MINUTE) <= 7) ?? 525_600) * MINUTE
  const ticks = []
  for (let millis = to; millis >= from; millis -= span) {
    const back = Math.round((to - millis) / MINUTE)
    const isEdge = millis === to
    const end = to === now ? 'now' : ''
    ticks.push({ millis, label: isEdge ? end : `−${spanText(back)}`, isEdge })
  }
  return ticks
}

function spanText(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440} d`
  if (minutes % 60 === 0) return `${minutes / 60} h`
  return `${minutes} min`
}
