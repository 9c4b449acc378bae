/** A successful trial commit is repeated as soon as anything differs that could change its outcome. */

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { takesEvent } from '../../../src/io/git/kept-trial.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { installed, OUR } from '../../app/doctor/scene.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ROOT } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** Does in its pre-commit hook what ours is for, in a tenth of the time. */
const TAKES = `if (process.argv.includes('pre-commit')) require('node:child_process').execSync('git add -A')\n`

interface Clone {
  readonly repo: Repo
  readonly env: NodeJS.ProcessEnv
  readonly bundle: string
  /** The first folder of its PATH. */
  readonly bin: string
}

async function cloneWith(command: string): Promise<Clone> {
  const repo = await installed()
  const bundle = join(repo.sandbox.folder, 'home/bundle')
  mkdirSync(bundle)
  writeFileSync(join(bundle, 'main.cjs'), command)
  writeFileSync(join(bundle, 'part.cjs'), '')
  repo.write(`${OUR}/launch`, `${process.execPath}\n${bundle}/main.cjs\n`)
  const bin = join(repo.sandbox.folder, 'bin')
  mkdirSync(bin)
  return { repo, env: { ...repo.sandbox.env, PATH: `${bin}:${process.env['PATH']}` }, bundle, bin }
}

async function ask({ repo, env }: Clone, root = ROOT): Promise<boolean> {
  const repository = await openRepository(repo.folder, env)
  try {
    return await takesEvent(repository.place, root, env, 20_000)
  } finally {
    repository.close()
  }
}

/** True if it makes a trial commit to find out: without a temporary folder it cannot. */
async function isTried(clone: Clone, root?: string): Promise<boolean> {
  vi.stubEnv('TMPDIR', join(clone.repo.sandbox.folder, 'nowhere'))
  const known = await ask(clone, root).catch(() => undefined)
  vi.unstubAllEnvs()
  return known === undefined
}

type Change = (clone: Clone) => Clone | void

const CHANGES: Readonly<Record<string, Change>> = {
  'a shim': ({ repo }) => appendFileSync(join(repo.folder, OUR, 'hooks/commit-msg'), '\n'),
  'the launcher': ({ repo }) => appendFileSync(join(repo.folder, OUR, 'run'), '\n'),
  'a run bit': ({ repo }) => repo.chmod(`${OUR}/hook`, 0o644),
  'the recorded command': ({ repo, bundle }) =>
    repo.write(`${OUR}/launch`, `${process.execPath}\n${bundle}/part.cjs\n`),
  'no recorded command': ({ repo }) => rmSync(join(repo.folder, OUR, 'launch')),
  'the settings': ({ repo }) => repo.write('.ledger-git.yaml', 'ledger:\n  mode: tracked\n'),
  'the command': ({ bundle }) => appendFileSync(join(bundle, 'main.cjs'), 'throw 0\n'),
  'a part of the command': ({ bundle }) => rmSync(join(bundle, 'part.cjs')),
  'a variable': (clone) => ({ ...clone, env: { ...clone.env, LEDGER_GIT_HOME: '/nowhere' } }),
  'another git': (clone) => {
    writeFileSync(join(clone.bin, 'git'), '#!/bin/sh\nexec /usr/bin/git "$@"\n', { mode: 0o755 })
  },
  'a day later': () => void vi.setSystemTime(Date.now() + 86_400_000),
  'a clock that was set back': () => void vi.setSystemTime(Date.now() - 60_000),
}

test.each(sampleOf(Object.entries(CHANGES), 3))(
  'repeats the trial after a change: %s',
  async (_, change) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const clone = await cloneWith(TAKES)
    expect(await ask(clone)).toBe(true)
    const inAnotherFolder = { ...clone, env: { ...clone.env, PWD: '/elsewhere', SHLVL: '7' } }
    expect(await isTried(inAnotherFolder)).toBe(false)
    expect(await isTried(change(clone) ?? clone)).toBe(true)
  },
)

test('repeats a trial that left the event behind, and makes one for another folder', async () => {
  const clone = await cloneWith('')
  expect(await ask(clone)).toBe(false)
  expect(await isTried(clone)).toBe(true)
  writeFileSync(join(clone.bundle, 'main.cjs'), TAKES)
  expect(await ask(clone)).toBe(true)
  expect(await isTried(clone)).toBe(false)
  expect(await isTried(clone, 'elsewhere')).toBe(true)
})

test('always tries a command that a variable names, as it may start anything', async () => {
  const clone = await cloneWith(TAKES)
  const command = join(clone.bundle, 'main.cjs')
  const named = { ...clone, env: { ...clone.env, LEDGER_GIT_BIN: command } }
  expect(await ask(named)).toBe(true)
  expect(await isTried(named)).toBe(true)
})
