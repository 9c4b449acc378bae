/** The page. */

import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Fleet } from '../core/fleet/fleet.ts'
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
import { parseFilter, toggleFacet } from './view.ts'
import { WorktreesPanel } from './worktrees.tsx'

export interface AppInput {
  readonly name: string
  readonly source: Source
  readonly fleet: Fleet | null
  readonly failure: Failure | null
  readonly query: string
  readonly load: LoadMore | null
  setQuery(query: string): void
}

export function App(props: AppInput): JSX.Element {
  const { name, source, fleet, failure, query, load, setQuery } = props
  const search = useRef<HTMLInputElement>(null)
  const help = useRef<HTMLDialogElement>(null)
  const [said, say] = useSaid()
  const filter = useMemo(() => parseFilter(query), [query])

  const page = useMemo<Page>(() => {
    const fixed = source === 'export' ? Date.parse(fleet?.generated_at ?? '') : null
    return {
      clock: { now: () => fixed ?? Date.now(), isTicking: fixed === null },
      query,
      toggle: (facet, who) => setQuery(toggleFacet(query, facet, who)),
      copy: (text) => void copyText(text).then(say),
    }
  }, [fleet, source, query, setQuery, say])

  useEffect(
    () =>
      listenToKeys({
        focusFilter: () => search.current?.select(),
        showHelp: () => help.current?.showModal(),
        clearFilter: () => setQuery(''),
      }),
    [setQuery],
  )
  useEffect(() => {
    document.title = titleOf(name, fleet)
  }, [name, fleet])

  return (
    <PageContext.Provider value={page}>
      <a class="skip" href="#main" onClick={skip}>
        To the fleet
      </a>
      <div class="sticky">
        <Header
          name={name}
          source={source}
          generatedAt={fleet?.generated_at ?? null}
          query={query}
          search={search}
          setQuery={setQuery}
          showHelp={() => help.current?.showModal()}
        />
        <Banners source={source} failure={failure} isEmpty={fleet === null} />
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
            <TimelinePanel fleet={fleet} filter={filter} load={load} />
          </main>
        </>
      )}
      <Help dialog={help} />
      <p class="toast" role="status" aria-live="polite">
        {said}
      </p>
      <p class="hidden" role="status" aria-live="polite">
        {fleet === null ? '' : `${fleet.attention.length + fleet.more.attention} need you`}
      </p>
    </PageContext.Provider>
  )
}

/** A message that goes by itself. */
function useSaid(): [string, (text: string) => void] {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said === '') return undefined
    const timer = setTimeout(() => setSaid(''), 2500)
    return () => clearTimeout(timer)
  }, [said])
  return [said, useCallback((text: string) => setSaid(text), [])]
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

function titleOf(name: string, fleet: Fleet | null): string {
  const needs = fleet === null ? 0 : fleet.attention.length + fleet.more.attention
  return `${needs > 0 ? `(${needs}) ` : ''}${name} fleet`
}
