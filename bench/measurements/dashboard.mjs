/**
 * How soon all that is visible of a big fleet is painted, against an empty page of the same server; and what
 * it gains that the process that looks at it reads objects without git (docs/decisions/0043).
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle.mjs'
import { interleave } from '../measure.mjs'
import { EVENTS, forgetCache } from '../repositories.mjs'
import { ratioRow, unmeasuredRow } from '../rows.mjs'

const BUDGET = 4
const LOOKS = fileURLToPath(new URL('../programs/gather-looks.mjs', import.meta.url))
/** After a commit each. */
const NEXT_LOOKS = 5

/** The 30 worktrees and 40 events that the page shows at first, and the frame that they stand in. */
const WATCH = `
  const look = () => {
    const isThere = document.querySelectorAll('.panel-worktrees tbody tr').length >= ROWS &&
      document.querySelectorAll('.timeline .event').length >= 40
    if (!isThere) return requestAnimationFrame(look)
    requestAnimationFrame(() => requestAnimationFrame(() => (window.painted = performance.now())))
  }
  requestAnimationFrame(look)
`

export async function measureDashboard({ sandbox, repositories, quick }) {
  const [events, worktrees] = quick ? [200, 10] : [1000, 50]
  const folder = fleetOf({ sandbox, repositories }, events, worktrees)
  const about = `${events} events × ${worktrees} worktrees`
  return [
    await measurePaint({ sandbox, folder, worktrees, rounds: quick ? 3 : 15 }, about),
    ...(await measureObjects({ sandbox, folder, quick }, about)),
  ]
}

/** Each worktree has an event of its own that no commit holds, so that somebody works there. */
function fleetOf({ sandbox, repositories }, events, worktrees) {
  const folder = repositories.copyOf(repositories.withEvents(events))
  repositories.eventsAmong(events, events, worktrees - 1).forEach(({ name, text }, i) => {
    const place = join(sandbox.folder, `fleet-${i}`)
    sandbox.git(folder, 'worktree', 'add', '-q', '-b', `topic-${i}`, place)
    mkdirSync(join(place, EVENTS), { recursive: true })
    writeFileSync(join(place, EVENTS, name), text)
  })
  return folder
}

async function measurePaint({ sandbox, folder, worktrees, rounds }, about) {
  const work = `dashboard, ${about}: painted, to an empty page`
  const { chromium } = await import('playwright-core')
  const executablePath = process.env.LEDGER_GIT_CHROMIUM ?? '/usr/bin/chromium'
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  let browser
  try {
    const args = [...root, '--disable-dev-shm-usage']
    browser = await chromium.launch({ executablePath, args })
  } catch {
    return unmeasuredRow({ work, budget: BUDGET, why: 'no Chromium; set LEDGER_GIT_CHROMIUM' })
  }
  const server = spawn(process.execPath, [sandbox.cli, 'dashboard', '--no-open'], {
    cwd: folder,
    env: sandbox.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [link] = await once(server.stdout, 'data')
    const url = new URL(String(link).trim())
    const headers = { authorization: `Bearer ${url.hash.slice(3)}` }
    await (await fetch(new URL('/api/fleet', url), { headers })).text()
    const samples = { ours: [], floor: [] }
    for (let round = 0; round <= rounds; round++) {
      const floor = await emptyPage(browser, url.origin)
      const ours = await fullPage(browser, url.href, Math.min(worktrees, 30))
      if (round > 0) samples.floor.push(floor)
      if (round > 0) samples.ours.push(ours)
    }
    return ratioRow({ work, budget: BUDGET, ...samples, note: 'gathered before' })
  } finally {
    server.kill()
    await browser.close()
  }
}

/** The same looks with objects read in process and by git's child; each in a process of its own. */
async function measureObjects({ sandbox, folder, quick }, about) {
  const bundles = join(sandbox.folder, 'gather')
  await bundle(bundles, {
    repository: 'io/git/repository.ts',
    'long-lived': 'io/objects/long-lived-reader.ts',
    'open-reader': 'io/objects/open-reader.ts',
    'session-context': 'io/sessions/session-context.ts',
    fleet: 'compose/fleet.ts',
    'gather-fleet': 'app/fleet/gather-fleet.ts',
  })
  const later = { 'in-process': [], 'by-git': [] }
  const looks = (name) => (round) => {
    forgetCache(folder)
    const words = [LOOKS, bundles, name, folder, String(NEXT_LOOKS)]
    const told = JSON.parse(sandbox.run(folder, process.execPath, words))
    if (round > 0) later[name].push(told.later / NEXT_LOOKS)
    return told.first
  }
  const first = interleave(
    { 'in-process': looks('in-process'), 'by-git': looks('by-git') },
    quick ? 3 : 7,
  )
  const row = (which, { 'in-process': ours, 'by-git': floor }) =>
    ratioRow({ work: `${which} look, ${about}: in process, to a git child`, ours, floor })
  return [row('first', first), row('next', later)]
}

/** A tab without a token: the same script and style, and nothing to show. */
async function emptyPage(browser, url) {
  const tab = await browser.newPage()
  await tab.goto(url)
  const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
  const millis = await valueOf(tab, paint)
  await tab.close()
  return millis
}

async function fullPage(browser, url, rows) {
  const tab = await browser.newPage()
  await tab.addInitScript(WATCH.replace('ROWS', String(rows)))
  await tab.goto(url)
  const millis = await valueOf(tab, 'window.painted')
  await tab.close()
  return millis
}

/** Asked from here: the page's policy lets nothing in it wait for a text of code. */
async function valueOf(tab, expression) {
  for (let i = 0; i < 3000; i++) {
    const value = await tab.evaluate(expression)
    if (value) return value
    await tab.waitForTimeout(10)
  }
  throw new Error(`no ${expression} after half a minute`)
}
