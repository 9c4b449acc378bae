/** What was said, newest first, as far back as there are events. */

import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TimelineEvent } from '../core/fleet/fleet.ts'
import type { PanelInput } from './panel.tsx'
import { Panel } from './panel.tsx'
import { plain } from './plain.ts'
import { Age, Agent, Branch, SafeText, Tag, usePage } from './parts.tsx'

/** Loads what follows an event; null if there is no server to ask. */
export type LoadMore = (after: string) => Promise<{ entries: TimelineEvent[]; more: number }>

/** The most events taken from the fleet itself: more at once would make the page slow. */
const MAX_INLINE = 1000

interface TimelineInput extends PanelInput {
  readonly load: LoadMore | null
}

export function TimelinePanel({ fleet, filter, load }: TimelineInput): JSX.Element {
  const { typed } = usePage()
  const [older, setOlder] = useState<TimelineEvent[]>([])
  const [left, setLeft] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const newest = fleet.timeline.slice(0, MAX_INLINE)
  const known = new Set(newest.map(({ file }) => file))
  const all = [...newest, ...older.filter(({ file }) => !known.has(file))]
  const cut = left ?? fleet.more.timeline + fleet.timeline.length - newest.length
  const loadOlder = async () => {
    const last = all.at(-1)
    if (load === null || last === undefined) return
    setProblem(null)
    try {
      const page = await load(last.file)
      setOlder([...older, ...page.entries])
      setLeft(page.more)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Panel
      id="timeline"
      title="Timeline"
      fleet={fleet}
      filter={filter}
      part="timeline"
      all={all}
      cut={cut}
      about={({ agent, branch, type, summary, file }) => ({
        agents: [agent],
        branches: [branch],
        texts: [type, summary, file],
      })}
      empty={`No event yet: ${typed('git ledger event add')} writes the first.`}
      first={40}
      more={
        load === null || cut === 0 ? null : (
          <>
            {problem !== null && (
              <p class="errors" role="alert">
                Older events could not be read: {problem}
              </p>
            )}
            <button type="button" class="more" onClick={() => void loadOlder()}>
              Load older events ({cut} more)
            </button>
          </>
        )
      }
      keyOf={({ file }) => file}
      row={(event) => <TimelineRow event={event} />}
    />
  )
}

function TimelineRow({ event }: { event: TimelineEvent }): JSX.Element {
  const { canStep, goTo } = usePage()
  const { file, ts, agent, branch, type, summary, pending } = event
  return (
    <li class="row event" data-row="" tabIndex={-1} title={plain(file)}>
      <Age of={ts} />
      <Agent name={agent} />
      <Branch name={branch} />
      <span class="what">
        {type !== null && <span class="type">{plain(type)}</span>}{' '}
        <SafeText text={summary} lines={2} />
        {pending && <Tag kind="calm">pending</Tag>}
      </span>
      {canStep && (
        <button
          type="button"
          class="step"
          title="The fleet as it was then"
          onClick={() => goTo(ts)}
        >
          then
        </button>
      )}
    </li>
  )
}
