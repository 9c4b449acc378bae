/**
 * Takes the pictures in docs/fleet.md: the built page, with the fleet that its tests use.
 *
 *   npm run docs:dashboard
 *
 * Needs Chromium: /usr/bin/chromium, or the program that LEDGER_GIT_CHROMIUM names.
 */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { load } from '../bench/bundle.mjs'

const TOP = fileURLToPath(new URL('..', import.meta.url))
const PICTURES = join(TOP, 'docs/pictures')
const TOKEN = '0'.repeat(32)

const PAGES = [
  { name: 'dashboard-light', colorScheme: 'light', width: 1280, height: 860 },
  { name: 'dashboard-dark', colorScheme: 'dark', width: 1280, height: 860 },
]

const { startServer, FleetFeed, BUSY_FLEET, NOW } = await load(
  'io/server/dashboard-server.ts',
  'app/dashboard/fleet-feed.ts',
  '../test/support/fleets.ts',
)
const feed = new FleetFeed(
  async () => BUSY_FLEET,
  async () => '',
  { now: () => NOW },
  'pictures',
)
const dist = (file) => readFileSync(join(TOP, 'dist', file), 'utf8')
const page = { script: dist('dashboard.js'), style: dist('dashboard.css') }
const server = await startServer(
  { page, feed, token: TOKEN, name: 'shop', program: 'git ledger' },
  0,
)
mkdirSync(PICTURES, { recursive: true })
await takePictures(`http://127.0.0.1:${server.port}/#t=${TOKEN}`, NOW)
await server.close()

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
