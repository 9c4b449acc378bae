/** Hooks in commits and pushes: what they include, what they leave alone, and when they stop git. */

import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ran, Repo } from '../support/git-repo.ts'
import {
  CURRENT,
  EVENTS,
  ROOT,
  based,
  diverged,
  expectSound,
  note,
  noteText,
  words,
  work,
} from './scene.ts'
import { longTest, sampleOf } from '../support/long.ts'
import { builtFrom } from '../support/built-from.ts'

builtFrom(() => import('../../src/entry/git-entry-main.ts'))

/** Ways to hide ledger-git from its hooks. */
const MISSING: Record<string, (repo: Repo) => NodeJS.ProcessEnv> = {
  'LEDGER_GIT_BIN names nothing': () => ({ LEDGER_GIT_BIN: '/nowhere/ledger-git' }),
  'the record is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git/launch'))
    return {}
  },
  'the launcher is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git/run'))
    return {}
  },
  'the whole folder is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git'), { recursive: true })
    return {}
  },
  'the root file is gone': (repo) => {
    rmSync(join(repo.folder, '.git/ledger-git/root'))
    return {}
  },
  'it crashes': (repo) => {
    const file = join(repo.sandbox.folder, 'crash.js')
    writeFileSync(file, 'process.kill(process.pid, "SIGKILL")\n')
    return { LEDGER_GIT_BIN: file }
  },
}

function git(repo: Repo, env: NodeJS.ProcessEnv, ...args: string[]): Ran {
  return repo.run('git', args, { env })
}

describe('pre-commit', () => {
  test('adds a pending event and current.md, and nothing else, to the next plain commit', () => {
    const repo = based()
    const event = note(repo, 'a')
    repo.write('unrelated.txt', 'untracked\n')
    repo.write('README.md', 'changed, not staged\n')
    repo.write('base.txt', 'staged\n')
    repo.git('add', 'base.txt')
    repo.git('commit', '-q', '-m', 'a')
    expect(repo.changed().toSorted()).toEqual(['base.txt', CURRENT, event].toSorted())
    expect(words(repo)).toEqual(['base', 'a'])
    expectSound(repo, { status: ' M README.md\n?? unrelated.txt' })
  })

  test('leaves a commit without ledger files as it was staged', () => {
    const repo = based()
    repo.write('code.txt', 'x\n')
    repo.git('add', 'code.txt')
    repo.git('commit', '-q', '-m', 'code')
    expect(repo.changed()).toEqual(['code.txt'])
    expectSound(repo)
  })

  test('keeps partly staged files partly staged', () => {
    const repo = based()
    repo.write('base.txt', 'staged\n')
    repo.git('add', 'base.txt')
    repo.write('base.txt', 'staged\nand not\n')
    note(repo, 'a')
    repo.git('commit', '-q', '-m', 'a')
    expect(repo.git('show', 'HEAD:base.txt')).toBe('staged')
    expectSound(repo, { status: ' M base.txt' })
  })

  longTest('adds a pending event to commit -a', () => {
    const repo = based()
    const event = note(repo, 'a')
    repo.write('base.txt', 'changed\n')
    repo.git('commit', '-q', '-a', '-m', 'a')
    expect(repo.changed().toSorted()).toEqual(['base.txt', CURRENT, event].toSorted())
    expectSound(repo)
  })

  longTest('adds a pending event to commit -p beside the chosen hunk', () => {
    const repo = based()
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)
    repo.commit('lines', { 'lines.txt': `${lines.join('\n')}\n` })
    repo.write('lines.txt', `first\n${lines.join('\n')}\nlast\n`)
    note(repo, 'a')
    const ran = repo.run('git', ['commit', '-q', '-p', '-m', 'a'], { input: 'y\nn\n' })
    expect(ran.status, ran.stderr).toBe(0)
    expect(repo.git('show', 'HEAD:lines.txt')).toMatch(/^first\n[^]*line 29$/)
    expect(words(repo)).toEqual(['base', 'a'])
    expectSound(repo, { status: ' M lines.txt' })
  })

  test('adds a pending event to commit --amend, with the ledger of the new commit', () => {
    const repo = based()
    work(repo, 'a')
    note(repo, 'b')
    repo.git('commit', '-q', '--amend', '--no-edit')
    expect(words(repo)).toEqual(['base', 'a', 'b'])
    expect(words(repo, 'HEAD~1')).toEqual(['base'])
    expectSound(repo)
  })

  longTest('adds a pending event to commit --allow-empty', () => {
    const repo = based()
    note(repo, 'a')
    repo.git('commit', '-q', '--allow-empty', '-m', 'a')
    expect(words(repo)).toEqual(['base', 'a'])
    expectSound(repo)
  })

  test('prints a message and stages nothing when there is only a pending event to commit', () => {
    const repo = based()
    const event = note(repo, 'a')
    const ran = repo.tryGit('commit', '-m', 'a')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('ledger-git')
    expectSound(repo, { status: `?? ${event}` })
  })

  test('leaves pending events pending in commit -- path', () => {
    const repo = based()
    const event = note(repo, 'a')
    repo.write('base.txt', 'changed\n')
    repo.write('README.md', 'changed\n')
    repo.git('commit', '-q', '-m', 'one', '--', 'base.txt')
    expect(repo.changed()).toEqual(['base.txt'])
    expectSound(repo, { status: ` M README.md\n?? ${event}` })
  })

  longTest('adds current.md to commit -- event and to the real index', () => {
    const repo = based()
    const event = note(repo, 'a')
    const other = note(repo, 'b')
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt', event)
    repo.git('commit', '-q', '-m', 'event', '--', event)
    expect(repo.changed().toSorted()).toEqual([CURRENT, event].toSorted())
    expectSound(repo, { status: `A  staged.txt\n?? ${other}` })
    repo.git('commit', '-q', '-m', 'rest')
    expect(words(repo)).toEqual(['base', 'a', 'b'])
    expectSound(repo)
  })

  longTest('keeps index and commit fresh in commit -- event while another event is staged', () => {
    const repo = based()
    repo.ledger('event', 'add', '--done', 'staged', '--stage')
    const event = note(repo, 'a')
    repo.git('add', event)
    repo.git('commit', '-q', '-m', 'event', '--', event)
    expect(words(repo)).toEqual(['base', 'a'])
    expect(repo.tryLedger('check', '--staged').status).toBe(0)
    expect(repo.tryLedger('check').status).toBe(0)
    repo.git('commit', '-q', '-m', 'staged')
    expect(words(repo).toSorted()).toEqual(['a', 'base', 'staged'])
    expectSound(repo)
  })

  longTest('adds a pending event to commit -i', () => {
    const repo = based()
    note(repo, 'a')
    repo.write('staged.txt', 'staged\n')
    repo.git('add', 'staged.txt')
    repo.write('base.txt', 'changed\n')
    repo.git('commit', '-q', '-m', 'both', '-i', '--', 'base.txt')
    expect(words(repo)).toEqual(['base', 'a'])
    expectSound(repo)
  })

  test('regenerates a staged hand edit and names the blob with the edited text', () => {
    const repo = based()
    const edited = repo.read(CURRENT).replace('[->] base', '[->] by hand')
    repo.write(CURRENT, edited)
    repo.write('code.txt', 'x\n')
    repo.git('add', '-A')
    const ran = repo.tryGit('commit', '-m', 'edit')
    expect(ran.status).toBe(0)
    const oid = /git show ([0-9a-f]{40})/.exec(ran.stderr)?.[1] ?? ''
    expect(repo.git('cat-file', 'blob', oid)).toBe(edited.trimEnd())
    expect(repo.changed()).toEqual(['code.txt'])
    expectSound(repo)
  })

  longTest('regenerates an unstaged hand edit, too, and names the blob with its text', () => {
    const repo = based()
    const edited = `${repo.read(CURRENT)}\nmy note\n`
    repo.write(CURRENT, edited)
    note(repo, 'a')
    const ran = repo.tryGit('commit', '--allow-empty', '-m', 'a')
    expect(ran.status).toBe(0)
    const oid = /git show ([0-9a-f]{40})/.exec(ran.stderr)?.[1] ?? ''
    expect(repo.git('cat-file', 'blob', oid)).toBe(edited.trimEnd())
    expectSound(repo)
  })

  test('leaves no stale ledger after a commit of a hand edit alone, made or refused', () => {
    const repo = based()
    repo.write(CURRENT, `${repo.read(CURRENT)}my note\n`)
    repo.tryGit('commit', '-q', '-a', '-m', 'edit')
    expectSound(repo)
  })

  test('makes a fresh commit when an event file was deleted by hand', () => {
    const repo = based()
    const a = work(repo, 'a')
    repo.git('rm', '-q', a)
    repo.git('commit', '-q', '-m', 'drop a')
    expect(words(repo)).toEqual(['base'])
    expectSound(repo)
  })

  longTest('restores a current.md whose deletion was staged', () => {
    const repo = based()
    repo.git('rm', '-q', CURRENT)
    repo.write('code.txt', 'x\n')
    repo.git('add', 'code.txt')
    repo.git('commit', '-q', '-m', 'code')
    expect(repo.changed()).toEqual(['code.txt'])
    expectSound(repo)
  })

  longTest('leaves an event of an aborted commit for the next one', () => {
    const repo = based()
    note(repo, 'a')
    repo.write('code.txt', 'x\n')
    repo.git('add', 'code.txt')
    expect(git(repo, { GIT_EDITOR: 'false' }, 'commit').status).not.toBe(0)
    repo.git('commit', '-q', '-m', 'a')
    expect(words(repo)).toEqual(['base', 'a'])
    expectSound(repo)
  })

  longTest('makes the first commit of a branch fresh', () => {
    const repo = based()
    repo.git('switch', '-q', '--orphan', 'fresh')
    repo.ledger('install')
    note(repo, 'first')
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'first')
    expect(words(repo)).toEqual(['first'])
    expectSound(repo)
  })

  longTest('works in a linked worktree and from a sub-folder', () => {
    const repo = based()
    const folder = join(repo.sandbox.folder, 'linked')
    repo.git('worktree', 'add', '-q', '-b', 'linked', folder)
    const linked = repo.sandbox.at(folder)
    note(repo, 'main')
    note(linked, 'linked')
    linked.write('deep/x.txt', 'x\n')
    const below = repo.sandbox.at(join(folder, 'deep'))
    below.git('add', 'x.txt')
    below.git('commit', '-q', '-m', 'linked')
    expect(words(linked)).toEqual(['base', 'linked'])
    expect(linked.status()).toBe('')
    repo.git('commit', '-q', '--allow-empty', '-m', 'main')
    expect(words(repo)).toEqual(['base', 'main'])
    expectSound(repo)
  })

  test('does nothing with LEDGER_GIT=0 and --no-verify', () => {
    const repo = based()
    const event = note(repo, 'a')
    expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '--allow-empty', '-m', 'a').status).toBe(0)
    repo.git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'b')
    expect(repo.changed('HEAD~1')).toEqual([])
    expect(repo.changed()).toEqual([])
    expectSound(repo, { status: `?? ${event}` })
  })

  test.each(Object.keys(MISSING))('%s: lets the commit through', (name) => {
    const repo = based()
    const event = note(repo, 'a')
    const env = MISSING[name]?.(repo) ?? {}
    const ran = git(repo, env, 'commit', '--allow-empty', '-m', 'a')
    expect(ran.status, ran.stderr).toBe(0)
    expect(repo.status()).toBe(`?? ${event}`)
    const staged = git(repo, env, 'commit', '--allow-empty', '-m', 'b', '--', 'README.md')
    expect(staged.status, staged.stderr).toBe(0)
  })

  test('runs before a foreign pre-commit hook, whose status counts', () => {
    const repo = based()
    const hook = join(repo.folder, '.git/hooks/pre-commit')
    writeFileSync(hook, `${repo.read('.git/hooks/pre-commit')}\necho foreign >&2; exit 7\n`)
    chmodSync(hook, 0o755)
    note(repo, 'a')
    const ran = repo.tryGit('commit', '--allow-empty', '-m', 'a')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('foreign')
  })
})

describe('prepare-commit-msg in a sequence', () => {
  /**
   * Leaves a commit of topic in progress whose event is there but whose current.md was resolved to our side by hand.
   */
  function carelessly(repo: Repo, start: (env: NodeJS.ProcessEnv) => Ran): void {
    expect(start({ LEDGER_GIT_BIN: '/nowhere' }).status).not.toBe(0)
    repo.git('checkout', '-q', '--ours', '--', CURRENT)
    repo.git('add', CURRENT)
  }

  test('stops rebase --continue on a stale resolution until it is resolved', () => {
    const repo = diverged()
    repo.git('switch', '-q', 'topic')
    carelessly(repo, (env) => git(repo, env, 'rebase', 'main'))
    const ran = repo.tryGit('rebase', '--continue')
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toContain('ledger-git resolve')
    repo.ledger('resolve')
    repo.git('rebase', '--continue')
    expect(words(repo).toSorted()).toEqual(['base', 'm1', 't1', 't2'])
    expectSound(repo)
  })

  longTest.each([
    ['cherry-pick', 'topic'],
    ['revert', 'HEAD~1'],
  ])('makes %s --continue fresh or stops it', (verb, commit) => {
    const repo = diverged()
    work(repo, 'm2')
    carelessly(repo, (env) => git(repo, env, verb, '--no-edit', commit))
    const ran = repo.tryGit(verb, '--continue')
    if (ran.status !== 0) {
      expect(ran.stderr).toContain('ledger-git resolve')
      repo.ledger('resolve')
      repo.git(verb, '--continue')
    }
    expect(words(repo).toSorted()).toEqual(
      verb === 'revert' ? ['base', 'm2'] : ['base', 'm1', 'm2', 't2'],
    )
    expectSound(repo)
  })

  longTest('stops a pick of a stale commit onto a fresh parent', () => {
    const repo = based()
    repo.git('switch', '-q', '-c', 'topic')
    repo.git('add', note(repo, 't1'))
    expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '-q', '-m', 't1').status).toBe(0)
    repo.git('switch', '-q', 'main')
    const ran = repo.tryGit('cherry-pick', 'topic')
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toContain('ledger-git resolve')
    repo.ledger('resolve')
    repo.git('cherry-pick', '--continue')
    expect(words(repo)).toEqual(['base', 't1'])
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
    expect(repo.status()).toBe('')
  })

  /** Leaves a rebase of topic stopped after the driver, over another file. Returns what Node was started for. */
  function stopped(repo: Repo): () => string[] {
    repo.write('same.txt', 'main\n')
    repo.git('add', 'same.txt')
    work(repo, 'm2')
    repo.git('switch', '-q', 'topic')
    repo.write('same.txt', 'topic\n')
    repo.git('add', 'same.txt')
    work(repo, 't3')
    const [launch, log] = ['.git/ledger-git/launch', join(repo.sandbox.folder, 'starts')]
    const [node, ...rest] = repo.read(launch).split('\n')
    const logging = join(repo.sandbox.folder, 'node')
    writeFileSync(logging, `#!/bin/sh\necho "$2 $3" >>'${log}'\nexec '${node}' "$@"\n`)
    chmodSync(logging, 0o755)
    repo.write(launch, [logging, ...rest].join('\n'))
    expect(repo.tryGit('rebase', 'main').status).not.toBe(0)
    repo.write('same.txt', 'both\n')
    repo.git('add', 'same.txt')
    return () => readFileSync(log, 'utf8').split('\n')
  }

  test('starts no Node for what the driver made fresh', () => {
    const repo = diverged()
    const starts = stopped(repo)
    repo.git('rebase', '--continue')
    expect(starts().filter((words) => words.startsWith('merge-driver'))).toHaveLength(3)
    expect(starts()).not.toContain('hook prepare-commit-msg')
    expectSound(repo)
  })

  const CHANGES: Record<string, (repo: Repo) => unknown> = {
    'current.md': (repo) => repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`),
    'an event in a folder': (repo) => repo.write(`${EVENTS}/in/a.md`, noteText('a')),
    'an event': (repo) => repo.write(`${EVENTS}/late.md`, noteText('late')),
    'an event that is gone': (repo) => repo.git('rm', '-q', `${EVENTS}/*_m2_*`),
  }

  test.each(sampleOf(Object.keys(CHANGES), 4))('stops a change after the driver: %s', (name) => {
    const repo = diverged()
    const starts = stopped(repo)
    CHANGES[name]?.(repo)
    repo.git('add', ROOT)
    expect(repo.tryGit('rebase', '--continue').status).not.toBe(0)
    expect(starts()).toContain('hook prepare-commit-msg')
  })

  test('does not stop a sequence whose parent was already stale', () => {
    const repo = diverged()
    repo.git('add', note(repo, 'm2'))
    expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '-q', '-m', 'm2').status).toBe(0)
    repo.git('cherry-pick', 'topic')
    expect(repo.status()).toBe('')
  })

  test.each(sampleOf(Object.keys(MISSING), 3))('%s: lets a pick through', (name) => {
    const repo = diverged()
    repo.git('switch', '-q', '-c', 'other', 'main~1')
    const env = MISSING[name]?.(repo) ?? {}
    const ran = git(repo, env, 'cherry-pick', 'main')
    expect(ran.status, ran.stderr).toBe(0)
    expectSound(repo)
  })
})

describe('pre-push', () => {
  function withRemote(repo: Repo): Repo {
    repo.sandbox.init('remote.git', '--bare')
    repo.git('remote', 'add', 'origin', '../remote.git')
    return repo
  }
  function staleCommit(repo: Repo): void {
    repo.git('add', note(repo, 'stale'))
    expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '-q', '-m', 'stale').status).toBe(0)
  }

  test('lets a fresh tip pass, even with a stale worktree', () => {
    const repo = withRemote(based())
    repo.write(CURRENT, 'half edited\n')
    expect(repo.tryGit('push', '-q', 'origin', 'main').status).toBe(0)
  })

  test('stops and names a stale tip, which passes after resolve --commit', () => {
    const repo = withRemote(based())
    staleCommit(repo)
    const ran = repo.tryGit('push', 'origin', 'main')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('ledger-git resolve --commit')
    expect(ran.stderr).toContain('main')
    repo.ledger('resolve', '--commit')
    repo.git('push', '-q', 'origin', 'main')
    expect(repo.git('ls-remote', 'origin', 'main')).toContain(repo.git('rev-parse', 'HEAD'))
  })

  test('stops a push of several branches and names only the stale one', () => {
    const repo = withRemote(diverged())
    repo.git('switch', '-q', 'topic')
    staleCommit(repo)
    const ran = repo.tryGit('push', 'origin', 'main', 'topic')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('ledger of topic')
    expect(ran.stderr).not.toContain('ledger of main')
  })

  longTest(
    'names every branch with the edited current.md, though their events are those of a fresh one',
    () => {
      const repo = withRemote(based())
      repo.git('branch', 'fresh')
      repo.write(CURRENT, 'edited\n')
      repo.git('add', CURRENT)
      expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '-q', '-m', 'edited').status).toBe(0)
      repo.git('branch', 'other')
      const ran = repo.tryGit('push', 'origin', 'fresh', 'main', 'other')
      expect(ran.status).toBe(1)
      expect(ran.stderr.match(/(?<=ledger of )\S+/g)).toEqual(['main', 'other'])
    },
  )

  describe('stops a push that would publish what sessions hold', () => {
    const branch = 'ledger/checkpoints/v1'
    function withSessions(): Repo {
      const repo = withRemote(based())
      repo.git('update-ref', `refs/heads/${branch}`, 'HEAD')
      repo.git('push', '-q', 'origin', 'main')
      return repo
    }

    test('--all, until somebody asks to share checkpoints there', () => {
      const repo = withSessions()
      const ran = repo.tryGit('push', '--all', 'origin')
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain(`it would publish ${branch}`)
      expect(ran.stderr).toContain(`git push origin ${branch}`)
      expect(repo.git('ls-remote', 'origin', branch)).toBe('')
      repo.git('push', '-q', 'origin', 'refs/heads/*', `^refs/heads/${branch}`)
      repo.git('push', '-q', 'origin', branch)
      repo.git('commit', '-q', '--allow-empty', '-m', 'more')
      repo.git('update-ref', `refs/heads/${branch}`, 'HEAD')
      repo.git('push', '-q', '--all', 'origin')
      repo.git('push', '-q', 'origin', `:${branch}`)
      const asked = { LEDGER_GIT_PUSH_CHECKPOINTS: '1' }
      expect(git(repo, asked, 'push', '-q', '--all', 'origin').status).toBe(0)
    })

    test('--mirror, which includes shadow data', () => {
      const repo = withSessions()
      repo.git('push', '-q', 'origin', branch)
      repo.git('update-ref', 'refs/ledger/shadow/base-tree', 'HEAD')
      const ran = repo.tryGit('push', '--mirror', 'origin')
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain('it would publish refs/ledger/shadow/base-tree')
      expect(repo.git('ls-remote', 'origin', 'refs/ledger/*')).toBe('')
    })

    test('--mirror of a clone that only fetched them', () => {
      const repo = withSessions()
      repo.git('push', '-q', 'origin', branch)
      repo.git('fetch', '-q', 'origin')
      repo.git('branch', '-q', '-D', branch)
      const { sandbox } = repo
      repo.git('clone', '-q', '--bare', '.', join(sandbox.folder, 'mirror.git'))
      const ran = repo.tryGit('push', '--mirror', join(sandbox.folder, 'mirror.git'))
      expect(ran.status).toBe(1)
      expect(ran.stderr).toContain(`it would publish ${branch}`)
    })
  })

  test('lets deletions, tags and other refs pass', () => {
    const repo = withRemote(based())
    repo.git('push', '-q', 'origin', 'main', 'main:gone')
    staleCommit(repo)
    repo.git('tag', 'v1')
    expect(repo.tryGit('push', 'origin', 'v1', ':gone', 'main:refs/notes/x').status).toBe(0)
  })

  longTest('lets a branch without any ledger pass', () => {
    const repo = withRemote(based())
    repo.git('switch', '-q', '--orphan', 'pages')
    repo.commit('pages', { 'index.html': 'x\n' })
    expect(repo.tryGit('push', 'origin', 'pages').status).toBe(0)
  })

  longTest('stops a stale branch from a bare repository', () => {
    const origin = based()
    const { sandbox } = origin
    staleCommit(origin)
    sandbox.at(sandbox.folder).git('clone', '-q', '--bare', origin.folder, 'bare.git')
    const bare = sandbox.at(join(sandbox.folder, 'bare.git'))
    bare.ledger('install')
    bare.git('remote', 'remove', 'origin')
    withRemote(bare)
    const ran = bare.tryGit('push', 'origin', 'main')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain('stale')
    expect(bare.tryGit('push', 'origin', 'main~1:refs/heads/main').status).toBe(0)
  })

  longTest('stops a stale branch from a linked worktree, by URL, with --force', () => {
    const repo = withRemote(based())
    const folder = join(repo.sandbox.folder, 'linked')
    repo.git('worktree', 'add', '-q', '-b', 'linked', folder)
    const linked = repo.sandbox.at(folder)
    staleCommit(linked)
    const remote = join(repo.sandbox.folder, 'remote.git')
    expect(linked.tryGit('push', '--force', remote, 'linked').status).toBe(1)
    expect(repo.tryGit('push', '--force', remote, 'main').status).toBe(0)
  })

  test('pushes anything with LEDGER_GIT=0 and with --no-verify', () => {
    const repo = withRemote(based())
    staleCommit(repo)
    expect(git(repo, { LEDGER_GIT: '0' }, 'push', 'origin', 'main').status).toBe(0)
    expect(repo.tryGit('push', '--no-verify', 'origin', 'main:other').status).toBe(0)
  })

  test.each(sampleOf(Object.keys(MISSING), 3))('%s: lets the push through', (name) => {
    const repo = withRemote(based())
    const env = MISSING[name]?.(repo) ?? {}
    const ran = git(repo, env, 'push', 'origin', 'main')
    expect(ran.status, ran.stderr).toBe(0)
  })

  longTest('passes its input on to a foreign pre-push hook that runs after it', () => {
    const repo = withRemote(based())
    const hook = join(repo.folder, '.git/hooks/pre-push')
    writeFileSync(hook, `${repo.read('.git/hooks/pre-push')}\ncat >pushed.txt\n`)
    chmodSync(hook, 0o755)
    repo.git('push', '-q', 'origin', 'main')
    const tip = repo.git('rev-parse', 'main')
    expect(repo.read('pushed.txt').trimEnd()).toMatch(
      new RegExp(`^refs/heads/main ${tip} refs/heads/main 0{40}$`),
    )
  })
})

describe('post-merge, post-checkout and post-rewrite', () => {
  test('warn after a switch to a stale branch and are silent after one to a fresh branch', () => {
    const repo = diverged()
    repo.git('switch', '-q', 'topic')
    repo.git('add', note(repo, 'stale'))
    expect(git(repo, { LEDGER_GIT: '0' }, 'commit', '-q', '-m', 'stale').status).toBe(0)
    const back = repo.tryGit('switch', '-q', 'main')
    expect([back.status, back.stderr]).toEqual([0, ''])
    const there = repo.tryGit('switch', '-q', 'topic')
    expect(there.status).toBe(0)
    expect(there.stderr).toContain('ledger-git resolve --commit')
  })

  test.each(sampleOf(Object.keys(MISSING), 6))('%s: let a switch and a merge through', (name) => {
    const repo = diverged()
    repo.git('branch', '-q', 'side', 'main~1')
    const env = MISSING[name]?.(repo) ?? {}
    expect(git(repo, env, 'switch', '-q', 'side').status).toBe(0)
    expect(git(repo, env, 'merge', '-q', 'main').status).toBe(0)
    expectSound(repo)
  })

  test('are silent on a branch without a ledger', () => {
    const repo = based()
    repo.git('switch', '-q', '--orphan', 'pages')
    const ran = repo.tryGit('commit', '-q', '--allow-empty', '-m', 'pages')
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(repo.tryGit('switch', '-q', 'main').stderr).toBe('')
    expect(repo.tryGit('switch', '-q', 'pages').stderr).toBe('')
    expect(repo.exists(ROOT)).toBe(false)
    expect(repo.git('ls-files', EVENTS)).toBe('')
  })
})

test('settings from a branch reach the terminal without control characters and stop no commit', () => {
  const repo = based()
  repo.write('.ledger-git.yaml', '"\\e[31mred": 1\n')
  note(repo, 'pending')
  repo.write('code.txt', 'x\n')
  repo.git('add', 'code.txt')
  const ran = repo.tryGit('commit', '-q', '-m', 'code')
  expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('unknown key')])
  expect(ran.stderr).not.toContain('\u001b')
})
