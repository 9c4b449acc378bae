/**
 * The pictures of docs/fleet.md: the page as it is built, with the fleet that its tests have.
 *
 *   npm run docs:dashboard
 *
 * Needs Chromium (LEDGER_GIT_CHROMIUM names another one than /usr/bin/chromium).
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { bundle } from '../bench/bundle.mjs'

const TOP = fileURLToPath(new URL('..', import.meta.url))
const PICTURES = join(TOP, 'docs/pictures')
const TOKEN = '0'.repeat(32)

const PAGES = [
  { name: 'dashboard-light', colorScheme: 'light', width: 1280, height: 860 },
  { name: 'dashboard-dark', colorScheme: 'dark', width: 1280, height: 860 },
]

const folder = mkdtempSync(join(tmpdir(), 'ledger-git-pictures-'))
try {
  await bundle(folder, {
    server: 'io/server/dashboard-server.ts',
    feed: 'app/dashboard/fleet-feed.ts',
    fleets: '../test/support/fleets.ts',
  })
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  const { startServer } = await load('server')
  const { FleetFeed } = await load('feed')
  const { BUSY_FLEET, NOW } = await load('fleets')
  const feed = new FleetFeed(
    async () => BUSY_FLEET,
    async () => '',
    { now: () => NOW },
    'pictures',
  )
  const dist = (file) => readFileSync(join(TOP, 'dist', file), 'utf8')
  const page = { script: dist('dashboard.js'), style: dist('dashboard.css') }
  const parts = { page, feed, token: TOKEN, name: 'shop' }
  const server = await startServer(parts, 0)
  mkdirSync(PICTURES, { recursive: true })
  await takePictures(`http://127.0.0.1:${server.port}/#t=${TOKEN}`, NOW)
  await server.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function takePictures(url, now) {
  const browser = await chromium.launch({
    executablePath: process.env.LEDGER_GIT_CHROMIUM ?? '/usr/bin/chromium',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
  })
  for (const { name, width, height, colorScheme } of PAGES) {
    const tab = await browser.newPage({ viewport: { width, height }, colorScheme })
    await tab.clock.setFixedTime(now)
    await tab.goto(url)
    await tab.locator('.connection .word', { hasText: 'live' }).waitFor()
    await tab.locator('.panel-timeline').waitFor()
    await tab.screenshot({ path: join(PICTURES, `${name}.png`) })
    await tab.close()
  }
  await browser.close()
}
