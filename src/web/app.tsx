/** The page. */

import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Fleet } from '../core/fleet/fleet.ts'
import { asTyped } from '../core/text/as-typed.ts'
import { AttentionPanel } from './attention.tsx'
import { Banners } from './banners.tsx'
import { BranchesPanel } from './branches.tsx'
import { Header } from './header.tsx'
import type { Source } from './header.tsx'
import { Help } from './help.tsx'
import { listenToKeys } from './keyboard.ts'
import type { Page } from './parts.tsx'
import { PageContext } from './parts.tsx'
import { CheckpointsPanel, DecisionsPanel, QuestionsPanel } from './notes.tsx'
import type { Failure } from './server-api.ts'
import { Summary } from './summary.tsx'
import type { LoadMore } from './timeline.tsx'
import { TimelinePanel } from './timeline.tsx'
import type { View } from './view.ts'
import { parseFilter, toggleFacet } from './view.ts'
import { WorktreesPanel } from './worktrees.tsx'

export interface AppInput {
  readonly name: string
  /** The name by which commands are typed where they are run. */
  readonly program: string
  readonly source: Source
  /** As of now. */
  readonly live: Fleet | null
  readonly failure: Failure | null
  /** As of `view.at`, or why that cannot be shown. */
  readonly past: Fleet | Failure | null
  readonly view: View
  readonly load: LoadMore | null
  setView(view: View): void
}

export function App(props: AppInput): JSX.Element {
  const { name, program, source, live, failure, past, view, load, setView } = props
  const search = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  const [toast, say] = useToast()
  const then = past !== null && 'timeline' in past ? past : null
  const fleet = view.at === null ? live : (then ?? live)
  /** Whether the fleet of another time can be requested. */
  const canStep = source !== 'export'
  const isLive = view.at === null && canStep
  const filter = useMemo(() => parseFilter(view.query), [view.query])

  const goTo = useCallback((at: string | null) => setView({ ...view, at }), [view, setView])
  const step = useCallback(
    (direction: -1 | 1) => goTo(neighbour(live, then, view.at, direction)),
    [live, then, view.at, goTo],
  )
  const page = useMemo<Page>(() => {
    const fixed = isLive ? null : Date.parse(fleet?.at ?? fleet?.generated_at ?? '')
    return {
      clock: { now: () => fixed ?? Date.now(), isTicking: fixed === null },
      canStep,
      typed: (command) => asTyped(command, program),
      toggle: (facet, who) => setView({ ...view, query: toggleFacet(view.query, facet, who) }),
      copy: (text) => void copyText(text).then(say),
      goTo,
    }
  }, [fleet, isLive, view, canStep, program, setView, goTo, say])

  useEffect(
    () =>
      listenToKeys({
        focusFilter: () => search.current?.select(),
        showHelp: () => help.current?.showModal(),
        step: (direction) => (canStep ? step(direction) : undefined),
        clear: () => setView(view.at === null ? { ...view, query: '' } : { ...view, at: null }),
      }),
    [view, canStep, step, setView],
  )
  useEffect(() => {
    document.title = titleOf(name, live)
  }, [name, live])

  return (
    <PageContext.Provider value={page}>
      <a class="skip" href="#main" onClick={skip}>
        To the fleet
      </a>
      <div class={view.at === null ? 'sticky' : 'sticky past'}>
        <Header
          name={name}
          source={source}
          generatedAt={live?.generated_at ?? null}
          query={view.query}
          at={view.at}
          search={search}
          setQuery={(query) => setView({ ...view, query })}
          step={step}
          showHelp={() => help.current?.showModal()}
        />
        <Banners
          source={source}
          failure={failure}
          isEmpty={live === null}
          at={view.at}
          past={past}
          goBack={() => goTo(null)}
        />
      </div>
      {fleet === null ? (
        <main id="main" tabIndex={-1} class="starting">
          {source === 'starting' && <p>Reading the fleet …</p>}
        </main>
      ) : (
        <>
          <Summary fleet={fleet} />
          <main id="main" tabIndex={-1}>
            <div class="wide">
              <AttentionPanel fleet={fleet} filter={filter} />
              <WorktreesPanel fleet={fleet} filter={filter} />
              <BranchesPanel fleet={fleet} filter={filter} />
            </div>
            <div class="narrow">
              <DecisionsPanel fleet={fleet} filter={filter} />
              <QuestionsPanel fleet={fleet} filter={filter} />
              <CheckpointsPanel fleet={fleet} filter={filter} />
            </div>
            <TimelinePanel key={view.at} fleet={fleet} filter={filter} load={load} />
          </main>
        </>
      )}
      <Help dialog={help} />
      <p class="toast" role="status" aria-live="polite">
        {toast}
      </p>
      <p class="hidden" role="status" aria-live="polite">
        {live === null ? '' : `${live.attention.length + live.more.attention} need you`}
      </p>
    </PageContext.Provider>
  )
}

/** A message that disappears by itself. */
function useToast(): [string, (text: string) => void] {
  const [toast, setToast] = useState('')
  useEffect(() => {
    if (toast === '') return undefined
    const timer = setTimeout(() => setToast(''), 2500)
    return () => clearTimeout(timer)
  }, [toast])
  return [toast, useCallback((text: string) => setToast(text), [])]
}

async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return `Copied: ${text}`
  } catch {
    return `Copy it by hand: ${text}`
  }
}

function skip(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The instant of the event before or after the one that is shown; null: now. */
function neighbour(
  live: Fleet | null,
  past: Fleet | null,
  at: string | null,
  direction: -1 | 1,
): string | null {
  const instants = [...new Set((live?.timeline ?? []).map(({ ts }) => ts))].toSorted()
  const here = past?.at ?? at
  if (direction === 1)
    return instants.find((ts) => here !== null && Date.parse(ts) > Date.parse(here)) ?? null
  const before = instants.filter((ts) => here === null || Date.parse(ts) < Date.parse(here))
  // The newest event of all is part of now.
  return before.at(here === null ? -2 : -1) ?? before[0] ?? at
}

function titleOf(name: string, fleet: Fleet | null): string {
  const needs = fleet === null ? 0 : fleet.attention.length + fleet.more.attention
  return `${needs > 0 ? `(${needs}) ` : ''}${name} fleet`
}
