/** Starts the page, with data from a server, or from the file itself. */

import { render } from 'preact'
import type { Fleet } from '../core/fleet/fleet.ts'
import { App } from './app.tsx'
import { LiveFleet } from './live-fleet.ts'
import type { Failure } from './server-api.ts'
import { Refused, ServerApi } from './server-api.ts'
import type { View } from './view.ts'
import { readFragment, writeFragment } from './view.ts'

/** Kept per tab: other tabs have their own link, and other programs on this machine have other origins. */
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
  const draw = (view: View) =>
    render(
      <App
        name={name}
        program="git ledger"
        source="export"
        live={fleet}
        failure={null}
        past={null}
        view={{ ...view, at: null }}
        load={null}
        setView={address.set}
      />,
      root,
    )
  const address = followAddress(draw)
  draw(address.view())
}

function showServer(root: Element): void {
  const token = takeToken()
  const api = new ServerApi(token ?? '')
  const live = new LiveFleet(api, () => draw())
  let past: Fleet | Failure | null = null
  let pastAt: string | null = null
  const address = followAddress(() => {
    void readPast()
    draw()
  })
  const draw = () => {
    const view = address.view()
    const { fleet, connection, failure, name, program } = live.known
    render(
      <App
        name={name ?? 'The'}
        program={program}
        source={token === null ? 'stranger' : connection}
        live={fleet}
        failure={failure}
        past={view.at === pastAt ? past : null}
        view={view}
        load={(after) => api.timeline(after, view.at)}
        setView={address.set}
      />,
      root,
    )
  }
  const readPast = async () => {
    const { at } = address.view()
    if (at === pastAt) return
    past = null
    pastAt = at
    if (at === null) return
    const answer = await api.past(at).catch((error: unknown): Failure => {
      const message = error instanceof Error ? error.message : String(error)
      return { message, next: error instanceof Refused ? error.next : null }
    })
    // The user may have moved on meanwhile.
    if (pastAt === at) past = answer
    draw()
  }
  if (token !== null) live.start()
  draw()
  void readPast()
}

/** Moves the link's token from the address to this tab's memory, since addresses are copied and photographed. */
function takeToken(): string | null {
  const { token, view } = readFragment(location.hash)
  if (token !== null) {
    sessionStorage.setItem(TOKEN_KEY, token)
    history.replaceState(null, '', `${location.pathname}${writeFragment(view)}`)
  }
  return sessionStorage.getItem(TOKEN_KEY)
}

function followAddress(changed: (view: View) => void) {
  const view = () => readFragment(location.hash).view
  window.addEventListener('hashchange', () => {
    // The link of another run, opened in this tab.
    if (readFragment(location.hash).token !== null) location.reload()
    else changed(view())
  })
  window.addEventListener('popstate', () => changed(view()))
  return {
    view,
    set: (next: View) => {
      const fragment = writeFragment(next)
      const address = fragment === '' ? location.pathname + location.search : fragment
      // The Back button undoes a step in time, but not each letter of a filter.
      if (next.at === view().at) history.replaceState(null, '', address)
      else history.pushState(null, '', address)
      changed(next)
    },
  }
}

start()
