/** The dashboard's page in a real browser: what it shows, about whom, and what it never does. */

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FleetFeed } from '../../../src/app/dashboard/fleet-feed.ts'
import { selfContainedPage } from '../../../src/core/dashboard/page.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import type { Fleet } from '../../../src/core/fleet/fleet.ts'
import { startServer } from '../../../src/io/server/dashboard-server.ts'
import { builtFrom } from '../../support/built-from.ts'
import { launchChromium, needsChromium } from '../../support/chromium.ts'
import { BUSY_FLEET, EMPTY_FLEET, HOSTILE, NOW } from '../../support/fleets.ts'
import { longTest } from '../../support/long.ts'

// @ts-expect-error the page is checked with settings of its own, for browsers
builtFrom(() => import('../../../src/web/main.tsx'))

/** Run in the page: what a mistake of ours could let in. Returns what worked. */
const INJECT = `(() => {
  const worked = []
  try {
    document.body.innerHTML = '<b>x</b>'
    worked.push('innerHTML')
  } catch {}
  try {
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    document.head.append(script)
  } catch {}
  if ('hacked' in window) worked.push('script')
  return worked
})()`

/** Run in a page of another site: the ways to a server's answers. */
const ATTACK = `async (url) => {
  const outcome = (action) => action.then(() => 'open', () => 'closed')
  const frame = document.createElement('iframe')
  frame.src = url
  document.body.append(frame)
  await new Promise((resolve) => (frame.onload = resolve))
  return {
    fetch: await outcome(fetch(url + '/api/fleet')),
    script: await new Promise((resolve) => {
      const script = document.createElement('script')
      script.onload = () => resolve('open')
      script.onerror = () => resolve('closed')
      script.src = url + '/dashboard.js'
      document.head.append(script)
    }),
    frame: frame.contentDocument === null ? 'closed' : 'open',
  }
}`

const dist = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../dist/${file}`, import.meta.url)), 'utf8')

let served = 0

/** A server whose fleet and time a test changes. */
async function serve(first: Fleet = BUSY_FLEET, { port = 0, token = 'f'.repeat(32) } = {}) {
  const now = { fleet: first, failure: undefined as Error | undefined }
  const past = { ...first, at: '2026-03-02T08:00:00Z', attention: [], worktrees: [] }
  const feed = new FleetFeed(
    async ({ at }) => {
      if (now.failure !== undefined) throw now.failure
      if (at === 'nothing') throw new LedgerError('REVISION_UNKNOWN', 'nothing is no commit')
      return at === undefined ? now.fleet : past
    },
    async () => '',
    { now: () => NOW },
    `run-${(served += 1)}`,
  )
  const page = { script: dist('dashboard.js'), style: dist('dashboard.css') }
  const server = await startServer(
    { page, feed, token, name: 'shop', program: 'npx ledger-git' },
    port,
  )
  onTestFinished(() => server.close())
  const change = (fleet: Partial<Fleet>) => {
    now.fleet = { ...now.fleet, ...fleet }
    return feed.refresh()
  }
  const fail = (failure: Error | undefined) => {
    now.failure = failure
    return feed.refresh()
  }
  const url = `http://127.0.0.1:${server.port}/`
  return { server, feed, change, fail, url, link: `${url}#t=${token}` }
}

describe.skipIf(needsChromium('the dashboard in a browser'))('the page in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  /** A window of its own; any complaint of its pages fails the test. */
  async function open(options: Parameters<Browser['newContext']>[0] = {}, mayComplain = false) {
    const context = await browser.newContext(options)
    const complaints: string[] = []
    context.on('weberror', (error) => void complaints.push(String(error.error())))
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    onTestFinished(async () => {
      await context.close()
      if (!mayComplain) expect(complaints).toEqual([])
    })
    return { context, complaints }
  }

  async function visit(context: BrowserContext, url: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  const word = (page: Page) => page.locator('.connection .word').textContent()

  test('shows the fleet, removes the token from the address, and follows changes', async () => {
    const { change, link, url } = await serve()
    const { context } = await open()
    const page = await visit(context, link)
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(10)
    expect(page.url()).toBe(url)
    expect(await page.title()).toBe('(5) shop fleet')
    await expect.poll(() => word(page)).toBe('live')
    expect(await page.locator('.panel-attention').innerText()).toContain('codex on feat/search')
    await change({ attention: [] })
    await expect.poll(() => page.title()).toBe('shop fleet')
    expect(await page.locator('.panel-attention').innerText()).toContain(
      'Nothing waits for a person.',
    )
    await page.reload()
    await expect.poll(() => word(page)).toBe('live')
  })

  longTest('hostile texts run no script and change no text direction', async () => {
    const said = HOSTILE.join(' ')
    const hostile = JSON.parse(
      JSON.stringify(BUSY_FLEET, (key, value: unknown) =>
        typeof value === 'string' &&
        ![
          'kind',
          'phase',
          'level',
          'part',
          'ts',
          'since',
          'generated_at',
          'last_sign',
          'now_since',
        ].includes(key)
          ? `${value} ${said}`
          : value,
      ),
    ) as Fleet
    const { link } = await serve(hostile)
    const { context } = await open()
    const page = await visit(context, link)
    await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(10)
    const text = await page.locator('body').innerText()
    expect(text).toContain('<img src=x')
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(await page.locator('img, script:not([src])').count()).toBe(0)
    // A command that a terminal would take for more than one line is not offered.
    expect(await page.locator('[data-copy]').count()).toBe(0)
  })

  longTest('the content security policy stops what a mistake of ours would let in', async () => {
    const { link } = await serve()
    const { context, complaints } = await open({}, true)
    const page = await visit(context, link)
    await expect.poll(() => word(page)).toBe('live')
    const blocked = await page.evaluate<string[]>(INJECT)
    expect(blocked).toEqual([])
    await expect(page.evaluate(() => fetch('https://example.com/'))).rejects.toThrow(
      'Failed to fetch',
    )
    expect(complaints.length).toBeGreaterThan(0)
  })

  longTest.each(['light', 'dark'] as const)('axe finds nothing, %s', async (colorScheme) => {
    const { link } = await serve({
      ...BUSY_FLEET,
      errors: [{ part: 'branches', subject: 'feat/x', message: 'it could not be read' }],
    })
    const { context } = await open({ colorScheme, reducedMotion: 'reduce' })
    const page = await visit(context, link)
    await expect.poll(() => word(page)).toBe('live')
    const found = async () => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
    expect(await found()).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await found()).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.keyboard.press('?')
    expect(await found()).toEqual([])
  })

  longTest('keys move, filter, step and copy, and the address keeps the state', async () => {
    const { link, url } = await serve()
    const { context } = await open()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await visit(context, link)
    await expect.poll(() => word(page)).toBe('live')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowDown')
    const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''")
    expect(await focused()).toContain('claude on fix/login')
    await page.keyboard.press('c')
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe('npx ledger-git session show 1b22d0aa')
    await page.keyboard.press('/')
    await page.keyboard.type('branch:feat/billing')
    await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(1)
    expect(page.url()).toBe(`${url}#q=branch%3Afeat%2Fbilling`)
    await page.reload()
    await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(8)
    await page.keyboard.press('[')
    await expect.poll(() => page.locator('.banner.past').innerText()).toContain('2026-03-02')
    expect(new URL(page.url()).hash).toMatch(/^#at=2026-03-02T09/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.banner').count()).toBe(0)
    await page.keyboard.press('2')
    expect(await focused()).toContain('Worktrees')
    await page.keyboard.press('?')
    expect(await page.locator('dialog').innerText()).toContain('Keys')
  })

  longTest('reports an unknown name for another time', async () => {
    const { link } = await serve()
    const { context } = await open({}, true)
    const page = await visit(context, `${link}&at=nothing`)
    await expect
      .poll(() => page.locator('.banner.bad').innerText())
      .toContain('nothing is no commit')
    await page.getByRole('button', { name: 'Back to now' }).click()
    await expect.poll(() => page.locator('.banner').count()).toBe(0)
  })

  longTest('shows older events page by page', async () => {
    const entries = Array.from({ length: 1500 }, (_, i) => ({
      file: `e${i}`,
      ts: new Date(NOW - i * 60_000).toISOString(),
      agent: `agent-${i % 7}`,
      branch: 'main',
      type: null,
      summary: `event ${i}`,
      pending: false,
    }))
    const { feed, url } = await serve({ ...BUSY_FLEET, timeline: entries })
    await feed.refresh()
    const { context } = await open()
    const page = await visit(context, `${url}#t=${'f'.repeat(32)}`)
    const rows = () => page.locator('.timeline .event').count()
    await expect.poll(rows).toBe(40)
    for (let i = 0; i < 30 && (await rows()) < 1500; i++) {
      await page.locator('.panel-timeline .more').click()
      await page.waitForTimeout(30)
    }
    expect(await rows()).toBe(1500)
    expect(await page.locator('.timeline .event').last().textContent()).toContain('event 1499')
  })

  longTest(
    'a page reconnects to a server with its token, and asks for a new link if the token differs',
    async () => {
      const first = await serve()
      const { port } = first.server
      const { context } = await open({}, true)
      const page = await visit(context, first.link)
      await expect.poll(() => word(page)).toBe('live')
      await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(8)
      await first.server.close()
      await expect.poll(() => word(page)).toBe('not connected')
      expect(await page.locator('.panel-worktrees tbody tr').count()).toBe(8)
      const stranger = createServer((_, response) => {
        answered += 1
        response.writeHead(404).end('nothing here')
      })
      let answered = 0
      await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve))
      await expect.poll(() => answered).toBeGreaterThan(1)
      expect(await word(page)).toBe('not connected')
      expect(await page.locator('.banner').allInnerTexts()).not.toContainEqual(
        expect.stringContaining('could not be read'),
      )
      stranger.closeAllConnections()
      await new Promise((resolve) => stranger.close(resolve))
      const second = await serve(EMPTY_FLEET, { port })
      await expect.poll(() => word(page)).toBe('live')
      await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(0)
      await second.server.close()
      const third = await serve(BUSY_FLEET, { port, token: 'e'.repeat(32) })
      await expect.poll(() => word(page)).toBe('ended')
      expect(await page.locator('.banner').innerText()).toContain('ledger-git dashboard')
      await third.server.close()
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      await page.waitForTimeout(1500)
      expect(await word(page)).toBe('ended')
      await serve(BUSY_FLEET, { port, token: 'e'.repeat(32) })
      await page.goto(third.link)
      await expect.poll(() => word(page)).toBe('live')
    },
  )

  longTest('a hidden page makes no requests, and a visible one draws only changes', async () => {
    const { change, link } = await serve()
    const { context } = await open()
    let asked = 0
    let fetched = 0
    context.on('request', (request) => {
      asked += 1
      if (request.url().endsWith('/api/fleet')) fetched += 1
    })
    const page = await visit(context, link)
    await expect.poll(() => page.locator('.panel-worktrees tbody tr').count()).toBe(8)
    asked = 0
    // Every drawing adds the key listener again.
    await page.evaluate(`{
      let drawn = 0
      const listen = document.addEventListener
      document.addEventListener = function (kind, ...rest) {
        if (kind === 'keydown') document.body.dataset.drawn = String((drawn += 1))
        return listen.call(this, kind, ...rest)
      }
    }`)
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(3)
    const drawn = () => page.evaluate<string | undefined>('document.body.dataset.drawn')
    expect([await drawn(), fetched]).toEqual([undefined, 1])
    const see = (isSeen: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', {
        configurable: true, value: ${!isSeen} });
        document.dispatchEvent(new Event('visibilitychange'))`)
    await see(false)
    await change({ attention: [] })
    // One request may be in progress.
    await page.waitForTimeout(1500)
    const before = asked
    await page.waitForTimeout(2500)
    expect([asked, await page.title()]).toEqual([before, '(5) shop fleet'])
    await see(true)
    await expect.poll(() => page.title()).toBe('shop fleet')
    expect(await drawn()).toBeDefined()
  })

  longTest('keeps what was known, with a reason, when the repository disappears', async () => {
    const { fail, link } = await serve()
    const { context } = await open()
    const page = await visit(context, link)
    await expect.poll(() => word(page)).toBe('live')
    await fail(new LedgerError('NOT_A_REPOSITORY', '/srv/shop is gone', 'git clone'))
    await expect.poll(() => page.locator('.banner').innerText()).toContain('/srv/shop is gone')
    expect(await page.locator('.panel-worktrees tbody tr').count()).toBe(8)
    await fail(undefined)
    await expect.poll(() => page.locator('.banner').count()).toBe(0)
  })

  longTest('says so if it was opened without a link', async () => {
    const { url } = await serve()
    const { context } = await open()
    const page = await visit(context, url)
    await expect
      .poll(() => page.locator('.banner').innerText())
      .toContain('that the command printed')
    expect(await page.locator('body').innerText()).not.toContain('codex')
  })

  longTest('another site can read nothing, frame nothing, and not rebind', async () => {
    const { server, link } = await serve()
    const evil = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>evil</title>'),
    )
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void evil.close())
    const { context } = await open({}, true)
    const page = await visit(context, `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
    const url = `http://127.0.0.1:${server.port}`
    const attempts = await page.evaluate(`(${ATTACK})('${url}')`)
    expect(attempts).toEqual({
      fetch: 'closed',
      script: 'closed',
      frame: 'closed',
    })
    // A name that now resolves to this machine.
    const rebound = await launchChromium(['--host-resolver-rules=MAP evil.test 127.0.0.1'])
    onTestFinished(() => rebound.close())
    const tab = await rebound.newPage()
    const answer = await tab.goto(`http://evil.test:${server.port}/#t=${link.split('=')[1]}`)
    expect(answer?.status()).toBe(421)
    // A link in a page or a mail may open the page, which then asks for its token.
    await page.setContent(`<a href="${url}/">open</a>`)
    await page.click('a')
    await expect
      .poll(() => page.locator('.banner').innerText())
      .toContain('not opened from a dashboard link')
  })

  longTest('shows the same from a single file on disk, without requests', async () => {
    const page = { script: dist('dashboard.js'), style: dist('dashboard.css') }
    const file = join(tmpdir(), `fleet-${process.pid}.html`)
    const texts = HOSTILE.map((text) => ({
      text,
      ts: BUSY_FLEET.generated_at,
      agent: text,
      branch: null,
    }))
    const fleet = { ...BUSY_FLEET, open_questions: texts }
    writeFileSync(file, selfContainedPage(page, { name: 'shop', fleet }))
    const { context } = await open()
    const asked: string[] = []
    context.on('request', (request) => void asked.push(request.url()))
    const tab = await visit(context, `file://${file}`)
    await expect.poll(() => word(tab)).toBe('a copy')
    expect(await tab.locator('.panel-worktrees tbody tr').count()).toBe(8)
    expect(await tab.locator('.panel-questions').innerText()).toContain('<img src=x')
    expect(await tab.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`file://${file}`])
    await tab.keyboard.press('/')
    await tab.keyboard.type('agent:codex')
    await expect.poll(() => tab.locator('.panel-worktrees tbody tr').count()).toBe(2)
  })
})
