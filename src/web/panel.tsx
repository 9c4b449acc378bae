/** A part of the page: its heading, what could not be read of it, its entries, and what is not shown. */

import type { JSX } from 'preact'
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Fleet, FleetList } from '../core/fleet/fleet.ts'
import { plain } from './plain.ts'
import type { Entry, Filter } from './view.ts'

export interface PanelInput {
  readonly fleet: Fleet
  readonly filter: Filter
}

interface PanelProps<P extends FleetList, T> extends PanelInput {
  readonly id: string
  readonly title: string
  readonly part: P
  /** All entries, if they are not the fleet's. */
  readonly all?: readonly T[]
  /** The number of entries that are not here. */
  readonly cut?: number
  /** What the filter looks at. */
  about(entry: T): Entry
  /** Shown if there are no entries. */
  readonly empty: string
  /** The number of entries that are shown at first. */
  readonly first: number
  readonly more?: JSX.Element | null
  /** Headings of columns; without them, the entries are a list. */
  readonly columns?: readonly JSX.Element[]
  keyOf(entry: T): string
  row(entry: T): JSX.Element
}

export function Panel<P extends FleetList, T extends Fleet[P][number]>(
  props: PanelProps<P, T>,
): JSX.Element {
  const { fleet, filter, part, id, title, empty, first, more, columns, about } = props
  const { all = fleet[part] as readonly T[], cut = fleet.more[part] } = props
  const entries = all.filter((entry) => filter.accepts(about(entry)))
  const total = all.length
  const errors = fleet.errors.filter((error) => error.part === part)
  const [limit, setLimit] = useState(first)
  const shown = entries.slice(0, limit)
  const rows = shown.map((entry) => (
    <Fragment key={props.keyOf(entry)}>{props.row(entry)}</Fragment>
  ))
  const rest = entries.length - shown.length
  const count =
    entries.length === total ? String(total + cut) : `${entries.length} of ${total + cut}`
  return (
    <section class={`panel panel-${id}`} aria-labelledby={id} data-panel="">
      <h2 id={id} tabIndex={-1}>
        {title} <span class="count">{count}</span>
      </h2>
      <PanelErrors errors={errors} />
      {entries.length > 0 ? (
        <Rows id={id} columns={columns} rows={rows} />
      ) : (
        <p class="empty">
          {total > 0
            ? 'Nothing here matches the filter.'
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

interface RowsInput {
  readonly id: string
  readonly columns: readonly JSX.Element[] | undefined
  readonly rows: readonly JSX.Element[]
}

function Rows({ id, columns, rows }: RowsInput): JSX.Element {
  if (columns === undefined) {
    return id === 'timeline' ? <ol class="rows timeline">{rows}</ol> : <ul class="rows">{rows}</ul>
  }
  return (
    <table class="grid">
      <thead>
        <tr>{columns}</tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  )
}
