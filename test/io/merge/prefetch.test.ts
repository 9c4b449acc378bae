/** What git answers while Node starts: it is correct or not used, and the merge is the same without it. */

import { chmodSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parsePrefetched as parseBytes, readPrefetched } from '../../../src/io/merge/prefetch.ts'
import { gitStarts } from '../../sessions/count-starts.ts'
import { diverged, note, ONLY_DECISIONS, work } from '../../git/scene.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, ledgerRepo, Sandbox } from '../../support/git-repo.ts'
import { hasScript, notRunUnless } from '../../support/not-run.ts'
import { longTest, sampleOf } from '../../support/long.ts'

const [THEIRS, BASE, OTHER] = ['b', 'c', 'd'].map((char) => char.repeat(40)) as [
  string,
  string,
  string,
]
const parsePrefetched = (text: string | Buffer) => parseBytes(Buffer.from(text))
const LINE = `merge-base ${THEIRS} ${BASE}\n`

describe('parsing the answers', () => {
  test('returns all of them', () => {
    const said = parsePrefetched(`${LINE}merge-base ${OTHER} ${BASE} ${OTHER}\nindex-equals-head\n`)
    expect(said.indexEqualsHead).toBe(true)
    expect(said.mergeBases.get(THEIRS)).toEqual([BASE])
    expect(said.mergeBases.get(OTHER)).toEqual([BASE, OTHER])
  })

  test('has no answer to what was not asked', () => {
    const said = parsePrefetched(LINE)
    expect(said.indexEqualsHead).toBe(false)
    expect(said.mergeBases.get(BASE)).toBeUndefined()
  })

  test('returns the same or nothing if they are cut off anywhere', () => {
    const text = `${LINE}index-equals-head\n`
    for (let length = 0; length < text.length; length++) {
      const said = parsePrefetched(text.slice(0, length))
      expect(said.indexEqualsHead, String(length)).toBe(false)
      expect([undefined, [BASE]]).toContainEqual(said.mergeBases.get(THEIRS))
    }
  })

  test.each([
    ['unrelated histories', `merge-base ${THEIRS}\n`],
    ['no other commit', `merge-base  ${THEIRS}\n`],
    ['words of a newer launcher', `merge-base-2 ${THEIRS} ${BASE}\nindex-equals-head 1\n`],
  ])('finds no merge base in %s', (_name, text) => {
    const said = parsePrefetched(text)
    expect(said.indexEqualsHead).toBe(false)
    expect(said.mergeBases.get(THEIRS)).toBeUndefined()
  })

  const HELD = `${OTHER} blob 5\n\n\nabc\n`
  const OBJECTS = `\nobjects\nHEAD:x\nHEAD:y\n\n${HELD}HEAD:y missing\n${THEIRS} tree 0\n\n`

  test('returns objects by the names that were asked, and by their ids', () => {
    const { objects, indexEqualsHead } = parsePrefetched(`index-equals-head\n${OBJECTS}`)
    expect(indexEqualsHead).toBe(true)
    expect(String(objects.get('HEAD:x')?.content)).toBe('\n\nabc')
    expect(objects.get(OTHER)).toBe(objects.get('HEAD:x'))
    expect(objects.has('HEAD:y')).toBe(true)
    expect(objects.get('HEAD:y')).toBeUndefined()
    expect(objects.get(THEIRS)?.type).toBe('tree')
    expect([...objects.keys()]).toHaveLength(4)
  })

  test('returns the same objects or none if they are cut off anywhere', () => {
    const whole = parsePrefetched(OBJECTS).objects
    for (let length = 0; length < OBJECTS.length; length++) {
      const { objects } = parsePrefetched(OBJECTS.slice(0, length))
      for (const [name, object] of objects) expect(object, String(length)).toEqual(whole.get(name))
    }
    const isWhole = (length: number) => parsePrefetched(OBJECTS.slice(0, length)).objects.size === 4
    expect([OBJECTS.length, OBJECTS.length - 1, OBJECTS.length - 2].map(isWhole)).toEqual([
      true,
      true,
      false,
    ])
  })

  test('happens only if the launcher announces them', () => {
    expect(readPrefetched({}).indexEqualsHead).toBe(false)
    expect(readPrefetched({ LEDGER_GIT_PREFETCH: '0' }).indexEqualsHead).toBe(false)
  })
})

/** main and topic with an event each, in a ledger at `root`. */
function twoSides(root: string, ...initArgs: string[]): Repo {
  const repo = new Sandbox().init('repo', ...initArgs)
  repo.commit('init', { '.ledger-git.yaml': `ledger:\n  root: ${JSON.stringify(root)}\n` })
  repo.install()
  work(repo, 'base', {}, root)
  repo.git('switch', '-q', '-c', 'topic')
  work(repo, 't1', {}, root)
  repo.git('switch', '-q', 'main')
  work(repo, 'm1', {}, root)
  return repo
}

/** `unset`: the driver gets no answers ahead; `seen`: what it gets is recorded. */
const KINDS = {
  unset: ['export LEDGER_GIT_PREFETCH=1', 'unset LEDGER_GIT_PREFETCH'],
  seen: ['2>/dev/null | start', '2>/dev/null | tee "$here/seen" | start'],
} as const

function changeLauncher(repo: Repo, kind: keyof typeof KINDS): void {
  const path = '.git/ledger-git/run'
  const [words, others] = KINDS[kind]
  const text = repo.read(path)
  expect(text).toContain(words)
  repo.write(path, text.replace(words, others))
  chmodSync(`${repo.folder}/${path}`, 0o755)
}

/** Two branches with an event each, besides many that both have and whose state is cached. */
function manyAndOne(): Repo {
  const repo = ledgerRepo()
  for (let i = 0; i < 60; i++) note(repo, `old${i}`)
  work(repo, 'base')
  repo.ledger('check', '--rev', 'HEAD')
  repo.git('switch', '-q', '-c', 'topic')
  work(repo, 't1', { decisions: {} })
  repo.git('switch', '-q', 'main')
  work(repo, 'm1', { decisions: {} })
  return repo
}

const isOfDriver = (words: string) =>
  /^(?:cat-file|merge-base|rev-list|hash-object|ls-files|log|--literal-pathspecs)/.test(words)

describe('with a cached state', () => {
  test('a merge asks git only what the launcher asks', () => {
    const repo = manyAndOne()
    const starts = gitStarts(repo)
    repo.git('-c', 'core.hooksPath=/dev/null', 'merge', '-q', '--no-edit', 'topic')
    const asked = starts().filter(isOfDriver)
    expect(asked.map((words) => words.replace(/ [0-9a-f]{40}.*/, ' THEIRS')).toSorted()).toEqual([
      `--literal-pathspecs diff-index --cached --quiet HEAD -- ${CURRENT} ${EVENTS}`,
      'cat-file --batch --buffer',
      'merge-base --all HEAD THEIRS',
      'rev-list --objects --no-object-names --stdin',
    ])
    expect(repo.read(CURRENT)).toContain('- [x] t1')
  })

  longTest('a step of a rebase asks git only what the launcher asks', () => {
    const repo = manyAndOne()
    repo.git('switch', '-q', 'topic')
    const starts = gitStarts(repo)
    repo.git('-c', 'core.hooksPath=/dev/null', 'rebase', '-q', 'main')
    const asked = starts().filter(isOfDriver)
    expect(asked.map((words) => words.split(' ').slice(0, 2).join(' ')).toSorted()).toEqual([
      '--literal-pathspecs diff-index',
      'cat-file --batch',
      'rev-list --objects',
    ])
    expect(repo.read(CURRENT)).toContain('- [x] m1')
  })
})

longTest(
  'in a partial clone the launcher asks for no events, as git would fetch each of them separately',
  () => {
    const origin = manyAndOne()
    origin.git('config', 'uploadpack.allowFilter', 'true')
    origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    const { sandbox } = origin
    const url = `file://${origin.folder}`
    sandbox.at(sandbox.folder).git('clone', '-q', '--filter=blob:none', url, 'partial')
    const repo = sandbox.at(`${sandbox.folder}/partial`)
    repo.install()
    repo.ledger('check', '--rev', 'HEAD')
    changeLauncher(repo, 'seen')
    const starts = gitStarts(repo)
    repo.git('-c', 'core.hooksPath=/dev/null', 'merge', '-q', '--no-edit', 'origin/topic')
    expect(starts().filter((words) => words.includes(' fetch ')).length).toBeLessThanOrEqual(3)
    const { objects } = parsePrefetched(readFileSync(`${repo.folder}/.git/ledger-git/seen`))
    expect(objects.size).toBeGreaterThan(6)
    expect([...objects.values()].filter((object) => object?.type === 'blob')).toEqual([])
    expect(repo.read(CURRENT)).toContain('- [x] t1')
  },
)

describe('a real merge', () => {
  // The odd characters include spaces.
  const PLACES: [string, () => Repo, string][] = [
    ['odd characters', () => twoSides("a'b $HOME [x]*"), "a'b $HOME [x]*/current.md"],
    ['a root with spaces', () => twoSides('my notes/the ledger'), 'my notes/the ledger/current.md'],
    ['a root that is not ASCII', () => twoSides('nötes/日本'), 'nötes/日本/current.md'],
    ['SHA-256', () => diverged('--object-format=sha256'), CURRENT],
  ]
  longTest.each(PLACES)('gives the same ledger without the answers: %s', (_name, make, current) => {
    const repo = make()
    const before = repo.git('rev-parse', 'HEAD')
    const original = repo.read('.git/ledger-git/run')
    const texts = (['unset', 'seen'] as const).map((kind) => {
      repo.git('reset', '-q', '--hard', before)
      repo.run('rm', ['-rf', '.git/ledger-git/cache'])
      repo.write('.git/ledger-git/run', original)
      changeLauncher(repo, kind)
      repo.git('merge', '-q', '--no-edit', 'topic')
      return repo.read(current)
    })
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('- [x] t1')
    expect(texts[0]).toContain('- [x] m1')
    const said = parsePrefetched(readFileSync(`${repo.folder}/.git/ledger-git/seen`))
    const base = repo.git('merge-base', before, 'topic')
    expect(said.indexEqualsHead).toBe(true)
    expect(said.mergeBases.get(repo.git('rev-parse', 'topic'))).toEqual([base])
  })

  test.each(sampleOf(['GIT_ICASE_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS'], 3))(
    'is not disturbed by %s',
    (name) => {
      const repo = diverged()
      const words = ['merge', '-q', '--no-edit', 'topic']
      const ran = repo.run('git', words, { env: { [name]: '1' } })
      expect(ran).toMatchObject({ status: 0, stderr: ONLY_DECISIONS })
    },
  )

  test.skipIf(notRunUnless(hasScript(), 'a driver on a terminal', 'there is no script(1) here'))(
    'does not wait for input on a terminal',
    () => {
      const repo = diverged()
      const words = ['-qec', 'git merge -q --no-edit topic', '/dev/null']
      expect(repo.run('timeout', ['60', 'script', ...words]).status).toBe(0)
      expect(repo.read(CURRENT)).toContain('- [x] t2')
    },
  )

  test.each(['git merge -q --no-edit topic <&-', 'git merge -q --no-edit topic </dev/null'])(
    'works: %s',
    (command) => {
      const repo = diverged()
      expect(repo.run('timeout', ['60', 'sh', '-c', command])).toMatchObject({
        status: 0,
        stderr: ONLY_DECISIONS,
      })
      expect(repo.read(CURRENT)).toContain('- [x] t2')
    },
  )

  const INPUTS = [
    ['closed', '<&-'],
    ['empty', '</dev/null'],
    ['a folder', '<.'],
    ['noise', '<README.md'],
  ]
  test.each(sampleOf(INPUTS, 4))(
    'works when the driver expects answers on a standard input that is %s',
    (_name, redirect) => {
      const repo = diverged()
      for (const [name, revision] of [
        ['base', 'topic~2'],
        ['ours', 'HEAD'],
        ['theirs', 'topic'],
      ] as const) {
        repo.write(`../${name}`, `${repo.git('show', `${revision}:${CURRENT}`)}\n`)
      }
      const script = `exec "$@" ${redirect}`
      const driver = [
        process.execPath,
        CLI,
        'merge-driver',
        '../base',
        '../ours',
        '../theirs',
        '7',
        CURRENT,
      ]
      const env = { LEDGER_GIT_PREFETCH: '1' }
      const ran = repo.run('timeout', ['60', 'sh', '-c', script, 'sh', ...driver], { env })
      expect(ran).toMatchObject({ status: 0, stderr: ONLY_DECISIONS })
      expect(repo.read('../ours')).toContain('- [x] t2')
      expect(repo.read('../ours')).toContain('- [x] m1')
    },
  )
})
