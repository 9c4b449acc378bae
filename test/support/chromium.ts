/** A real browser, if the machine has one. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { notRunUnless } from './not-run.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function findChromium(): string | undefined {
  const named = process.env['LEDGER_GIT_CHROMIUM']
  if (named !== undefined) return named
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const chromium = findChromium()

/** For `skipIf`. With `CI_BROWSER=required`, a missing browser is a failure. */
export function needsChromium(what: string): boolean {
  const why = 'no Chromium found: install the package chromium or set LEDGER_GIT_CHROMIUM'
  if (chromium === undefined && process.env['CI_BROWSER'] === 'required') throw new Error(why)
  return notRunUnless(chromium !== undefined, what, why)
}

export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { chromium: launcher } = await import('playwright-core')
  // Chromium's sandbox refuses to run as root, and containers have little shared memory.
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-dev-shm-usage',
    ...more,
  ]
  return launcher.launch({ executablePath: chromium ?? '', args })
}
