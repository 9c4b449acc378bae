/** What is shown, whether it is up to date, and how to narrow it down. */

import type { JSX, RefObject } from 'preact'
import { fullTime } from './ages.ts'
import type { Connection } from './live-fleet.ts'
import { plain } from './plain.ts'

/** `stranger`: the tab has no token at all. */
export type Source = Connection | 'stranger' | 'export'

/** For each: its tone, its word, and what it means. */
const SOURCES: Readonly<Record<Source, readonly [tone: string, word: string, meaning: string]>> = {
  starting: ['faint', 'connecting', 'Asking the server for the fleet'],
  live: ['good', 'live', 'Changes show at once'],
  lost: [
    'bad',
    'not connected',
    'The server does not answer; what is shown may be old. Trying again',
  ],
  expired: ['bad', 'ended', 'The server that this page came from is gone'],
  stranger: ['bad', 'no link', 'This tab was not opened by the link of a server'],
  export: ['calm', 'a copy', 'This file was written once and does not change'],
}

interface HeaderInput {
  readonly name: string
  readonly source: Source
  readonly generatedAt: string | null
  readonly query: string
  readonly search: RefObject<HTMLInputElement | null>
  setQuery(query: string): void
  showHelp(): void
}

export function Header(props: HeaderInput): JSX.Element {
  const { name, source, generatedAt, query, search, setQuery, showHelp } = props
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
