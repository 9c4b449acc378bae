/**
 * The process table of a system without /proc. Stand-ins print what macOS's `ps` prints (ps(1): `lstart`, `comm`), and
 * `sysctl`: XNU names each start of the system by `kern.bootsessionuuid` (bsd/kern/kern_sysctl.c).
 */

import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Sandbox } from '../../support/git-repo.ts'

let host = 'Adas-MacBook.local'
vi.mock(import('node:os'), async (original) => ({
  ...(await original()),
  hostname: () => host,
}))
vi.mock(import('node:fs'), async (original) => {
  const fs = await original()
  const hidden = <F extends (path: never, ...rest: never[]) => unknown>(read: F) =>
    ((path: never, ...rest: never[]) => {
      if (String(path).startsWith('/proc')) throw Object.assign(new Error(), { code: 'ENOENT' })
      return read(path, ...rest)
    }) as F
  const [readFileSync, readlinkSync] = [hidden(fs.readFileSync), hidden(fs.readlinkSync)]
  return { ...fs, readFileSync, readlinkSync, readdirSync: hidden(fs.readdirSync) }
})

const PATH = process.env['PATH']
let bin = ''
beforeEach(() => {
  bin = new Sandbox().folder
  host = 'Adas-MacBook.local'
  program(
    'ps',
    `case "$*" in *"-p "*) set -- $2 $3; grep "^ *$2 " '${bin}/table';; *) cat '${bin}/table';; esac`,
  )
  boot('5D5C2B0E-3B0F-4F36-9A52-6E2F1C1F8A11')
  process.env['PATH'] = `${bin}${delimiter}${PATH}`
  for (const pid of [process.pid, process.ppid]) row(pid)
})
afterEach(() => {
  process.env['PATH'] = PATH
})

function program(name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >>'${bin}/asked'\n${text}\n`)
  chmodSync(join(bin, name), 0o755)
}

function boot(uuid: string): void {
  program('sysctl', `[ "$*" = '-n kern.bootsessionuuid' ] && echo ${uuid}`)
}

/** Adds a process to the table. */
function row(pid: number, start = 'Sat Nov 28 21:51:45 2026', state = 'S+'): void {
  appendFileSync(join(bin, 'table'), ` ${pid} 1 ${state}   ${start}     /bin/zsh\n`)
}

/** How often a program was started. */
function count(name: string): number {
  if (!existsSync(join(bin, 'asked'))) return 0
  const asked = readFileSync(join(bin, 'asked'), 'utf8').split('\n')
  return asked.filter((line) => line.startsWith(`${name} `)).length
}

/** What a new process of ours loads. */
async function freshProcess() {
  vi.resetModules()
  return import('../../../src/io/process/process-table.ts')
}

const START = 'Sat_Nov_28_21_51_45_2026'

// A Mac takes the name that the network gives it.
test('a process counts as alive after the host got another name', async () => {
  const before = await freshProcess()
  const { startTime } = before.identify(process.pid) ?? { startTime: '' }
  expect(startTime).toBe(`${START}_5D5C2B0E`)
  host = 'wifi-guest-17'
  const after = await freshProcess()
  expect(after.judge(process.pid, startTime)).toBe('alive')
})

test('a process from before a restart is unknown, also if the host kept its name', async () => {
  const before = await freshProcess()
  const { startTime } = before.identify(process.pid) ?? { startTime: '' }
  boot('A0D2F7C4-0C38-4D66-8E3B-1B9C4C0E5F02')
  const after = await freshProcess()
  expect(after.judge(process.pid, startTime)).toBe('unknown')
})

test('records that name the host are still understood, and cost no sysctl', async () => {
  const { judge } = await freshProcess()
  expect(judge(process.pid, `${START}_AdasMacBooklocal`)).toBe('alive')
  expect(judge(process.pid, 'Fri_Nov_27_08_00_00_2026_AdasMacBooklocal')).toBe('gone')
  expect(count('sysctl')).toBe(0)
  expect(judge(process.pid, `${START}_wifiguest17`)).toBe('unknown')
})

test('where the start of the system has no name, the host names the place', async () => {
  program('sysctl', 'echo "sysctl: unknown oid" >&2; exit 1')
  const { identify } = await freshProcess()
  expect(identify(process.pid)?.startTime).toBe(`${START}_AdasMacBooklocal`)
})

test('sysctl is started once, and only if the place is needed', async () => {
  const { identify, judge, processesAbove } = await freshProcess()
  processesAbove()
  expect(count('sysctl')).toBe(0)
  const { startTime } = identify(process.pid) ?? { startTime: '' }
  judge(process.pid, startTime)
  identify(process.ppid)
  expect(count('sysctl')).toBe(1)
})

// GUI clients start git with PATH=/usr/bin:/bin.
test('looks for programs where macOS has them, also if PATH does not', async () => {
  const { askProgram } = await freshProcess()
  process.env['PATH'] = bin
  program('where', 'echo "$PATH"')
  expect(askProgram('where', []).trim().split(':')).toEqual([
    bin,
    '/usr/bin',
    '/bin',
    '/usr/sbin',
    '/sbin',
  ])
})

test('this process, those above it and the owners of sessions are looked up with one ps', async () => {
  const { ancestorInfo, identify, processesAbove } = await freshProcess()
  const { agentProcess } = await import('../../../src/io/process/agent-process.ts')
  const { startTime } = identify(process.pid, ancestorInfo) ?? { startTime: '' }
  processesAbove()
  const { lifeOf } = agentProcess(process.pid, ancestorInfo, () => ['zsh'])
  for (const pid of [process.pid, process.ppid]) expect(lifeOf({ pid, startTime })).toBe('alive')
  expect(count('ps')).toBe(1)
})

test('the words of the owner of a session are asked for once', async () => {
  const { startTime } = (await freshProcess()).identify(process.pid) ?? { startTime: '' }
  const { agentProcess } = await import('../../../src/io/process/agent-process.ts')
  const wordsOf = vi.fn(() => ['codex', 'app-server'])
  const { lifeOf } = agentProcess(process.pid, undefined, wordsOf)
  for (const _ of 'ab') expect(lifeOf({ pid: process.pid, startTime })).toBe('daemon')
  expect(wordsOf).toHaveBeenCalledTimes(1)
})

test('a process that started after the last look is not gone', async () => {
  const { ancestorInfo, judge, recentInfo } = await freshProcess()
  ancestorInfo(process.pid)
  const { pid = 0 } = spawn('sleep', ['5'], { stdio: 'ignore' }).on('error', () => {})
  try {
    row(pid, 'Sat Nov 28 22:00:00 2026')
    const startTime = 'Sat_Nov_28_22_00_00_2026_5D5C2B0E'
    expect(judge(pid, startTime, recentInfo)).toBe('alive')
  } finally {
    process.kill(pid)
  }
})

test('a lock is judged by a look of its own', async () => {
  const { ancestorInfo, identify, judge } = await freshProcess()
  const { startTime } = identify(process.ppid, ancestorInfo) ?? { startTime: '' }
  // It has ended since; until its parent notices, its number stays in use.
  writeFileSync(join(bin, 'table'), '')
  row(process.ppid, undefined, 'Z+')
  expect(judge(process.ppid, startTime)).toBe('gone')
})
