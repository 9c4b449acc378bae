/** Opening the browser: only where it makes sense, and without revealing the link to other users of the machine. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { browserObstacle, openBrowser } from '../../../src/io/server/open-browser.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { notRunUnless } from '../../support/not-run.ts'

const DESKTOP = { DISPLAY: ':0' }

test.each([
  [DESKTOP, 'linux', true, undefined],
  [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true, undefined],
  [{}, 'darwin', true, undefined],
  [{ ...DESKTOP, CI: '' }, 'linux', true, undefined],
  [{ ...DESKTOP, CI: 'true' }, 'linux', true, 'this is CI'],
  [DESKTOP, 'linux', false, 'this is not a terminal'],
  [{}, 'linux', true, 'there is no display'],
  [{ ...DESKTOP, SSH_CONNECTION: '::1 1 ::1 2' }, 'linux', true, 'this is a remote shell'],
  [DESKTOP, 'aix', true, 'no way to open a browser on aix is known'],
])('%o on %s, terminal %s: %s', (env, platform, isTerminal, obstacle) => {
  expect(browserObstacle(env, platform, isTerminal)).toBe(obstacle)
})

const isLinux = process.platform === 'linux'

test.skipIf(notRunUnless(isLinux, 'opening a browser', 'xdg-open is of Linux'))(
  'opens a private file that redirects to the link, so that the token is in no argument',
  async () => {
    const { folder, env } = new Sandbox()
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const said = join(folder, 'said')
    const opener = `#!/bin/sh\n{ echo "$*"; stat -c %a "$1"; stat -c %a "$(dirname "$1")"; cat "$1"; } >"${said}.new"\nmv "${said}.new" "${said}"\n`
    writeFileSync(join(bin, 'xdg-open'), opener, { mode: 0o755 })
    const url = 'http://127.0.0.1:4321/#t=0123456789abcdef'
    const failures: string[] = []
    openBrowser(url, { ...env, PATH: `${bin}:${env['PATH']}` }, (why) => failures.push(why))
    await expect.poll(() => existsSync(said)).toBe(true)
    const [file = '', mode, folderMode, ...page] = readFileSync(said, 'utf8').split('\n')
    expect(file).not.toContain('0123')
    expect([mode, folderMode]).toEqual(['600', '700'])
    expect(page.join('\n')).toContain(`content="0;url=${url}"`)
    expect(failures).toEqual([])
    expect(existsSync(dirname(file))).toBe(true)
  },
)

test('reports a browser that cannot be started', async () => {
  const failures: string[] = []
  openBrowser('http://127.0.0.1:1/', { PATH: '/nowhere' }, (why) => failures.push(why))
  await expect.poll(() => failures.length).toBe(1)
  expect(failures[0]).toMatch(/could not be started/)
})

test('reports that there is no folder for its file', () => {
  const failures: string[] = []
  vi.stubEnv('TMPDIR', '/nowhere')
  openBrowser('http://127.0.0.1:1/', { PATH: '/nowhere' }, (why) => failures.push(why))
  vi.unstubAllEnvs()
  expect(failures).toEqual([
    expect.stringMatching(/^no temporary folder can be created in \/nowhere: /),
  ])
})
