/** How soon everything visible of a big fleet is painted, compared with an empty page from the same server. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENTS } from '../repositories.mjs'
import { ratioRow, unmeasuredRow } from '../rows.mjs'

const BUDGET = 4

/** Waits for the 30 worktrees and 40 events that the page shows at first, and for the frame that paints them. */
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
  const work = `dashboard, ${events} events × ${worktrees} worktrees: painted, to an empty page`
  return [await measurePaint({ sandbox, folder, worktrees, rounds: quick ? 3 : 15 }, work)]
}

/** Each worktree has its own uncommitted event, as if somebody worked there. */
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

async function measurePaint({ sandbox, folder, worktrees, rounds }, work) {
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

/** A tab without a token: the same script and style, but nothing to show. */
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

/** Polled from here, because the page's content security policy forbids evaluating code from text inside it. */
async function valueOf(tab, expression) {
  for (let i = 0; i < 3000; i++) {
    const value = await tab.evaluate(expression)
    if (value) return value
    await tab.waitForTimeout(10)
  }
  throw new Error(`no ${expression} after half a minute`)
}
