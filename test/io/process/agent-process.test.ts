/** For which process a hook runs, with real processes and with process tables as other systems print them. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProcessInfo } from '../../../src/io/process/process-table.ts'
import {
  commandWords,
  fromProc,
  fromPs,
  judge,
  processInfo,
  processPlace,
  startIn,
  wordsFromPs,
} from '../../../src/io/process/process-table.ts'
import { agentProcess } from '../../../src/io/process/agent-process.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { notRunUnless } from '../../support/not-run.ts'
import { bundled } from '../../support/workers.ts'

const hasPs = spawnSync('ps', ['-p', '1']).status === 0
const hasProc = fromProc(process.pid) !== undefined

const PROGRAM = `import { agentProcess } from './processes.mjs'
  const processes = agentProcess()
  console.log(JSON.stringify({
    owner: processes.owner(), ancestors: processes.ancestors(), self: process.pid,
  }))`

interface Said {
  owner: { pid: number; startTime: string } | undefined
  ancestors: number[]
  self: number
}

async function open() {
  const folder = new Sandbox().folder
  const source = { name: 'processes', program: PROGRAM }
  return { folder, program: await bundled(folder, 'io/process/agent-process.ts', source) }
}

/** A table of programs, each the parent of the one before. */
function table(...names: string[]) {
  const above = names.map((name, i): ProcessInfo => {
    return { pid: 100 - i, parent: 99 - i, name, startTime: `${i}`, isZombie: false }
  })
  const last = above.at(-1)
  if (last !== undefined) above[above.length - 1] = { ...last, parent: 0 }
  return (pid: number) => above.find((info) => info.pid === pid)
}

describe('the owner of a hook', () => {
  test('is the program that started the shells above it', async () => {
    const { folder, program } = await open()
    // As an agent runs it: a shell, the launcher as a script, Node.
    const launcher = join(folder, 'run')
    writeFileSync(launcher, `#!/bin/sh\n"$@"\nexit $?\n`, { mode: 0o755 })
    const command = `'${launcher}' '${process.execPath}' '${program}'; exit $?`
    const { stdout } = spawnSync('bash', ['-c', `sh -c "${command}"; exit $?`], {
      encoding: 'utf8',
      stdio: 'pipe', // started by this very process, not by a helper
    })
    const said = JSON.parse(stdout) as Said
    expect(said.owner?.pid).toBe(process.pid)
    expect(said.ancestors.slice(0, 1)).toEqual([said.self])
    const me = said.ancestors.indexOf(process.pid)
    expect(me).toBeGreaterThanOrEqual(3)
    expect(said.ancestors[me + 1]).toBe(process.ppid)
    expect(said.owner && agentProcess().lifeOf(said.owner)).toBe('alive')
  })

  test.each<[string[], number | undefined]>([
    [['node', 'run', 'sh', 'claude', 'zsh'], 97],
    [['node', 'claude', 'zsh'], 99],
    [['node', 'timeout', 'env', '-zsh', 'codex'], 96],
    [['node', 'npm exec ledger', 'sh', 'node', 'bash'], 97],
    [['node', 'git', 'sh', 'gemini'], 97],
    [['node', 'sh', 'bash (1) sh', 'x'], 98],
    // A process that was adopted has lost its owner.
    [['node', 'sh', 'systemd', 'systemd'], undefined],
    [['node', 'sh', 'bash'], undefined],
    [['node'], undefined],
    [[], undefined],
  ])('is the first program above shells and helpers, if any: %j', (names, pid) => {
    expect(agentProcess(100, table(...names)).owner()?.pid).toBe(pid)
  })

  test("is never the system's first process", () => {
    const look = (pid: number): ProcessInfo => {
      return {
        pid,
        parent: pid - 1,
        name: pid === 3 ? 'node' : 'init',
        startTime: '',
        isZombie: false,
      }
    }
    expect(agentProcess(3, look).owner()?.pid).toBe(2)
    expect(agentProcess(2, look).owner()).toBeUndefined()
  })

  test('is not found in a table with a cycle, and the search ends', () => {
    const look = (pid: number): ProcessInfo => {
      return { pid, parent: pid === 5 ? 6 : 5, name: 'sh', startTime: '', isZombie: false }
    }
    expect(agentProcess(5, look).owner()).toBeUndefined()
    expect(agentProcess(5, look).ancestors().length).toBeLessThan(100)
  })
})

describe('an owner is alive', () => {
  test('until it ends, even if nobody has waited for it', async () => {
    const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'])
    const [chunk] = (await once(shell.stdout, 'data')) as [Buffer]
    const pid = Number(chunk.toString())
    const info = processInfo(pid)
    if (info === undefined) throw new Error('no such process')
    const owner = { pid, startTime: startIn(info) }
    const processes = agentProcess()
    expect(processes.lifeOf(owner)).toBe('alive')
    process.kill(pid, 'SIGKILL')
    for (let i = 0; i < 200 && processes.lifeOf(owner) === 'alive'; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(processes.lifeOf(owner)).toBe('gone')
    shell.kill('SIGKILL')
    await once(shell, 'close')
    expect(processes.lifeOf(owner)).toBe('gone')
    expect(judge(owner.pid, owner.startTime)).toBe('gone')
  })

  test('only as itself, not as another process with its number', () => {
    const startTime = startIn(processInfo(process.pid) as ProcessInfo)
    const processes = agentProcess()
    expect(processes.lifeOf({ pid: process.pid, startTime })).toBe('alive')
    expect(processes.lifeOf({ pid: process.pid, startTime: `1${startTime}` })).toBe('gone')
    expect(processes.lifeOf({ pid: process.ppid, startTime })).toBe('gone')
  })

  test('as a daemon if it outlives its sessions', () => {
    const startTime = startIn(processInfo(process.pid) as ProcessInfo)
    const lifeOf = (...words: string[]) =>
      agentProcess(process.pid, processInfo, () => words).lifeOf({ pid: process.pid, startTime })
    expect(lifeOf('/opt/codex', 'app-server', '--managed-daemon')).toBe('daemon')
    expect(lifeOf('/usr/bin/node', '/opt/bin/codex.js', 'app-server', '')).toBe('daemon')
    expect([lifeOf('codex', 'exec', 'run it'), lifeOf('x', 'app-server'), lifeOf()]).toEqual([
      'alive',
      'alive',
      'alive',
    ])
    expect(commandWords(process.pid)[0]).toBe(process.argv0)
  })

  test('or unknown if it belongs to another container or system', () => {
    const startTime = startIn(processInfo(process.pid) as ProcessInfo)
    const other = startTime.replace(processPlace(), '0badcafe')
    for (const odd of [other, '', '123456', processPlace()]) {
      expect(judge(process.pid, odd)).toBe('unknown')
      expect(agentProcess().lifeOf({ pid: process.pid, startTime: odd })).toBe('unknown')
    }
  })
})

describe('the table of processes', () => {
  test('allows any character in a name', async () => {
    const { folder } = await open()
    mkdirSync(join(folder, 'bin'))
    const odd = join(folder, 'bin', 'a) Z 1 (b')
    copyFileSync(
      spawnSync('sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).stdout.trim(),
      odd,
    )
    spawnSync('chmod', ['755', odd])
    const child = spawn(odd, ['60'])
    await once(child, 'spawn')
    const info = processInfo(child.pid ?? 0)
    expect(info).toMatchObject({ parent: process.pid, isZombie: false, name: 'a) Z 1 (b' })
    child.kill('SIGKILL')
  })

  test.skipIf(notRunUnless(hasPs && hasProc, 'ps like /proc', 'one of both is missing'))(
    'is the same by ps and by /proc, in any time zone',
    async () => {
      const child = spawn('sleep', ['60'])
      await once(child, 'spawn')
      const pid = child.pid ?? 0
      const [proc, ps] = [fromProc(pid), fromPs(pid)]
      expect(ps).toEqual({ ...proc, startTime: ps?.startTime })
      expect(ps?.startTime).toMatch(/^\w{3}_\w{3}_\d+_\d\d_\d\d_\d\d_\d{4}$/)
      const zone = process.env['TZ']
      process.env['TZ'] = 'Asia/Tokyo'
      expect(fromPs(pid)).toEqual(ps)
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
      process.env['COLUMNS'] = '5'
      expect(wordsFromPs(pid), 'in a narrow terminal').toEqual(['sleep', '60'])
      delete process.env['COLUMNS']
      child.kill('SIGKILL')
      await once(child, 'close')
      expect([fromProc(pid), fromPs(pid)]).toEqual([undefined, undefined])
    },
  )
})
