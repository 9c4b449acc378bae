/**
 * Opens the dashboard in the user's browser. The link holds a token, and every user of the machine can read
 * command lines. The browser is therefore given a file that only this user can read, and that redirects to the link.
 */

import { spawn } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, writeFileAtomic } from '../files/files.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Programs that open a file as the user's desktop would. */
const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', linux: 'xdg-open' }
/** Milliseconds after which the browser has read the file, or never will. */
const READ_BY = 60_000

/** Why no browser is opened; undefined if one can be. */
export function browserObstacle(
  env: Env,
  platform: string,
  isTerminal: boolean,
): string | undefined {
  if (!isTerminal) return 'this is not a terminal'
  if (env['CI'] !== undefined && env['CI'] !== '') return 'this is CI'
  if (env['SSH_CONNECTION'] !== undefined) return 'this is a remote shell'
  if (OPENERS[platform] === undefined) return `no way to open a browser on ${platform} is known`
  const hasDisplay = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  if (platform === 'linux' && !hasDisplay) return 'there is no display'
  return undefined
}

/** A browser that cannot be opened is not an error: `failed` is told, and the link was printed. */
export function openBrowser(url: string, env: Env, failed: (why: string) => void): void {
  try {
    startBrowser(url, env, failed)
  } catch (error) {
    failed((error as Error).message)
  }
}

function startBrowser(url: string, env: Env, failed: (why: string) => void): void {
  const opener = OPENERS[process.platform] ?? 'xdg-open'
  const folder = temporaryFolder('ledger-git-')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  setTimeout(remove, READ_BY).unref()
  chmodSync(folder, 0o700)
  const file = join(folder, 'dashboard.html')
  writeFileAtomic(file, redirectTo(url), 0o600)
  const child = spawn(opener, [file], {
    env: env as NodeJS.ProcessEnv,
    stdio: 'ignore',
    detached: true,
  })
  child.on('error', () => failed(`${opener} could not be started`))
  child.on('exit', (status) => {
    if (status !== 0 && status !== null) failed(`${opener} ended with status ${status}`)
  })
  child.unref()
}

/** `url` consists of a number and hexadecimal digits. */
function redirectTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Fleet</title>
<p><a href="${url}">Open the fleet</a></p>
`
}
