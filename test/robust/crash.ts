/** Processes that die by SIGKILL at a chosen moment. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran, Repo } from '../support/git-repo.ts'
import { CLI } from '../support/git-repo.ts'

/**
 * Loaded before ledger-git: numbers what it does to files and through git, across all processes of one command, and
 * dies before number KILL_AT, halfway through a write.
 */
const PRELOAD = `
const fs = require('node:fs')
const child = require('node:child_process')
const { openSync, fstatSync, writeSync } = fs
const log = openSync(process.env.KILL_LOG, 'a')
const isTime = () => {
  writeSync(log, '.')
  return fstatSync(log).size - 1 === Number(process.env.KILL_AT)
}
const die = () => { process.kill(process.pid, 'SIGKILL'); for (;;); }
const wrap = (module, name, counts, half) => {
  const real = module[name]
  module[name] = (...args) => {
    if (counts(args) && isTime()) { half?.(args); die() }
    return real.apply(module, args)
  }
}
const always = () => true
for (const name of ['linkSync', 'renameSync', 'unlinkSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'chmodSync',
  'symlinkSync', 'copyFileSync', 'writeFileSync', 'fsyncSync']) wrap(fs, name, always)
wrap(fs, 'openSync', ([, flags]) => /[wax]/.test(flags))
wrap(fs, 'writeSync', ([fd]) => fd > 2, ([fd, text]) => {
  const bytes = Buffer.from(text)
  // So few bytes are never torn.
  if (bytes.length > 64) writeSync(fd, bytes.subarray(0, bytes.length / 2))
})
const writes = /^(update-index|update-ref|write-tree|commit-tree|read-tree|config|add)$/
wrap(child, 'spawnSync', ([, words]) =>
  words.some((word) => writes.test(word)) || (words.includes('hash-object') && words.includes('-w')))
require('node:module').syncBuiltinESMExports()
`

/**
 * Runs everything in processes of its own and keeps compiled code in the repository, as users have it, so that what is
 * written depends on nothing else.
 */
export function ownCode(repo: Repo): Repo {
  repo.sandbox.env['LEDGER_TEST_OWN_PROCESS'] = '1'
  repo.sandbox.env['LEDGER_GIT_CACHE'] = ''
  return repo
}

/** Starts a program and waits without blocking. */
export function start(
  repo: Repo,
  command: string,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; killAfter?: number } = {},
): Promise<Ran> {
  const child = spawn(command, words, {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, ...repo.sandbox.tick(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const timer =
    options.killAfter === undefined
      ? undefined
      : setTimeout(() => child.kill('SIGKILL'), options.killAfter)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      clearTimeout(timer)
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8')
      resolve({ status: status ?? 137, stdout: text(out), stderr: text(err) })
    })
  })
}

export function startLedger(repo: Repo, ...words: string[]): Promise<Ran> {
  return start(repo, process.execPath, [CLI, ...words])
}

/** Runs a command; ledger-git, also as a hook or driver of git, dies before its effect number `at`. */
export async function crash(
  repo: Repo,
  [program = '', ...words]: readonly string[],
  at: number,
): Promise<Ran & { effects: number }> {
  const { folder } = repo.sandbox
  const preload = join(folder, 'preload.cjs')
  const log = join(folder, 'effects')
  writeFileSync(preload, PRELOAD)
  writeFileSync(log, '')
  const env = { KILL_AT: String(at), KILL_LOG: log }
  const launch = join(repo.folder, '.git/ledger-git/launch')
  const recorded = existsSync(launch) ? readFileSync(launch, 'utf8') : undefined
  const isGit = program === 'git'
  if (isGit) {
    const node = join(folder, 'crashing-node')
    const text = `#!/bin/sh\nexec '${process.execPath}' --require '${preload}' "$@"\n`
    writeFileSync(node, text, { mode: 0o755 })
    writeFileSync(launch, `${node}\n${CLI}\n`)
  }
  const ran = isGit
    ? await start(repo, program, words, { env })
    : await start(repo, process.execPath, ['--require', preload, CLI, program, ...words], { env })
  if (isGit && recorded !== undefined) writeFileSync(launch, recorded)
  return { ...ran, effects: statSync(log).size }
}
