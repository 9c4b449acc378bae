/** A part of the page: its heading, what could not be read of it, its entries, and what is not shown. */

import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Fleet, FleetList } from '../core/fleet/fleet.ts'
import { plain } from './plain.ts'

interface PanelProps<T> {
  readonly id: string
  readonly title: string
  readonly entries: readonly T[]
  /** Before the filter. */
  readonly total: number
  /** That the fleet itself leaves out. */
  readonly cut: number
  readonly errors: Fleet['errors']
  /** What it means that there is nothing. */
  readonly empty: string
  /** Entries that are shown at first. */
  readonly first: number
  readonly note?: ComponentChildren
  readonly more?: JSX.Element | null
  children(entries: readonly T[]): ComponentChildren
}

export function Panel<T>(props: PanelProps<T>): JSX.Element {
  const { id, title, entries, total, cut, errors, empty, first, note, more, children } = props
  const [limit, setLimit] = useState(first)
  const shown = entries.slice(0, limit)
  const rest = entries.length - shown.length
  const count =
    entries.length === total ? String(total + cut) : `${entries.length} of ${total + cut}`
  return (
    <section class={`panel panel-${id}`} aria-labelledby={id} data-panel="">
      <h2 id={id} tabIndex={-1}>
        {title} <span class="count">{count}</span>
      </h2>
      {note}
      <PanelErrors errors={errors} />
      {entries.length > 0 ? (
        children(shown)
      ) : (
        <p class="empty">
          {total > 0
            ? 'Nothing here fits the filter.'
            : errors.length > 0
              ? 'Nothing could be read.'
              : empty}
        </p>
      )}
      {rest > 0 && (
        <button type="button" class="more" onClick={() => setLimit(limit + Math.max(first, 100))}>
          Show {Math.min(rest, Math.max(first, 100))} more of {rest}
        </button>
      )}
      {rest === 0 && (more ?? (cut > 0 && <p class="cut">{cut} more, not shown here</p>))}
    </section>
  )
}

function PanelErrors({ errors }: { errors: Fleet['errors'] }): JSX.Element | null {
  if (errors.length === 0) return null
  return (
    <ul class="errors" aria-label="Incomplete">
      {errors.slice(0, 5).map(({ subject, message }) => (
        <li key={`${subject}${message}`}>
          <strong>{plain(subject)}</strong>: {plain(message)}
        </li>
      ))}
      {errors.length > 5 && <li>and {errors.length - 5} more</li>}
    </ul>
  )
}

export function errorsOf(fleet: Fleet, part: FleetList): Fleet['errors'] {
  return fleet.errors.filter((error) => error.part === part)
}
