/** Starts the page: with a server behind it, or with the data that stand in the file itself. */

import { render } from 'preact'
import type { Fleet } from '../core/fleet/fleet.ts'
import { App } from './app.tsx'
import { LiveFleet } from './live-fleet.ts'
import { ServerApi } from './server-api.ts'
import { readFragment, writeFragment } from './view.ts'

/** Of this tab: other tabs have their own link, and other programs on this machine other origins. */
const TOKEN_KEY = 'ledger-git-token'

function start(): void {
  const root = document.getElementById('app')
  if (root === null) return
  const inline = document.getElementById('export')?.textContent
  root.replaceChildren()
  if (inline !== undefined && inline !== null) showExport(root, JSON.parse(inline) as Exported)
  else showServer(root)
}

interface Exported {
  readonly name: string
  readonly fleet: Fleet
}

function showExport(root: Element, { name, fleet }: Exported): void {
  const draw = (query: string) =>
    render(
      <App
        name={name}
        source="export"
        fleet={fleet}
        failure={null}
        query={query}
        load={null}
        setQuery={address.set}
      />,
      root,
    )
  const address = followAddress(draw)
  draw(address.query())
}

function showServer(root: Element): void {
  const token = takeToken()
  const api = new ServerApi(token ?? '')
  const live = new LiveFleet(api, () => draw())
  const address = followAddress(() => draw())
  const draw = () => {
    const { fleet, connection, failure, name } = live.known
    render(
      <App
        name={name ?? 'The'}
        source={token === null ? 'stranger' : connection}
        fleet={fleet}
        failure={failure}
        query={address.query()}
        load={(after) => api.timeline(after)}
        setQuery={address.set}
      />,
      root,
    )
  }
  if (token !== null) live.start()
  draw()
}

/** The link's token goes from the address to this tab's memory: an address is copied and photographed. */
function takeToken(): string | null {
  const { token, query } = readFragment(location.hash)
  if (token !== null) {
    sessionStorage.setItem(TOKEN_KEY, token)
    history.replaceState(null, '', `${location.pathname}${writeFragment(query)}`)
  }
  return sessionStorage.getItem(TOKEN_KEY)
}

function followAddress(changed: (query: string) => void) {
  const query = () => readFragment(location.hash).query
  window.addEventListener('hashchange', () => {
    // The link of another run, opened in this tab.
    if (readFragment(location.hash).token !== null) location.reload()
    else changed(query())
  })
  return {
    query,
    set: (next: string) => {
      const fragment = writeFragment(next)
      const address = fragment === '' ? location.pathname + location.search : fragment
      history.replaceState(null, '', address)
      changed(next)
    },
  }
}

start()
