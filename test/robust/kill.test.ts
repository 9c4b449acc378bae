/**
 * kill -9 at every step of every command that writes: existing data stay, new data are there completely or not at all,
 * and the next command works.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diverged, note, work } from '../git/scene.ts'
import { copyFolder } from '../support/copy-folder.ts'
import type { Repo } from '../support/git-repo.ts'
import { IS_LONG, longTest } from '../support/long.ts'
import { notRunUnless } from '../support/not-run.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo, ROOT, Sandbox } from '../support/git-repo.ts'
import { crash, ownCode, start, startLedger } from './crash.ts'

// LEDGER_KILLS=1000 npx vitest run --project git test/robust/kill (every step)
/** Steps tried of each command. */
const KILLS = Number(process.env['LEDGER_KILLS'] ?? 1)
const SEED = Number(process.env['LEDGER_TEAM_SEED'] ?? 1)

/** Some numbers below `count`, spread out. */
function steps(count: number, name: string): number[] {
  if (KILLS >= count) return Array.from({ length: count }, (_, i) => i)
  const shift = [...name].reduce((sum, char) => sum * 31 + char.charCodeAt(0), SEED) % count
  return Array.from({ length: KILLS }, (_, i) => (shift + Math.floor((i * count) / KILLS)) % count)
}

/** Two at a time, to keep both cores busy. All of them run even if one fails. */
async function each(numbers: readonly number[], check: (at: number) => Promise<void>) {
  const left = [...numbers]
  const failures: unknown[] = []
  const run = async () => {
    for (let at = left.shift(); at !== undefined; at = left.shift()) {
      await check(at).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all([run(), run()])
  if (failures.length > 0) throw failures[0]
}

/** The same repository in a sandbox of its own. */
function copyOf({ folder }: Repo): Repo {
  const sandbox = new Sandbox()
  const repo = ownCode(sandbox.at(join(sandbox.folder, 'repo')))
  copyFolder(folder, repo.folder)
  repo.git('update-index', '-q', '--refresh')
  return repo
}

interface Shown {
  readonly this_session: readonly { readonly text: string }[]
  readonly decisions: Readonly<Record<string, unknown>>
}

const shown = async (repo: Repo) =>
  JSON.parse((await startLedger(repo, 'show', '--json')).stdout) as Shown

/** Names of event files, in `events/` or the archive. */
function eventFiles(repo: Repo): string[] {
  const root = join(repo.folder, ROOT)
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
  return files
    .filter((path) => /(?:^|\/)(?:events|archive)\//.test(path) && /\.(?:md|json)$/.test(path))
    .map((path) => path.replace(/^.*\//, '').replace(/\.(?:md|json)$/, ''))
}

async function expectWhole(repo: Repo): Promise<void> {
  const checked = repo.tryGit('fsck', '--no-dangling', '--no-progress')
  expect(checked).toMatchObject({ status: 0, stdout: '', stderr: '' })
  expect(await startLedger(repo, 'event', 'validate')).toMatchObject({ status: 0 })
  // Also a command killed while it held the index's lock: the next command removes it.
  const locks = ['index.lock', 'HEAD.lock', 'refs/heads/main.lock', 'config.lock']
  expect(locks.filter((name) => repo.exists(`.git/${name}`))).toEqual([])
}

/** A repository with an old event in a commit and a pending one. */
function filled(): Repo {
  const repo = ownCode(ledgerRepo())
  work(repo, 'old')
  note(repo, 'pending')
  return repo
}

/** The same with staged work, for `git commit`. */
function staged(): Repo {
  const repo = filled()
  repo.write('staged.txt', 'x\n')
  repo.git('add', 'staged.txt')
  return repo
}

function unmanaged(): Repo {
  const repo = ownCode(ledgerRepo())
  const text = '# Work Stream: x\n\n## Ledger\n**Goal:** by hand\n\n### This Session\n- [x] kept\n'
  repo.write(CURRENT, text)
  repo.git('commit', '-q', '--no-verify', '-a', '-m', 'by hand')
  return repo
}

function bare(): Repo {
  const repo = ownCode(new Sandbox().init())
  repo.commit('init', { 'README.md': 'x\n' })
  return repo
}

const COMMANDS: readonly (readonly [words: string, make: () => Repo])[] = [
  ...(KILLS > 1 || IS_LONG
    ? [
        'event add --now new --done new',
        'event add --now new --done new --stage',
        'synthesize --no-confirm',
        'synthesize --no-confirm --commit',
        'synthesize --no-confirm --archive --commit',
        'archive --no-confirm',
      ].map((words) => [words, filled] as const)
    : []),
  ...(IS_LONG
    ? [
        ['event add --now new --done new --commit', filled] as const,
        ['migrate --no-confirm --commit', unmanaged] as const,
        ['check --rev HEAD', withoutCache] as const,
      ]
    : []),
  ...(KILLS > 1 || IS_LONG ? [['archive --no-confirm --commit', filled] as const] : []),
  ['git commit -q -m work', staged],
]

/** Without the cache, so that what is read is written into it. */
function withoutCache(): Repo {
  const repo = filled()
  repo.run('rm', ['-rf', '.git/ledger-git/cache'])
  return repo
}

describe('nothing is lost when killed at a step', { timeout: 120_000 * Math.max(1, KILLS) }, () => {
  // For where a commit is killed in the plain run, see test/git/under-way.test.ts.
  const commandTest = KILLS > 1 ? test : longTest
  commandTest.each(COMMANDS)('%s', async (text, make) => {
    const command = text.split(' ')
    const [original, tried] = [make(), make()]
    const [before, files] = [await shown(tried), eventFiles(original)]
    const whole = await crash(copyOf(original), command, -1)
    expect(whole).toMatchObject({ status: 0 })
    expect(whole.effects).toBeGreaterThan(2)
    await each(steps(whole.effects, text), async (at) => {
      const repo = copyOf(original)
      const ran = await crash(repo, command, at)
      const told = `${text}, killed before step ${at} of ${whole.effects}`
      // git continues without its hook.
      const isGit = command[0] === 'git'
      if (!isGit) expect(ran.status, told).toBe(137)
      await expectWhole(repo)
      expect(eventFiles(repo), told).toEqual(expect.arrayContaining(files))
      const after = await shown(repo)
      expect(Object.keys(after.decisions), told).toEqual(Object.keys(before.decisions))
      const next = isGit ? ['resolve', '--commit'] : command
      expect(await startLedger(repo, ...next), told).toMatchObject({ status: 0 })
      await expectNext(repo, told)
      expect(eventFiles(repo), told).toEqual(expect.arrayContaining(files))
      expect(Object.keys((await shown(repo)).decisions), told).toEqual(
        Object.keys(before.decisions),
      )
    })
  })

  /** The next commit works as usual and includes the ledger. */
  async function expectNext(repo: Repo, told: string): Promise<void> {
    repo.write('next.txt', `${told}\n`)
    repo.git('add', '-A')
    expect(await start(repo, 'git', ['commit', '-q', '-m', 'next']), told).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(await startLedger(repo, 'check', '--rev', 'HEAD'), told).toMatchObject({ status: 0 })
    expect(repo.status(), told).toBe('')
    // What is left is out of sight and no lock.
    expect(repo.exists(`${ROOT}/.synth.lock`), told).toBe(false)
  }

  test('git merge with the driver', async () => {
    const words = ['git', 'merge', '-q', '--no-edit', 'topic']
    const whole = await crash(diverged(), words, -1)
    expect(whole).toMatchObject({ status: 0 })
    await each(steps(whole.effects, 'merge'), async (at) => {
      const repo = diverged()
      const told = `killed before step ${at} of ${whole.effects}`
      const ran = await crash(repo, words, at)
      expect(repo.exists('.git/index.lock'), told).toBe(false)
      if (ran.status !== 0) {
        expect(repo.git('ls-files', '-u'), told).not.toBe('')
        const resolved = await startLedger(repo, 'resolve')
        expect(resolved, told).toMatchObject({ status: 0 })
        repo.git('commit', '-q', '--no-edit')
      }
      await expectWhole(repo)
      expect((await startLedger(repo, 'check', '--rev', 'HEAD')).status, told).toBe(0)
      const items = (await shown(repo)).this_session.map((one) => one.text)
      expect(items, told).toEqual(['base', 't1', 't2', 'm1'])
    })
  })

  const why = 'LEDGER_LONG is not 1'
  test.skipIf(notRunUnless(IS_LONG, 'install, killed at a step', why))('install', async () => {
    const whole = await crash(bare(), ['install'], -1)
    expect(whole).toMatchObject({ status: 0 })
    await each(steps(whole.effects, 'install'), async (at) => {
      const repo = bare()
      const told = `killed before step ${at} of ${whole.effects}`
      expect((await crash(repo, ['install'], at)).status, told).toBe(137)
      // Half installed, git works all the same.
      repo.write('between.txt', 'x\n')
      repo.git('add', 'between.txt')
      expect(repo.tryGit('commit', '-q', '-m', 'between').status, told).toBe(0)
      expect(await startLedger(repo, 'install'), told).toMatchObject({ status: 0 })
      await startLedger(repo, 'event', 'add', '--now', 'new')
      await expectNext(repo, told)
      await expectWhole(repo)
    })
  })

  test.skipIf(notRunUnless(IS_LONG, 'uninstall, killed at a step', why))('uninstall', async () => {
    const before = bare()
    const config = before.read('.git/config')
    const whole = await crash(ownCode(ledgerRepo()), ['uninstall'], -1)
    expect(whole).toMatchObject({ status: 0 })
    await each(steps(whole.effects, 'uninstall'), async (at) => {
      const repo = ownCode(ledgerRepo())
      const told = `killed before step ${at} of ${whole.effects}`
      expect((await crash(repo, ['uninstall'], at)).status, told).toBe(137)
      repo.write('between.txt', 'x\n')
      repo.git('add', 'between.txt')
      expect(repo.tryGit('commit', '-q', '-m', 'between').status, told).toBe(0)
      expect(await startLedger(repo, 'uninstall'), told).toMatchObject({ status: 0 })
      expect(repo.read('.git/config'), told).toBe(config)
      expect(repo.run('find', ['.git/ledger-git']).stdout, told).toBe('')
      expect(repo.tryGit('fsck', '--no-dangling').status, told).toBe(0)
    })
  })
})

describe('nothing is lost when killed at any time', () => {
  const DELAYS = [30, 60, 80, 95, 110, 125, 140, 160, 200]

  test.each([
    ...(IS_LONG ? [['event add --stage', []] as const, ['event add --commit', []] as const] : []),
    ['event add', ['synthesize', '--no-confirm', '--commit']],
  ] as const)('%s', async (text, then) => {
    const repo = filled()
    const added: string[] = []
    await Promise.all(
      DELAYS.map(async (killAfter, i) => {
        const words = [...text.split(' '), '--done', `item${i}`]
        const add = startKilled(repo, killAfter, words)
        if (then.length > 0) await startKilled(repo, killAfter + 20, then)
        const { stdout } = await add
        if (stdout !== '') added.push(stdout.trim())
      }),
    )
    await freeIndex(repo)
    await expectWhole(repo)
    // A path that was printed is the path of an event.
    for (const path of added) expect(repo.exists(path), path).toBe(true)
    expect(readdirSync(join(repo.folder, EVENTS)).filter((name) => name.endsWith('.tmp'))).toEqual(
      readdirSync(join(repo.folder, EVENTS)).filter((name) => name.startsWith('.ledger-git-')),
    )
    const last = await startLedger(repo, 'synthesize', '--no-confirm', '--commit')
    expect(last).toMatchObject({ status: 0 })
    repo.write('next.txt', 'x\n')
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'next')
    expect(await startLedger(repo, 'check', '--rev', 'HEAD')).toMatchObject({ status: 0 })
    expect(repo.status()).toBe('')
  })

  const startKilled = (repo: Repo, killAfter: number, words: readonly string[]) =>
    start(repo, process.execPath, [CLI, ...words], { killAfter })

  /** A git that a killed process had started continues alone. */
  async function freeIndex(repo: Repo): Promise<void> {
    for (let i = 0; i < 100 && repo.exists('.git/index.lock'); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
})
