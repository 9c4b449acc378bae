/** Small parts that every panel is made of. */

import type { ComponentChildren, JSX } from 'preact'
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { ageOf } from '../core/event/age.ts'
import { fullTime } from './full-time.ts'
import { plain } from './plain.ts'

/** The instant that ages are measured from: now, or the time that is shown. */
export interface Clock {
  now(): number
  isTicking: boolean
}

export interface Page {
  readonly clock: Clock
  readonly canStep: boolean
  toggle(facet: 'agent' | 'branch', name: string): void
  copy(text: string): void
  /** A command to copy, as it can be typed where it is run. */
  typed(command: string): string
  /** Shows the fleet as of an instant or a revision; null: as it is now. */
  goTo(at: string | null): void
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('no page around this part')
  return page
}

const TICK = 5_000
const tickers = new Set<() => void>()
setInterval(() => {
  if (!document.hidden) for (const tick of tickers) tick()
}, TICK)

/** How long ago; it updates itself. */
export function Age({ of }: { of: string }): JSX.Element {
  const { clock } = usePage()
  const age = ageOf(of, clock.now())
  const [, show] = useState(age)
  useEffect(() => {
    if (!clock.isTicking) return undefined
    const tick = () => show(ageOf(of, clock.now()))
    tickers.add(tick)
    return () => void tickers.delete(tick)
  }, [clock, of])
  return (
    <time class="age" dateTime={of} title={fullTime(of)}>
      {age}
    </time>
  )
}

/** Text by people and agents, without control characters, and without effect on the direction of text around it. */
export function SafeText({ text, lines = 3 }: { text: string; lines?: number }): JSX.Element {
  const safe = plain(text)
  return (
    <bdi class="said" style={{ '--lines': lines }} title={safe.length > 120 ? safe : undefined}>
      {safe}
    </bdi>
  )
}

export function Agent({ name }: { name: string }): JSX.Element {
  return <Name facet="agent" name={name} />
}

export function Branch({ name }: { name: string | null }): JSX.Element {
  return name === null ? (
    <span class="unknown">no branch</span>
  ) : (
    <Name facet="branch" name={name} />
  )
}

function Name({ facet, name }: { facet: 'agent' | 'branch'; name: string }): JSX.Element {
  const { toggle } = usePage()
  return (
    <button
      type="button"
      class={`name ${facet}`}
      title={`Only ${plain(name)}`}
      onClick={() => toggle(facet, name)}
    >
      <bdi>{plain(name)}</bdi>
    </button>
  )
}

/** Typed into a terminal, these characters would end the line, or worse. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** A command to run in a terminal: this page changes nothing itself. */
export function Command(props: { text: string; label?: string }): JSX.Element | null {
  const { copy, typed } = usePage()
  if (CONTROL.test(props.text)) return null
  const text = typed(props.text)
  const shown = props.label ?? text
  return (
    <button
      type="button"
      class="command"
      data-copy=""
      title={`Copy: ${text}`}
      aria-label={`Copy the command: ${text}`}
      onClick={() => copy(text)}
    >
      <code>{shown}</code>
      <CopyIcon />
    </button>
  )
}

function CopyIcon(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
    </svg>
  )
}

export function Unknown({ what = 'unknown' }: { what?: string }): JSX.Element {
  return <span class="unknown">{what}</span>
}

export function Freshness({ fresh }: { fresh: boolean | null }): JSX.Element {
  if (fresh === null) return <Unknown />
  return fresh ? <span class="ok">fresh</span> : <Tag kind="warn">stale</Tag>
}

/** Who said it, where and when. */
export function Source(props: {
  agent: string
  branch: string | null
  ts: string | null
}): JSX.Element {
  return (
    <span class="source">
      <Agent name={props.agent} />
      <Branch name={props.branch} />
      {props.ts === null ? <Unknown what="time unknown" /> : <Age of={props.ts} />}
    </span>
  )
}

export function Tag({
  kind,
  children,
}: {
  kind: string
  children: ComponentChildren
}): JSX.Element {
  return <span class={`tag ${kind}`}>{children}</span>
}
