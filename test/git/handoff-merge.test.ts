/** However git combines two versions of a handoff, nothing that either side said is lost. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo, ROOT } from '../support/git-repo.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'
import {
  ALL,
  doneAt,
  doneIn,
  expectConflict,
  HANDOFF,
  handoffText,
  twoSides,
  withItem,
  workOn,
} from './handoff-scene.ts'

builtFrom(() => import('../../src/entry/handoff-driver.ts'))

function onTopic(repo: Repo, ...words: string[]): void {
  repo.git('switch', '-q', 'topic')
  repo.git(...words)
}

function interactive(repo: Repo, script: string): void {
  repo.git('switch', '-q', 'topic')
  const env = { GIT_SEQUENCE_EDITOR: `sed -i -e '${script}'` }
  const ran = repo.run('git', ['rebase', '-q', '-i', 'main'], { env })
  expect(ran.status, ran.stderr).toBe(0)
}

/** A way to bring the sides together, and what is done in HEAD afterwards. `isShort`: part of the plain run. */
interface Way {
  readonly name: string
  readonly isShort?: boolean
  readonly done: readonly string[]
  bring(repo: Repo): void
}

const WAYS: readonly Way[] = [
  {
    name: 'merge',
    isShort: true,
    done: ALL,
    bring: (repo) => repo.git('merge', '-q', '--no-edit', 'topic'),
  },
  {
    name: 'merge -s recursive, which fills the worktree first',
    done: ALL,
    bring: (repo) => repo.git('merge', '-q', '--no-edit', '-s', 'recursive', 'topic'),
  },
  {
    name: 'merge --no-ff of what is ahead',
    done: ['base', 't1', 't2'],
    bring: (repo) => {
      repo.git('reset', '-q', '--hard', 'HEAD~1')
      repo.git('merge', '-q', '--no-ff', '--no-edit', 'topic')
    },
  },
  {
    name: 'merge --squash',
    done: ALL,
    bring: (repo) => {
      repo.git('merge', '-q', '--squash', 'topic')
      repo.git('commit', '-q', '-m', 'squashed')
    },
  },
  {
    name: 'criss-cross: the virtual ancestor is merged by sections, too',
    done: ['base', 'm1', 'm2', 't1', 't2', 't3'],
    bring: (repo) => {
      const [main, topic] = [repo.git('rev-parse', 'main'), repo.git('rev-parse', 'topic')]
      repo.git('merge', '-q', '--no-edit', topic)
      workOn(repo, 'm2')
      onTopic(repo, 'merge', '-q', '--no-edit', main)
      workOn(repo, 't3')
      repo.git('merge', '-q', '--no-edit', 'main')
    },
  },
  {
    name: 'rebase --merge',
    done: ALL,
    bring: (repo) => onTopic(repo, 'rebase', '-q', '--merge', 'main'),
  },
  {
    name: 'rebase --apply',
    isShort: true,
    done: ALL,
    bring: (repo) => onTopic(repo, 'rebase', '-q', '--apply', 'main'),
  },
  {
    name: 'rebase -i with fixup',
    done: ALL,
    bring: (repo) => interactive(repo, '2s/^pick/fixup/'),
  },
  {
    name: 'rebase -i with drop',
    done: ['base', 'm1', 't2'],
    bring: (repo) => interactive(repo, '1s/^pick/drop/'),
  },
  {
    name: 'rebase --autostash of an edit that is in no commit',
    done: [...ALL, 'u1'],
    bring: (repo) => {
      repo.git('switch', '-q', 'topic')
      repo.write(HANDOFF, withItem(repo.read(HANDOFF), 'u1'))
      repo.git('rebase', '-q', '--autostash', 'main')
      repo.git('commit', '-q', '-a', '-m', 'u1')
    },
  },
  {
    name: 'cherry-pick',
    isShort: true,
    done: ['base', 'm1', 't2'],
    bring: (repo) => repo.git('cherry-pick', 'topic'),
  },
  {
    name: 'cherry-pick of a range',
    done: ALL,
    bring: (repo) => repo.git('cherry-pick', 'main~1..topic'),
  },
  {
    name: 'cherry-pick -n of a range',
    done: ALL,
    bring: (repo) => {
      repo.git('cherry-pick', '-n', 'main~1..topic')
      repo.git('commit', '-q', '-m', 'picked')
    },
  },
  {
    name: 'revert of the last commit but one',
    isShort: true,
    done: ['base', 't2'],
    bring: (repo) => onTopic(repo, 'revert', '--no-edit', 'HEAD~1'),
  },
  {
    name: 'stash pop',
    done: ['base', 'm1', 'u1'],
    bring: (repo) => {
      repo.git('reset', '-q', '--hard', 'HEAD~1')
      repo.write(HANDOFF, withItem(repo.read(HANDOFF), 'u1'))
      repo.git('stash', '-q')
      workOn(repo, 'm1')
      repo.git('stash', 'pop', '-q')
      repo.git('commit', '-q', '-a', '-m', 'u1')
    },
  },
  {
    name: 'am -3',
    done: ALL,
    bring: (repo) => {
      const folder = join(repo.sandbox.folder, 'patches')
      repo.git('format-patch', '-q', '-o', folder, 'main~1..topic')
      const patches = readdirSync(folder).toSorted()
      repo.git('am', '-q', '-3', ...patches.map((name) => join(folder, name)))
    },
  },
  {
    name: 'checkout -m',
    done: ['base', 't1', 't2', 'u1'],
    bring: (repo) => {
      repo.git('reset', '-q', '--hard', 'HEAD~1')
      repo.write(HANDOFF, withItem(repo.read(HANDOFF), 'u1'))
      repo.git('checkout', '-q', '-m', 'topic')
      repo.git('commit', '-q', '-a', '-m', 'u1')
    },
  },
  {
    name: 'in a linked worktree',
    done: ALL,
    bring: (repo) => {
      const folder = join(repo.sandbox.folder, 'linked é tree')
      repo.git('worktree', 'add', '-q', folder, 'topic')
      repo.sandbox.at(folder).git('merge', '-q', '--no-edit', 'main')
      repo.git('merge', '-q', '--ff-only', 'topic')
    },
  },
  {
    name: 'from a sub-folder',
    done: ALL,
    bring: (repo) =>
      repo.sandbox.at(join(repo.folder, 'thoughts')).git('merge', '-q', '--no-edit', 'topic'),
  },
]

test.each(WAYS.filter(({ isShort }) => isShort === true || IS_LONG))('$name', ({ bring, done }) => {
  const repo = twoSides()
  bring(repo)
  expect(doneAt(repo)).toEqual(done)
})

longTest('show --remerge-diff of a clean merge shows nothing and changes nothing', () => {
  const repo = twoSides()
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(repo.git('show', '--remerge-diff', '--format=', 'HEAD')).toBe('')
  expect(doneAt(repo)).toEqual(ALL)
})

describe('a handoff that was added, renamed or deleted', () => {
  test('is merged by sections when both sides added it', () => {
    const repo = ledgerRepo()
    const text = handoffText('base')
    repo.git('switch', '-q', '-c', 'topic')
    repo.commit('t1', { [HANDOFF]: withItem(text, 't1') })
    repo.git('switch', '-q', 'main')
    repo.commit('m1', { [HANDOFF]: withItem(text, 'm1') })
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo)).toEqual(['base', 'm1', 't1'])
  })

  test.each(sampleOf(['main', 'topic'], 2))('is merged with a folder renamed on %s', (branch) => {
    const repo = twoSides()
    const renamed = `${ROOT}/login/current.md`
    repo.git('switch', '-q', branch)
    repo.git('mv', `${ROOT}/auth`, `${ROOT}/login`)
    repo.git('commit', '-q', '-m', 'rename')
    repo.git('switch', '-q', 'main')
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo, 'HEAD', renamed)).toEqual(ALL)
  })

  longTest('is left to a person when one side deleted it', () => {
    const repo = twoSides()
    repo.git('rm', '-q', HANDOFF)
    repo.git('commit', '-q', '-m', 'rm')
    expect(repo.tryGit('merge', '--no-edit', 'topic').status).toBe(1)
    const ran = repo.tryLedger('resolve')
    expect(ran.status).toBe(1)
    expect(ran.stdout).toContain(`git add ${HANDOFF}, or git rm ${HANDOFF}`)
    repo.git('add', HANDOFF)
    repo.git('commit', '-q', '--no-edit')
    expect(doneAt(repo)).toEqual(['base', 't1', 't2'])
  })

  test('is only a current.md directly below a folder of the root, and no event', () => {
    const repo = ledgerRepo()
    const attributes = (path: string) => repo.git('check-attr', 'merge', '--', `${ROOT}/${path}`)
    expect(attributes('events/current.md')).toMatch(/: unspecified$/)
    expect(attributes('auth/current.md')).toMatch(/: ledger-handoff$/)
    expect(attributes('auth/notes.md')).toMatch(/: unspecified$/)
    expect(attributes('a/b/current.md')).toMatch(/: unspecified$/)
    expect(attributes('current.md')).toMatch(/: ledger$/)
  })
})

describe('a handoff in every kind of repository', () => {
  test('keeps LF in git and CRLF on disk with autocrlf', () => {
    const repo = twoSides()
    repo.git('config', 'core.autocrlf', 'true')
    repo.git('rm', '-q', '--cached', '-r', '.')
    repo.git('reset', '-q', '--hard')
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo)).toEqual(ALL)
    expect(repo.git('show', `HEAD:${HANDOFF}`)).not.toContain('\r')
    expect(repo.read(HANDOFF)).not.toMatch(/[^\r]\n/)
  })

  longTest('keeps CRLF in git without an attribute for it', () => {
    const repo = ledgerRepo()
    repo.commit('base', { [HANDOFF]: handoffText('base').replaceAll('\n', '\r\n') })
    const crlf = (word: string) =>
      repo.commit(word, {
        [HANDOFF]: repo.read(HANDOFF).replace('- [x]', `- [x] ${word}\r\n- [x]`),
      })
    repo.git('switch', '-q', '-c', 'topic')
    crlf('t1')
    repo.git('switch', '-q', 'main')
    crlf('m1')
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo)).toEqual(['base', 'm1', 't1'])
    expect(repo.git('show', `HEAD:${HANDOFF}`)).not.toMatch(/[^\r]\n./)
  })

  longTest('is merged in a SHA-256 repository', () => {
    const repo = twoSides(HANDOFF, '--object-format=sha256')
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo)).toEqual(ALL)
  })

  longTest('is merged by merge-tree --write-tree in a bare repository', () => {
    const origin = twoSides()
    const { sandbox } = origin
    sandbox.at(sandbox.folder).git('clone', '-q', '--bare', origin.folder, 'bare.git')
    const bare = sandbox.at(join(sandbox.folder, 'bare.git'))
    bare.ledger('install')
    const tree = bare.git('merge-tree', '--write-tree', 'main', 'topic').split('\n')[0] ?? ''
    expect(doneIn(bare.git('show', `${tree}:${HANDOFF}`))).toEqual(ALL)
  })

  test('is merged with spaces and non-ASCII in the root and in its name', () => {
    const [root, path] = ['notes é/hand "off"', 'notes é/hand "off"/größe $x/current.md']
    const repo = ledgerRepo()
    repo.write('.ledger-git.yaml', `ledger: {root: '${root}'}\n`)
    repo.git('rm', '-q', '-r', ROOT)
    repo.ledger('install')
    repo.commit('base', { [path]: handoffText('base') })
    repo.git('switch', '-q', '-c', 'topic')
    workOn(repo, 't1', path)
    repo.git('switch', '-q', 'main')
    workOn(repo, 'm1', path)
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneAt(repo, 'HEAD', path)).toEqual(['base', 'm1', 't1'])
  })

  longTest('is merged in a partial clone', () => {
    const origin = twoSides()
    for (const key of ['allowFilter', 'allowAnySHA1InWant']) {
      origin.git('config', `uploadpack.${key}`, 'true')
    }
    const { sandbox } = origin
    const words = ['clone', '-q', '--filter=blob:none', `file://${origin.folder}`, 'partial']
    sandbox.at(sandbox.folder).git(...words)
    const repo = sandbox.at(join(sandbox.folder, 'partial'))
    repo.ledger('install')
    repo.git('merge', '-q', '--no-edit', 'origin/topic')
    expect(doneAt(repo)).toEqual(ALL)
  })

  longTest('is merged in a shallow clone that lacks the common ancestor', () => {
    const origin = twoSides()
    const { sandbox } = origin
    const words = ['--depth=1', '--no-single-branch', `file://${origin.folder}`, 'shallow']
    sandbox.at(sandbox.folder).git('clone', '-q', ...words)
    const repo = sandbox.at(join(sandbox.folder, 'shallow'))
    repo.ledger('install')
    repo.git('merge', '-q', '--no-edit', '--allow-unrelated-histories', 'origin/topic')
    expect(doneAt(repo)).toEqual(ALL)
  })

  longTest('is merged outside a sparse checkout', () => {
    const repo = twoSides()
    repo.commit('src', { 'src/a.txt': 'a\n' })
    repo.git('sparse-checkout', 'set', '--cone', 'src')
    repo.git('merge', '-q', '--no-edit', 'topic')
    expect(doneIn(repo.git('show', `HEAD:${HANDOFF}`))).toEqual(ALL)
  })
})

test('mode: untracked keeps current.md out of git but handoffs in it', () => {
  const repo = ledgerRepo()
  repo.write('.ledger-git.yaml', 'mode: untracked\n')
  repo.ledger('install')
  repo.git('rm', '-q', '--cached', `${ROOT}/current.md`)
  repo.commit('base', { [HANDOFF]: handoffText('base') })
  expect(repo.git('ls-files', ROOT).split('\n')).toContain(HANDOFF)
  repo.git('switch', '-q', '-c', 'topic')
  workOn(repo, 't1')
  repo.git('switch', '-q', 'main')
  workOn(repo, 'm1')
  repo.git('merge', '-q', '--no-edit', 'topic')
  expect(doneAt(repo)).toEqual(['base', 'm1', 't1'])
})

describe('a handoff that cannot be merged by sections', () => {
  test('is merged by git like any other file with LEDGER_GIT=0', () => {
    const repo = twoSides()
    const env = { LEDGER_GIT: '0' }
    const ran = repo.run('git', ['merge', '--no-edit', 'topic'], { env })
    expect(ran.status).toBe(1)
    expect(ran.stderr).not.toContain('ledger-git')
    expectConflict(repo, 'm1', 't1', 't2')
    repo.git('merge', '--abort')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    repo.commit('goal', { [HANDOFF]: repo.read(HANDOFF).replace('that expire', 'that last') })
    expect(repo.run('git', ['merge', '-q', '--no-edit', 'topic'], { env }).status).toBe(0)
    expect(doneAt(repo)).toEqual(['base', 't1', 't2'])
  })

  test('is merged as text if it is not UTF-8, keeping every byte', () => {
    const repo = ledgerRepo()
    const bytes = (goal: string, next: string) =>
      Buffer.from(
        handoffText('base').replace('that expire', goal).replace('deploy', next),
        'latin1',
      )
    const commit = (word: string, content: Buffer) => {
      repo.write(HANDOFF, content)
      repo.commit(word)
    }
    commit('base', bytes('caf\u00e9', 'a'))
    repo.git('switch', '-q', '-c', 'topic')
    commit('t1', bytes('caf\u00e9', 'th\u00e9'))
    repo.git('switch', '-q', 'main')
    commit('m1', bytes('cr\u00e8me', 'a'))
    repo.git('merge', '-q', '--no-edit', 'topic')
    const merged = repo.run('sh', ['-c', `cat ${HANDOFF} | iconv -f latin1 -t utf8`]).stdout
    expect(merged).toBe(bytes('cr\u00e8me', 'th\u00e9').toString('latin1'))
  })
})
