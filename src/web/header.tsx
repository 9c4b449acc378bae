/** What is shown, whether it is up to date, and how to narrow it down. */

import type { JSX, RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { fullTime } from './full-time.ts'
import type { Connection } from './live-fleet.ts'
import { plain } from './plain.ts'
import { usePage } from './parts.tsx'

/** `stranger`: the tab has no token at all. */
export type Source = Connection | 'stranger' | 'export'

/** The tone, the label and the meaning of each source. */
const SOURCES: Readonly<Record<Source, readonly [tone: string, word: string, meaning: string]>> = {
  starting: ['faint', 'connecting', 'Asking the server for the fleet'],
  live: ['good', 'live', 'Changes appear within seconds'],
  lost: [
    'bad',
    'not connected',
    'The server does not answer; what is shown may be old. Trying again',
  ],
  expired: ['bad', 'ended', 'The server that this page came from has ended'],
  stranger: ['bad', 'no link', 'This tab was not opened from a dashboard link'],
  export: ['calm', 'a copy', 'This file was written once and does not change'],
}

interface HeaderInput {
  readonly name: string
  readonly source: Source
  readonly generatedAt: string | null
  readonly query: string
  readonly at: string | null
  readonly search: RefObject<HTMLInputElement | null>
  setQuery(query: string): void
  step(direction: -1 | 1): void
  showHelp(): void
}

export function Header(props: HeaderInput): JSX.Element {
  const { name, source, generatedAt, query, at, search, setQuery, step, showHelp } = props
  const { canStep } = usePage()
  const [tone, word, meaning] = SOURCES[source]
  return (
    <header class="top">
      <h1>
        <span class="repository">{plain(name)}</span> <span class="faint">fleet</span>
      </h1>
      <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          id="filter"
          aria-label="Filter"
          ref={search}
          type="search"
          placeholder="Filter:  words  agent:name  branch:name"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      {canStep && <Time at={at} step={step} />}
      <p class="connection" title={meaning}>
        <span class={`dot ${tone}`} aria-hidden="true" />
        <span class="word">{word}</span>
        {generatedAt !== null && source !== 'live' && (
          <span class="faint"> {fullTime(generatedAt)}</span>
        )}
      </p>
      <button
        type="button"
        class="help"
        aria-label="Keys and words"
        title="Keys and words (?)"
        onClick={showHelp}
      >
        ?
      </button>
    </header>
  )
}

function Time({ at, step }: { at: string | null; step(direction: -1 | 1): void }): JSX.Element {
  const { goTo } = usePage()
  const [text, setText] = useState(at ?? '')
  useEffect(() => setText(at ?? ''), [at])
  return (
    <form
      class="time"
      aria-label="Time"
      onSubmit={(event) => {
        event.preventDefault()
        goTo(text.trim() === '' ? null : text.trim())
      }}
    >
      <button
        type="button"
        title="The previous event ([)"
        aria-label="One event back"
        onClick={() => step(-1)}
      >
        ‹
      </button>
      <input
        id="at"
        aria-label="As of a time or a commit"
        type="text"
        placeholder="now"
        title="A time or a commit: 2026-11-23T10:00Z, HEAD~3, main"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button
        type="button"
        title="The next event (])"
        aria-label="One event forward"
        disabled={at === null}
        onClick={() => step(1)}
      >
        ›
      </button>
    </form>
  )
}
