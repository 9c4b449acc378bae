/** The traces of a merge in a git folder, as each of git's commands writes them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { collectClues, isIndexLocked } from '../../../src/io/merge/merge-evidence.ts'

const [ONE, TWO, THREE] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
]
/** As git before 2.44 leaves them. */
const NO_LABELS = { base: '%S', ours: '%X', theirs: '%Y' }

function gitDir(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** All clues but the last one, which is always the stash. */
function clues(
  files: Record<string, string>,
  given: { env?: NodeJS.ProcessEnv; labels?: Partial<typeof NO_LABELS> } = {},
) {
  const labels = { ...NO_LABELS, ...given.labels }
  const found = collectClues(gitDir(files), given.env ?? {}, labels)
  expect(found.at(-1)).toEqual({ kind: 'pick', commit: 'refs/stash' })
  return found.slice(0, -1)
}

describe('collectClues', () => {
  test('finds only the stash in a folder without traces', () => {
    expect(clues({})).toEqual([])
  })

  test.each([
    ['MERGE_HEAD', 'merge'],
    ['CHERRY_PICK_HEAD', 'pick'],
    ['REVERT_HEAD', 'revert'],
    ['rebase-merge/autostash', 'pick'],
    ['rebase-apply/autostash', 'pick'],
    ['MERGE_AUTOSTASH', 'pick'],
    ['rebase-apply/original-commit', 'pick'],
  ])('finds in %s a %s', (name, kind) => {
    expect(clues({ [name]: `${ONE}\n` })).toEqual([{ kind, commit: ONE }])
  })

  test('finds the heads of an octopus, also in git’s variables, and ignores other variables', () => {
    const env = { [`GITHEAD_${ONE}`]: 'a', [`GITHEAD_${'a'.repeat(64)}`]: 'b', GITHEAD_x: 'c' }
    const long = { kind: 'merge', commit: 'a'.repeat(64) }
    expect(clues({}, { env })).toEqual([{ kind: 'merge', commit: ONE }, long])
    expect(clues({ MERGE_HEAD: `${ONE}\n${TWO}\n` })).toEqual([
      { kind: 'merge', commit: ONE },
      { kind: 'merge', commit: TWO },
    ])
  })

  describe('in the list of a rebase', () => {
    const done = (...lines: string[]) => clues({ 'rebase-merge/done': `${lines.join('\n')}\n` })

    test('takes the last line as the commit that is applied', () => {
      expect(done(`pick ${ONE} first`, `pick ${TWO} second`)).toEqual([
        { kind: 'pick', commit: TWO, isRebased: true },
      ])
    })

    test.each(['pick', 'reword', 'edit', 'squash', 'fixup', 'fixup -C', 'fixup -c', 'p'])(
      'finds a commit after %s',
      (command) => {
        expect(done(`${command} ${ONE.slice(0, 7)} subject`)).toEqual([
          { kind: 'pick', commit: ONE.slice(0, 7), isRebased: true },
        ])
      },
    )

    test('takes no commit from a merge of --rebase-merges: MERGE_HEAD names what is merged', () => {
      expect(done(`pick ${ONE} first`, `merge -C ${TWO} topic # subject`)).toEqual([])
      const files = {
        'rebase-merge/done': `merge -C ${TWO} topic # subject\n`,
        MERGE_HEAD: `${THREE}\n`,
      }
      expect(clues(files)).toEqual([{ kind: 'merge', commit: THREE }])
    })

    test.each([
      'exec make test',
      'break',
      'label onto',
      'reset onto',
      `# pick ${ONE}`,
      'pick short',
    ])('finds nothing in %s', (line) => {
      expect(done(line)).toEqual([])
    })

    test('ignores blank lines and comments at the end', () => {
      expect(done(`pick ${ONE} first`, '', `# pick ${TWO}`, '')).toEqual([
        { kind: 'pick', commit: ONE, isRebased: true },
      ])
    })
  })

  test('takes the first line of a sequencer’s list as its current step', () => {
    const todo = (text: string) => clues({ 'sequencer/todo': text })
    expect(todo(`pick ${ONE} a\npick ${TWO} b\n`)).toEqual([{ kind: 'pick', commit: ONE }])
    expect(todo(`revert ${ONE} a\nrevert ${TWO} b\n`)).toEqual([{ kind: 'revert', commit: ONE }])
  })

  describe('in labels', () => {
    test.each([
      ['abc1234 (a subject)', { kind: 'pick', commit: 'abc1234' }],
      ['parent of abc1234 (a subject)', { kind: 'revert', commit: 'abc1234' }],
      ['topic', { kind: 'merge', commit: 'topic' }],
      ['origin/feature-1~2', { kind: 'merge', commit: 'origin/feature-1~2' }],
    ])('finds a commit: %s', (theirs, clue) => {
      expect(clues({}, { labels: { theirs } })).toEqual([clue])
    })

    test('keeps a base that git names, and takes “parent of …” as a sign of a pick', () => {
      const label = (base: string) => clues({}, { labels: { base, theirs: 'topic' } })
      expect(label('abc1234')).toEqual([{ kind: 'merge', commit: 'topic', base: 'abc1234' }])
      expect(label('merged common ancestors')).toEqual([{ kind: 'merge', commit: 'topic' }])
      expect(label('parent of abc1234')).toEqual([{ kind: 'pick', commit: 'topic' }])
    })

    test.each(['%Y', '', '--output=x', 'a b', ':/fix'])('finds nothing in %s', (theirs) => {
      expect(clues({}, { labels: { theirs } })).toEqual([])
    })
  })

  test('puts the most telling clues first', () => {
    const oid = (n: number) => String(n).repeat(40)
    const files = {
      'rebase-merge/done': `pick ${oid(2)} a\n`,
      'rebase-apply/original-commit': `${oid(3)}\n`,
      'sequencer/todo': `pick ${oid(4)} a\n`,
      MERGE_HEAD: `${oid(6)}\n`,
      CHERRY_PICK_HEAD: `${oid(7)}\n`,
      REVERT_HEAD: `${oid(8)}\n`,
      MERGE_AUTOSTASH: `${oid(9)}\n`,
    }
    const given = { env: { [`GITHEAD_${oid(1)}`]: 'a' }, labels: { theirs: oid(5) } }
    expect(clues(files, given).map(({ commit }) => commit[0])).toEqual([...'123456789'])
  })

  test('ignores a trace that cannot be read', () => {
    const folder = gitDir()
    mkdirSync(join(folder, 'MERGE_HEAD'))
    expect(collectClues(folder, {}, NO_LABELS)).toHaveLength(1)
  })
})

describe('isIndexLocked', () => {
  test('is true while a command holds the index that it works on', () => {
    const folder = gitDir({ 'index.lock': '' })
    expect(isIndexLocked(folder, {})).toBe(true)
    expect(isIndexLocked(folder, { GIT_INDEX_FILE: join(folder, 'other') })).toBe(false)
    expect(isIndexLocked(gitDir(), {})).toBe(false)
    const other = gitDir({ 'other.lock': '' })
    expect(isIndexLocked(other, { GIT_INDEX_FILE: join(other, 'other') })).toBe(true)
  })
})
