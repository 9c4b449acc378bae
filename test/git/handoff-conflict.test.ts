/** Handoffs that git leaves in conflict: the content of the file, and how `resolve` continues. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, ledgerRepo } from '../support/git-repo.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { BROKEN, script } from './broken-driver.ts'
import {
  ALL,
  doneAt,
  expectConflict,
  HANDOFF,
  handoffText,
  PROSE,
  twoSides,
  withItem,
} from './handoff-scene.ts'

builtFrom(
  () => import('../../src/entry/handoff-driver.ts'),
  () => import('../../src/app/merge/resolve-handoffs.ts'),
)

interface Resolved {
  readonly handoffs: readonly { readonly path: string; readonly state: string }[]
}

function resolve(repo: Repo): { status: number; states: string[]; said: string } {
  const { status, stdout, stderr } = repo.tryLedger('resolve', '--json')
  const { handoffs } = JSON.parse(stdout) as Resolved
  expect(handoffs.every(({ path }) => path === HANDOFF)).toBe(true)
  return { status, states: handoffs.map(({ state }) => state), said: stderr }
}

/** A merge by git alone, which ends in a conflict. */
function conflicted(): Repo {
  const repo = twoSides()
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(1)
  return repo
}

test.each(sampleOf(Object.keys(BROKEN), 15))(
  '%s: the merge leaves markers, and resolve settles it',
  (name) => {
    const repo = twoSides()
    const env = BROKEN[name]?.(repo) ?? {}
    const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
    expect(ran.status).toBe(1)
    expectConflict(repo, 'm1', 't1', 't2')
    expect(resolve(repo)).toMatchObject({ status: 0, states: ['merged'] })
    repo.git('commit', '-q', '--no-edit')
    expect(doneAt(repo)).toEqual(ALL)
  },
)

describe('a handoff in conflict', () => {
  test('keeps the markers that the driver itself wrote', () => {
    const repo = twoSides()
    const body = 'printf "<<<<<<< mine\\nm1\\n=======\\nt2\\n>>>>>>> other\\n" >"$3"; exit 1'
    const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: script(body)(repo) })
    expect(ran.status).toBe(1)
    expect(repo.read(HANDOFF)).toBe('<<<<<<< mine\nm1\n=======\nt2\n>>>>>>> other\n')
  })

  test('refuses changes, which resolve would remove, until it is settled', () => {
    const repo = conflicted()
    const before = repo.read(HANDOFF)
    const ran = repo.tryLedger('handoff', 'update', '--next', 'More')
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('is in conflict') })
    expect(ran.stderr).toContain('next: ledger-git resolve')
    expect(repo.read(HANDOFF)).toBe(before)
  })

  test('runs no test command of a phase until it is settled', () => {
    const repo = conflicted()
    const before = repo.read(HANDOFF)
    const ran = repo.tryLedger('handoff', 'phase', 'pass', '1', '--run', 'touch ran')
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('is in conflict') })
    expect(repo.exists('ran')).toBe(false)
    expect(repo.read(HANDOFF)).toBe(before)
  })

  test('refuses changes, which could pull the sides apart, while staged text has markers', () => {
    const repo = conflicted()
    repo.git('add', HANDOFF)
    const before = repo.read(HANDOFF)
    const line = before.split('\n').findIndex((text) => text.startsWith('<<<<<<< ')) + 1
    for (const words of [
      'update auth --now More',
      'complete auth',
      'phase auth pass 1 --run true',
    ]) {
      const ran = repo.tryLedger('handoff', ...words.split(' '))
      expect(ran).toMatchObject({ status: 1, stdout: '' })
      expect(ran.stderr).toContain(`${HANDOFF} has conflict markers at line ${line}\n`)
      expect(ran.stderr).toContain(
        'next: settle them in an editor, then ledger-git handoff check auth',
      )
    }
    expect(repo.read(HANDOFF)).toBe(before)
  })

  test('may show markers as code', () => {
    const repo = twoSides()
    const shown = '```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n```\n'
    repo.write(HANDOFF, `${repo.read(HANDOFF)}\n${shown}`)
    repo.ledger('handoff', 'update', 'auth', '--next', 'More')
    expect(repo.read(HANDOFF)).toContain(shown)
  })

  test('refuses changes below a folder with a non-ASCII name, too', () => {
    const repo = ledgerRepo()
    const path = 'docs/übergabe/auth/current.md'
    repo.write('.ledger-git.yaml', 'ledger:\n  root: docs/übergabe\n')
    repo.write(path, handoffText('m1'))
    const oid = repo.git('hash-object', '-w', path)
    const stages = [1, 2, 3].map((stage) => `100644 ${oid} ${stage}\t${path}\n`).join('')
    repo.run('git', ['update-index', '--index-info'], { input: stages })
    const ran = repo.tryLedger('handoff', 'update', '--next', 'More')
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('is in conflict') })
  })

  test('gets markers when the driver fails, even if its text quotes a marker', () => {
    const repo = twoSides()
    const told = `${repo.read(HANDOFF)}\n\`\`\`\n<<<<<<< ours\n\`\`\`\n`
    repo.commit('told', { [HANDOFF]: told })
    const env = script('exit 1')(repo)
    expect(repo.run('git', ['merge', '--no-edit', 'topic'], { env }).status).toBe(1)
    expectConflict(repo, 'm1', 't1', 't2')
  })

  test('has markers of the size that git asks for, by which the driver’s are recognized', () => {
    const repo = twoSides()
    const attributes = `${repo.read('.gitattributes')}${HANDOFF} conflict-marker-size=5\n`
    repo.commit('attributes', { '.gitattributes': attributes })
    const goal = (word: string) => repo.read(HANDOFF).replace('that expire', word)
    repo.commit('goal', { [HANDOFF]: goal('of ours') })
    const body = 'printf "<<<<< mine\\nm1\\n=====\\nt2\\n>>>>> other\\n" >"$3"; exit 1'
    expect(
      repo.run('git', ['merge', '--no-edit', 'topic'], { env: script(body)(repo) }).status,
    ).toBe(1)
    expect(repo.read(HANDOFF)).toMatch(/^<<<<< mine\nm1\n/)
    repo.git('merge', '--abort')
    const env = { LEDGER_GIT: '0' }
    expect(repo.run('git', ['merge', '--no-edit', 'topic'], { env }).status).toBe(1)
    expect(repo.read(HANDOFF)).toMatch(/^<<<<< ours\n/m)
  })
})

describe('resolve', () => {
  test('replaces markers and prints how to get back the text it replaces', () => {
    const repo = conflicted()
    repo.write(HANDOFF, `${repo.read(HANDOFF)}a line of mine\n`)
    const { status, states, said } = resolve(repo)
    expect([status, states]).toEqual([0, ['merged']])
    const kept = /git show ([0-9a-f]{40})/.exec(said)?.[1] ?? ''
    expect(repo.git('show', kept)).toContain('a line of mine')
    repo.git('commit', '-q', '--no-edit')
    expect(doneAt(repo)).toEqual(ALL)
  })

  test('leaves what a person settled by hand and says how to continue', () => {
    const repo = conflicted()
    const mine = withItem(repo.git('show', `topic:${HANDOFF}`), 'by_hand')
    repo.write(HANDOFF, mine)
    expect(resolve(repo)).toMatchObject({ status: 1, states: ['edited'] })
    expect(repo.read(HANDOFF)).toBe(mine)
    const ran = repo.tryLedger('resolve')
    expect(ran.stdout).toContain(`git add ${HANDOFF}`)
    repo.git('add', HANDOFF)
    expect(resolve(repo)).toMatchObject({ status: 0, states: [] })
  })

  test('keeps a conflict that no section rule settles, and a settlement in progress', () => {
    const repo = twoSides()
    for (const branch of ['topic', 'main']) {
      repo.git('switch', '-q', branch)
      const text = repo.read(HANDOFF).replace(PROSE, `The tokens of ${branch}.`)
      repo.commit(`prose of ${branch}`, { [HANDOFF]: text })
    }
    expect(repo.tryGit('merge', '--no-edit', 'topic').status).toBe(1)
    expectConflict(
      repo,
      'The tokens of main.',
      'The tokens of topic.',
      '- [x] m1',
      '- [x] t1',
      '- [x] t2',
    )
    const left = repo.read(HANDOFF)
    expect(resolve(repo)).toMatchObject({ status: 1, states: ['conflict'] })
    expect(repo.read(HANDOFF)).toBe(left)
    const begun = left.replace('- [x] base\n', '- [x] base\n- [x] begun\n')
    repo.write(HANDOFF, begun)
    expect(resolve(repo)).toMatchObject({ status: 1, states: ['conflict'] })
    expect(repo.read(HANDOFF)).toBe(begun)
    // A file that git left without markers gets them.
    repo.git('checkout', '-q', '--ours', '--', HANDOFF)
    expect(resolve(repo)).toMatchObject({ status: 1, states: ['conflict'] })
    expect(repo.read(HANDOFF)).toBe(left)
    rmSync(join(repo.folder, HANDOFF))
    expect(resolve(repo)).toMatchObject({ status: 1, states: ['conflict'] })
    expect(repo.read(HANDOFF)).toBe(left)
  })

  longTest('writes the line endings of a checkout', () => {
    const repo = conflicted()
    repo.git('config', 'core.autocrlf', 'true')
    expect(resolve(repo)).toMatchObject({ status: 0, states: ['merged'] })
    expect(repo.read(HANDOFF)).not.toMatch(/[^\r]\n/)
    repo.git('commit', '-q', '--no-edit')
    expect(doneAt(repo)).toEqual(ALL)
  })

  test('continues after it was killed between the file and the index', () => {
    const repo = conflicted()
    const merged = repo.git('merge-tree', '--write-tree', 'main', 'topic').split('\n')[0] ?? ''
    repo.write(HANDOFF, `${repo.git('show', `${merged}:${HANDOFF}`)}\n`)
    expect(resolve(repo)).toMatchObject({ status: 0, states: ['merged'], said: '' })
    repo.git('commit', '-q', '--no-edit')
    expect(doneAt(repo)).toEqual(ALL)
  })
})

test('resolve prints a path from a branch without its control characters', () => {
  const path = HANDOFF.replace('auth', 'a\u001b[31mb')
  const repo = twoSides(path)
  const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env: { LEDGER_GIT: '0' } })
  expect(ran.status).toBe(1)
  const { stdout } = repo.tryLedger('resolve')
  expect(stdout).toContain('[31mb/current.md: merged and staged\n')
  expect(stdout).not.toContain('\u001b')
  repo.git('commit', '-q', '--no-edit')
  expect(doneAt(repo, 'HEAD', path)).toEqual(ALL)
})

test('the handoff driver merges as text with LEDGER_GIT=0 and fails on missing arguments', () => {
  const repo = twoSides()
  for (const [name, revision] of [
    ['O', 'main~1'],
    ['A', 'main'],
    ['B', 'topic'],
  ] as const) {
    repo.write(name, `${repo.git('show', `${revision}:${HANDOFF}`)}\n`)
  }
  const drive = (env: NodeJS.ProcessEnv, ...words: string[]) =>
    repo.run(process.execPath, [CLI, 'handoff-driver', ...words], { env })
  expect(drive({}, 'O', 'A')).toMatchObject({ status: 2, stdout: '' })
  expect(drive({ LEDGER_GIT: '0' }, 'O', 'A', 'B', '9', HANDOFF).status).toBe(1)
  expect(repo.read('A')).toMatch(/^<{9} ours$/m)
})

test('preview names the handoffs that a merge changes, adds, removes or leaves in conflict', () => {
  const repo = twoSides()
  const named = (name: string) => HANDOFF.replace('auth', name)
  repo.commit('more', { [named('old')]: 'old\n', [named('prose')]: 'base\n' })
  repo.git('switch', '-q', 'topic')
  repo.git('merge', '-q', '--no-edit', 'main')
  repo.git('rm', '-q', named('old'))
  repo.commit('topic', {
    [HANDOFF]: withItem(repo.read(HANDOFF), 't3'),
    [named('new')]: 'new\n',
    [named('prose')]: 'topic\n',
  })
  repo.git('switch', '-q', 'main')
  repo.commit('main', {
    [HANDOFF]: withItem(repo.read(HANDOFF), 'm2'),
    [named('prose')]: 'main\n',
  })
  const before = [repo.status(), repo.git('rev-parse', 'HEAD')]
  const { handoffs } = JSON.parse(repo.ledger('preview', 'topic', '--json')) as Resolved
  expect(handoffs).toEqual([
    { name: 'auth', path: HANDOFF, change: 'changed' },
    { name: 'new', path: named('new'), change: 'added' },
    { name: 'old', path: named('old'), change: 'removed' },
    { name: 'prose', path: named('prose'), change: 'conflict' },
  ])
  expect(repo.ledger('preview', 'topic').split('\n')).toEqual([
    'no change in the ledger',
    'handoff auth: changed',
    'handoff new: added',
    'handoff old: removed',
    'handoff prose: conflict, a person has to settle it',
  ])
  expect([repo.status(), repo.git('rev-parse', 'HEAD')]).toEqual(before)
})

longTest('an invalid NODE_OPTIONS does not reach the driver', () => {
  const repo = twoSides()
  const env = { NODE_OPTIONS: '--no-such-option', LEDGER_TEST_OWN_PROCESS: '1' }
  expect(repo.run('git', ['merge', '-q', '--no-edit', 'topic'], { env })).toMatchObject({
    status: 0,
  })
  expect(doneAt(repo, 'HEAD')).toEqual(ALL)
})
