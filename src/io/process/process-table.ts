/**
 * Other processes of this machine: parent, program, and what distinguishes two processes with the same number.
 *
 * From `/proc` on Linux, else from `ps`. A number means nothing in another container or after a
 * restart, so every identity names its *place*: the running system and the namespace of process numbers.
 *
 * Where there is no `/proc`, each look costs a process. A look that was taken before shows which processes were there,
 * never which are gone: another one may have started since.
 */

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessIdentity } from '../../core/session/session-state.ts'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  /** Ended, but not waited for yet. */
  readonly isZombie: boolean
  /** Letters, digits and `_` only; constant as long as the process lives. */
  readonly startTime: string
  /** The program's name without its folder. */
  readonly name: string
}

/** Undefined when there is no such process, or it cannot be seen. */
export function processInfo(pid: number): ProcessInfo | undefined {
  return hasProc() ? fromProc(pid) : fromPs(pid)
}

let proc: boolean | undefined

export function hasProc(): boolean {
  return (proc ??= fromProc(process.pid) !== undefined)
}

export function fromProc(pid: number): ProcessInfo | undefined {
  try {
    // "pid (name) state ppid …"; the name may hold anything, so the rest is read from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const [state = '', parent = ''] = fields
    const name = stat.slice(stat.indexOf('(') + 1, end)
    const isZombie = /[ZX]/i.test(state)
    return { pid, parent: Number(parent), isZombie, startTime: fields[19] ?? '', name }
  } catch {
    return undefined
  }
}

export function fromPs(pid: number): ProcessInfo | undefined {
  return askTable('-p', String(pid))[0]
}

function askTable(...which: string[]): ProcessInfo[] {
  const line = /^ *(\d+) +(\d+) +(\S+) +(\S+ +\S+ +\d+ +[\d:]+ +\d+) *(.*)$/gm
  const text = askPs('pid=,ppid=,stat=,lstart=,comm=', ...which)
  return [...text.matchAll(line)].map(([, pid, parent, state = '', start = '', command = '']) => {
    const startTime = start.replace(/\W+/g, '_')
    const name = command.trim().replace(/^.*\//, '')
    return { pid: Number(pid), parent: Number(parent), isZombie: state[0] === 'Z', startTime, name }
  })
}

/**
 * A picture of all processes, taken when the first is looked up: one `ps` takes as long for all as for one. It is taken
 * again if it is older than `maxAge` milliseconds.
 */
export function psPicture(): (pid: number, maxAge?: number) => ProcessInfo | undefined {
  let table: ReadonlyMap<number, ProcessInfo> | undefined
  let takenAt = 0
  return (pid, maxAge = Infinity) => {
    if (table === undefined || performance.now() - takenAt > maxAge) {
      takenAt = performance.now()
      table = new Map(askTable('-ax').map((info) => [info.pid, info]))
    }
    return table.get(pid)
  }
}

/** Without `-ww`, lines are cut at COLUMNS, which a pager or a terminal may have set. */
export function askPs(columns: string, ...which: string[]): string {
  return askProgram('ps', ['-ww', ...which, '-o', columns])
}

/** `sysctl` and `lsof` are in /usr/sbin on macOS, which a user's PATH need not have. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

/** What a program of the system prints. `lsof` fails if one of the processes is gone, and prints the others. */
export function askProgram(program: string, args: readonly string[]): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const PATH = [process.env['PATH'] ?? [], SYSTEM_FOLDERS].flat().join(':')
  const { stdout }: { stdout: string | null } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    // Times are printed in the local time zone and language, and hooks may run with others.
    env: { ...process.env, PATH, TZ: 'UTC', LC_ALL: 'C' },
  })
  return stdout ?? ''
}

/** The words that a process was started with; none if it cannot be seen. */
export function commandWords(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return hasProc() ? [] : wordsFromPs(pid)
  }
}

/** Words that contain spaces are split, except the path of git itself, such as the one in "GitHub Desktop.app". */
export function wordsFromPs(pid: number): readonly string[] {
  const text = askPs('args=', '-p', String(pid)).trim()
  const program = /^\/\S* .*\/git(?: |$)/.test(text) ? askPs('comm=', '-p', String(pid)).trim() : ''
  if (program === '' || !`${text} `.startsWith(`${program} `)) return text.split(' ')
  return [program, ...text.slice(program.length + 1).split(' ')]
}

const picture = psPicture()

/** This process and those above it stay the same while it runs, so they are looked up once. */
export function ancestorInfo(pid: number): ProcessInfo | undefined {
  return hasProc() ? fromProc(pid) : picture(pid)
}

/** Milliseconds. A dashboard looks again and again for days. */
const MAX_AGE = 1000

/** Any process, as it was at most a moment ago. */
export function recentInfo(pid: number): ProcessInfo | undefined {
  return hasProc() ? fromProc(pid) : picture(pid, MAX_AGE)
}

const wordsOf = new Map<number, readonly string[]>()

/** The same for their words. */
export function ancestorWords(pid: number): readonly string[] {
  if (hasProc()) return commandWords(pid)
  const words = wordsOf.get(pid) ?? wordsFromPs(pid)
  wordsOf.set(pid, words)
  return words
}

/** More than anybody nests. A table that changes while it is read might lead in circles. */
const MAX_DEPTH = 64

/** The ancestors of a process, nearest first, as far as they can be seen. */
export function processesAbove(
  from = process.pid,
  look = ancestorInfo,
  depth = MAX_DEPTH,
): ProcessInfo[] {
  const found: ProcessInfo[] = []
  let next = look(from)?.parent ?? 0
  while (next > 0 && found.length < depth) {
    const info = look(next)
    if (info === undefined) break
    found.push(info)
    next = info.parent
  }
  return found
}

let known: string | undefined

/** The running system and its namespace of process numbers, as a short word. */
export function processPlace(): string {
  return (known ??= (hasProc() ? placeInProc() : bootSession()) ?? hostWord())
}

function placeInProc(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')
    const namespace = readlinkSync('/proc/self/ns/pid').replace('pid', '')
    return `${boot.slice(0, 8)}${namespace}`.replace(/\W/g, '')
  } catch {
    return undefined
  }
}

/** What macOS names each start of the system by; undefined on other systems, and in a sandbox that hides it. */
export function bootSession(): string | undefined {
  return /^[0-9A-F]{8}(?=-)/i.exec(askProgram('sysctl', ['-n', 'kern.bootsessionuuid']))?.[0]
}

/** On macOS, another network may give the host another name. */
function hostWord(): string {
  return hostname().replace(/\W/g, '')
}

/** A start time and the place it counts in, such as `48213_9f2c41ab4026531836`. */
export function startIn(info: ProcessInfo): string {
  return `${info.startTime}_${processPlace()}`
}

/** Distinguishes a process from any other one, in any place. `look`: `ancestorInfo` for this one and those above. */
export function identify(pid: number, look = processInfo): ProcessIdentity | undefined {
  const info = look(pid)
  return info && { pid, startTime: startIn(info) }
}

/**
 * `unknown`: the process belongs to another place, or cannot be seen. `gone` is final: a number that is reused comes
 * with another start time. `glance`: an older look, which is enough if the process was alive then. Not for locks: a
 * process that has ended since counts as alive until its parent has noticed.
 */
export function judge(
  pid: number,
  startTime: string,
  glance?: typeof processInfo,
): 'alive' | 'gone' | 'unknown' {
  const isIn = (place: string) => startTime.endsWith(`_${place}`)
  // Where there is no /proc, older records name the host.
  const place = !hasProc() && isIn(hostWord()) ? hostWord() : processPlace()
  if (!isIn(place)) return 'unknown'
  const isAlive = (info: ProcessInfo) =>
    !info.isZombie && `${info.startTime}_${place}` === startTime
  if (!isRunning(pid)) return 'gone'
  const before = glance?.(pid)
  if (before !== undefined && isAlive(before)) return 'alive'
  const info = processInfo(pid)
  if (info !== undefined) return isAlive(info) ? 'alive' : 'gone'
  return isRunning(pid) ? 'unknown' : 'gone'
}

/** Whether any process has the number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
