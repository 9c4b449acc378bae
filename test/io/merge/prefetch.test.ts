/** What git says while Node starts: right or not used, and the merge is the same without it. */

import { chmodSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LookAhead } from '../../../src/io/merge/prefetch.ts'
import { parseLookAhead, readLookAhead } from '../../../src/io/merge/prefetch.ts'
import { diverged, work } from '../../git/scene.ts'
import type { Repo } from '../../support/git-repo.ts'
import { CLI, CURRENT, EVENTS, Sandbox } from '../../support/git-repo.ts'
import { hasScript, notRunUnless } from '../../support/not-run.ts'

const [HEAD, THEIRS, BASE] = ['a', 'b', 'c'].map((char) => char.repeat(40)) as [
  string,
  string,
  string,
]

const object = (oid: string, type: string, text: string) =>
  `${oid} ${type} ${Buffer.byteLength(text)}\n${text}\n`
const [TREE, ADDED] = ['d', 'e'].map((char) => char.repeat(40)) as [string, string]
const ADDITION = `:${'0'.repeat(6)} 100644 ${'0'.repeat(40)} ${ADDED} A\tan event é.md`
const MERGED = `merged ${THEIRS} ${BASE} ${TREE}\n${ADDITION}\ntexts ${BASE} ${HEAD} ${THEIRS}\n`
const HEADER = `merge-base ${THEIRS} ${BASE}\n${MERGED}index-equals-head 0\n=HEAD^{commit}\n=HEAD:a b/é\n=HEAD:gone\n\n`
const ANSWERS =
  object(HEAD, 'commit', 'tree x\n\n=no\n') + object(BASE, 'tree', 'é\n\n') + 'HEAD:gone missing\n'

describe('reading it', () => {
  test('all of it', () => {
    const ahead = parseLookAhead(Buffer.from(HEADER + ANSWERS))
    expect([...(ahead?.mergeBases ?? [])]).toEqual([[THEIRS, [BASE]]])
    expect(ahead?.indexEqualsHead).toBe(true)
    expect([...(ahead?.objects.keys() ?? [])]).toEqual(['HEAD^{commit}', 'HEAD:a b/é', 'HEAD:gone'])
    expect([...(ahead?.objects.values() ?? [])].map((one) => one?.oid)).toEqual([
      HEAD,
      BASE,
      undefined,
    ])
    expect(ahead?.texts).toEqual({ base: BASE, ours: HEAD, theirs: THEIRS })
    const name = Buffer.from('an event é.md').toString('latin1')
    const added = [{ mode: '100644', name, oid: ADDED }]
    expect(ahead?.merged).toEqual({ base: BASE, theirs: THEIRS, eventsTree: TREE, added })
  })

  test.each([
    ['nothing', '', []],
    ['a folder', ADDITION.replace('100644', '040000'), [{ mode: '40000' }]],
    ['an event that was changed', ADDITION.replace(' A\t', ' M\t'), undefined],
    ['an event that was archived', `${ADDITION}\n${ADDITION.replace(' A\t', ' D\t')}`, undefined],
    ['a name in quotes', ADDITION.replace('an event', '"an\\"event'), undefined],
    ['noise', ':', undefined],
  ])('what git has merged, with %s', (_name, lines, added) => {
    const text = `merged ${THEIRS} ${BASE} ${TREE}\n${lines}${lines === '' ? '' : '\n'}\n`
    const { merged } = parseLookAhead(Buffer.from(text)) ?? {}
    expect(merged).toMatchObject({ base: BASE, theirs: THEIRS, eventsTree: TREE })
    if (added === undefined) expect(merged?.added).toBeUndefined()
    else expect(merged?.added).toMatchObject(added)
  })

  test.each([
    ['SHA-1', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
    ['SHA-256', '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'],
  ])('an empty tree (%s) counts as nothing: so a lost index looks', (_name, tree) => {
    const text = `merged ${THEIRS} ${BASE} ${tree}\n\n`
    expect(parseLookAhead(Buffer.from(text))).toMatchObject({ merged: undefined })
  })

  test('of an octopus nothing counts as merged', () => {
    const line = `merged ${THEIRS} ${BASE} ${TREE}\n`
    expect(parseLookAhead(Buffer.from(`${line}\n`))?.merged).toBeDefined()
    expect(parseLookAhead(Buffer.from(`${line}${line}\n`))?.merged).toBeUndefined()
  })

  test('cut off anywhere: nothing, or the same', () => {
    const bytes = Buffer.from(HEADER + ANSWERS)
    const whole = parseLookAhead(bytes)
    for (let length = 0; length < bytes.length; length++) {
      const ahead = parseLookAhead(bytes.subarray(0, length))
      if (ahead !== undefined) expect(ahead, String(length)).toEqual(whole)
    }
  })

  test.each([
    ['nothing', '', undefined],
    ['no empty line', 'index-equals-head 0\n', undefined],
    ['fewer answers than questions', `=a\n=b\n\na missing\n`, undefined],
    ['only an empty line', '\n\n', { bases: [], isEqual: false }],
    ['git could not compare', 'index-equals-head 128\n\n', { bases: [], isEqual: false }],
    ['the index differs', 'index-equals-head 1\n\n', { bases: [], isEqual: false }],
    ['no word', 'index-equals-head\n\n', { bases: [], isEqual: false }],
    ['unrelated histories', `merge-base ${THEIRS}\n\n`, { bases: [[THEIRS, []]], isEqual: false }],
    ['no head', 'merge-base\n\n', { bases: [], isEqual: false }],
    ['words of a newer launcher', 'new thing 0\n\n', { bases: [], isEqual: false }],
  ] as const)('%s', (_name, text, expected) => {
    const ahead = parseLookAhead(Buffer.from(text))
    const read = ahead && { bases: [...ahead.mergeBases], isEqual: ahead.indexEqualsHead }
    expect(read).toEqual(expected)
  })

  test('is not tried where the launcher does not say so', () => {
    expect(readLookAhead({})).toBeUndefined()
    expect(readLookAhead({ LEDGER_GIT_LOOK_AHEAD: '0' })).toBeUndefined()
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

const KINDS = {
  /** The driver gets nothing ahead. */
  unset: [['export LEDGER_GIT_LOOK_AHEAD=1', 'unset LEDGER_GIT_LOOK_AHEAD; export']],
  /** What it gets is written down. */
  merged: [['2>/dev/null | start', '2>/dev/null | tee "$here/seen" | start']],
  /** The same, as with thousands of events: folders instead of their merge. */
  folders: [
    ['2>/dev/null | start', '2>/dev/null | tee "$here/seen" | start'],
    ['-lt 131072', '-lt 0'],
  ],
} as const

function changeLauncher(repo: Repo, kind: keyof typeof KINDS): void {
  const path = '.git/ledger-git/run'
  for (const [words, others] of KINDS[kind]) {
    const text = repo.read(path)
    expect(text).toContain(words)
    repo.write(path, text.replace(words, others))
  }
  chmodSync(`${repo.folder}/${path}`, 0o755)
}

describe('a real merge', () => {
  test.each([
    ['a root with spaces', () => twoSides('my notes/the ledger'), 'my notes/the ledger/current.md'],
    ['a root that is not ASCII', () => twoSides('nötes/日本'), 'nötes/日本/current.md'],
    ['odd characters', () => twoSides("a'b $HOME [x]*"), "a'b $HOME [x]*/current.md"],
    ['SHA-256', () => diverged('--object-format=sha256'), CURRENT],
  ])('%s: the same ledger with it and without', (_name, make, current) => {
    const repo = make()
    const before = repo.git('rev-parse', 'HEAD')
    const original = repo.read('.git/ledger-git/run')
    const ahead: Partial<Record<keyof typeof KINDS, LookAhead | undefined>> = {}
    const texts = (['unset', 'merged', 'folders'] as const).map((kind) => {
      repo.git('reset', '-q', '--hard', before)
      repo.run('rm', ['-rf', '.git/ledger-git/cache'])
      repo.write('.git/ledger-git/run', original)
      changeLauncher(repo, kind)
      repo.git('merge', '-q', '--no-edit', 'topic')
      const seen = `${repo.folder}/.git/ledger-git/seen`
      if (kind !== 'unset') ahead[kind] = parseLookAhead(readFileSync(seen))
      return repo.read(current)
    })
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('- [x] t1')
    expect(texts[0]).toContain('- [x] m1')
    const base = repo.git('merge-base', before, 'topic')
    const blobs = [base, before, 'topic'].map((at) => repo.git('rev-parse', `${at}:${current}`))
    for (const [kind, count] of [
      ['merged', 3],
      ['folders', 6],
    ] as const) {
      const said = ahead[kind]
      const folders = [...(said?.objects ?? [])].filter(([name]) => name.includes(':'))
      expect(folders).toHaveLength(count)
      for (const [name, found] of folders) expect(found?.type, name).toBe('tree')
      expect(said?.indexEqualsHead).toBe(true)
      expect([...(said?.mergeBases.values() ?? [])]).toEqual([[base]])
      expect(Object.values(said?.texts ?? {})).toEqual(blobs)
    }
    const events = (revision: string) =>
      repo.git('rev-parse', `${revision}:${current.replace('current.md', 'events')}`)
    const merged = ahead.merged?.merged
    expect(merged?.eventsTree).toBe(events('HEAD'))
    expect(merged).toMatchObject({ base, theirs: repo.git('rev-parse', 'topic') })
    expect(merged?.added?.length).toBeGreaterThan(0)
    expect(ahead.folders?.merged).toBeUndefined()
    expect(readdirSync(`${repo.folder}/.git/ledger-git/cache`).join(' ')).not.toMatch(/merge-/)
  })

  test('it does not hold files that are no events', () => {
    const repo = diverged()
    repo.git('switch', '-q', 'topic')
    repo.write(`${EVENTS}/video.bin`, 'not an event')
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'a file')
    repo.git('switch', '-q', 'main')
    changeLauncher(repo, 'merged')
    repo.git('merge', '-q', '--no-edit', 'topic')
    const ahead = parseLookAhead(readFileSync(`${repo.folder}/.git/ledger-git/seen`))
    const contents = [...(ahead?.objects.values() ?? [])].map((one) => one?.content.toString())
    expect(contents.filter((text) => text?.includes('- t2'))).toHaveLength(1)
    expect(contents).not.toContain('not an event')
    expect(ahead?.merged?.added?.map(({ name }) => name)).toContain('video.bin')
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  test.each(['GIT_ICASE_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS'])(
    '%s of the user does not stop it',
    (name) => {
      const repo = diverged()
      const words = ['merge', '-q', '--no-edit', 'topic']
      const ran = repo.run('git', words, { env: { [name]: '1' } })
      expect(ran).toMatchObject({ status: 0, stderr: '' })
    },
  )

  test('what killed merges left goes', () => {
    const repo = diverged()
    const [old, young] = ['merge-4194305-old', 'merge-4194305-young'].map((name) => {
      const path = `.git/ledger-git/cache/${name}`
      repo.write(path, 'an index')
      return path
    }) as [string, string]
    const then = Date.now() / 1000 - 7200
    utimesSync(`${repo.folder}/${old}`, then, then)
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect([old, young].map((path) => repo.exists(path))).toEqual([false, true])
  })

  test('where the driver cannot start, nothing is left of it', () => {
    const repo = diverged()
    const env = { LEDGER_GIT_BIN: `${repo.sandbox.folder}/broken.cjs` }
    repo.write('../broken.cjs', 'process.exit(70)\n')
    const ran = repo.run('git', ['merge', '-q', '--no-edit', 'topic'], { env })
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('was merged as text')
    expect(readdirSync(`${repo.folder}/.git/ledger-git/cache`).join(' ')).not.toMatch(/merge-/)
  })

  test.skipIf(notRunUnless(hasScript(), 'a driver on a terminal', 'there is no script(1) here'))(
    'on a terminal it does not wait for input',
    () => {
      const repo = diverged()
      const words = ['-qec', 'git merge -q --no-edit topic', '/dev/null']
      expect(repo.run('timeout', ['60', 'script', ...words]).status).toBe(0)
      expect(repo.read(CURRENT)).toContain('- [x] t2')
    },
  )

  test.each(['git merge -q --no-edit topic <&-', 'git merge -q --no-edit topic </dev/null'])(
    '%s',
    (command) => {
      const repo = diverged()
      expect(repo.run('timeout', ['60', 'sh', '-c', command])).toMatchObject({
        status: 0,
        stderr: '',
      })
      expect(repo.read(CURRENT)).toContain('- [x] t2')
    },
  )

  test.each([
    ['closed', '<&-'],
    ['empty', '</dev/null'],
    ['a folder', '<.'],
    ['noise', '<README.md'],
  ])('the driver alone, told to look, with a standard input that is %s', (_name, redirect) => {
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
    const env = { LEDGER_GIT_LOOK_AHEAD: '1' }
    const ran = repo.run('timeout', ['60', 'sh', '-c', script, 'sh', ...driver], { env })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(repo.read('../ours')).toContain('- [x] t2')
    expect(repo.read('../ours')).toContain('- [x] m1')
  })
})
