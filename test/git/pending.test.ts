/** A pending event must never block git, whatever operation is in progress. */

import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { based, CURRENT, diverged, expectSound, note, sortedWords, words, work } from './scene.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'

const KEPT = '.git/ledger-git/kept'

/** main and topic clash in code; topic: t1, t2, clash, t3. On main. */
function clashing(): Repo {
  const repo = diverged()
  repo.commit('clash', { 'clash.txt': 'main\n' })
  repo.git('switch', '-q', 'topic')
  note(repo, 'clash')
  repo.commit('clash', { 'clash.txt': 'topic\n' })
  work(repo, 't3')
  repo.git('switch', '-q', 'main')
  return repo
}

/** Settles the clash in code. */
function settle(repo: Repo): void {
  repo.write('clash.txt', 'both\n')
  repo.git('add', 'clash.txt')
}

/** Whether or not the sequence included the event, the next commit has it, once, and all is fresh. */
function expectKept(repo: Repo, expected: string[]): void {
  repo.git('commit', '-q', '--allow-empty', '-m', 'rest')
  expect(sortedWords(repo)).toEqual([...expected, 'pending'].toSorted())
  expectSound(repo)
}

describe('rebase -i keeps a pending event', () => {
  const EDITS = [
    ['reword', '1s/^pick/reword/'],
    ['squash', '2s/^pick/squash/'],
    ['fixup -c', '2s/^pick/fixup -c/'],
    ['exec git commit', '1a exec git commit -q --allow-empty -m exec'],
    ['exec git commit --amend', '1a exec git commit -q --amend --no-edit'],
  ] as const
  // `squash` and `fixup` end as `reword` does; a commit of `exec` is a plain one.
  test.runIf(IS_LONG).each(EDITS)('with %s', (_name, script) => {
    const repo = diverged()
    repo.git('switch', '-q', 'topic')
    work(repo, 't3')
    note(repo, 'pending')
    const env = { GIT_SEQUENCE_EDITOR: `sed -i '${script}'`, GIT_EDITOR: `sed -i 's/^t/T/'` }
    const ran = repo.run('git', ['rebase', '-i', 'main'], { env })
    expect(ran.status, ran.stderr).toBe(0)
    expectKept(repo, ['base', 'm1', 't1', 't2', 't3'])
  })

  const STOPS = [
    ['edit', '1s/^pick/edit/', ['--amend', '--no-edit']],
    ['break', '1a break', ['--allow-empty', '-m', 'between']],
  ] as const
  longTest.each(sampleOf(STOPS, 2))('with %s and a commit by hand', (_name, script, args) => {
    const repo = diverged()
    repo.git('switch', '-q', 'topic')
    note(repo, 'pending')
    const env = { GIT_SEQUENCE_EDITOR: `sed -i '${script}'` }
    const ran = repo.run('git', ['rebase', '-i', 'main'], { env })
    expect(ran.status, ran.stderr).toBe(0)
    repo.git('commit', '-q', ...args)
    repo.git('rebase', '--continue')
    expectKept(repo, ['base', 'm1', 't1', 't2'])
  })

  longTest('with --rebase-merges and an edited merge message', () => {
    const repo = diverged()
    repo.git('switch', '-q', '-c', 'side', 'topic~1')
    work(repo, 's1')
    repo.git('switch', '-q', 'topic')
    repo.git('merge', '-q', '--no-edit', 'side')
    work(repo, 't3')
    note(repo, 'pending')
    const env = { GIT_SEQUENCE_EDITOR: `sed -i 's/^merge -C/merge -c/'`, GIT_EDITOR: 'true' }
    const ran = repo.run('git', ['rebase', '-i', '--rebase-merges', 'main'], { env })
    expect(ran.status, ran.stderr).toBe(0)
    expectKept(repo, ['base', 'm1', 's1', 't1', 't2', 't3'])
  })
})

describe('after a conflict in code, a pending event is kept', () => {
  test.each(sampleOf(['--continue', 'commit by hand'], 2))('in a rebase: %s', (how) => {
    const repo = clashing()
    repo.git('switch', '-q', 'topic')
    note(repo, 'pending')
    expect(repo.tryGit('rebase', '-q', 'main').status).toBe(1)
    settle(repo)
    if (how !== '--continue') repo.git('commit', '-q', '-m', 'by hand')
    const ran = repo.tryGit('rebase', '--continue')
    expect(ran.status, ran.stderr).toBe(0)
    expectKept(repo, ['base', 'clash', 'm1', 't1', 't2', 't3'])
  })

  // git runs the commit of an alias as a child, as a rebase does with its own commits.
  test('in a rebase where an alias commits: it is in that commit', () => {
    const repo = clashing()
    repo.git('switch', '-q', 'topic')
    const event = note(repo, 'pending')
    expect(repo.tryGit('rebase', '-q', 'main').status).toBe(1)
    settle(repo)
    repo.git('-c', 'alias.ci=commit', 'ci', '-q', '-m', 'by an alias')
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain(event)
    repo.git('rebase', '--continue')
    expectKept(repo, ['base', 'clash', 'm1', 't1', 't2', 't3'])
  })

  longTest('in cherry-pick --continue with more to pick', () => {
    const repo = clashing()
    note(repo, 'pending')
    expect(repo.tryGit('cherry-pick', 'topic~1', 'topic').status).toBe(1)
    settle(repo)
    const ran = repo.tryGit('cherry-pick', '--continue')
    expect(ran.status, ran.stderr).toBe(0)
    expectKept(repo, ['base', 'clash', 'm1', 't3'])
  })

  // This is the sequencer's, as `cherry-pick --continue` is.
  longTest('in revert --continue with more to revert', () => {
    const repo = clashing()
    repo.git('switch', '-q', 'topic')
    repo.commit('over', { 'clash.txt': 'changed again\n' })
    note(repo, 'pending')
    expect(repo.tryGit('revert', '--no-edit', 'HEAD~2', 'HEAD~3').status).toBe(1)
    repo.git('checkout', '-q', '--ours', '--', 'clash.txt')
    repo.git('add', '-u')
    const ran = repo.tryGit('revert', '--continue')
    expect(ran.status, ran.stderr).toBe(0)
    expectKept(repo, ['base', 't1', 't3'])
  })

  // For the check in a sequence, see test/git/hooks.test.ts.
  longTest('in cherry-pick --continue, where a careless current.md is mended or git stops', () => {
    const repo = clashing()
    const env = { LEDGER_GIT_BIN: '/nowhere' }
    expect(repo.run('git', ['cherry-pick', 'topic~1', 'topic'], { env }).status).toBe(1)
    settle(repo)
    repo.git('checkout', '-q', '--ours', '--', CURRENT)
    repo.git('add', CURRENT)
    const ran = repo.tryGit('cherry-pick', '--continue')
    // Either it is repaired on the way, or git stops and says how: never a broken sequence.
    if (ran.status !== 0) {
      expect(ran.stderr).toContain('ledger-git resolve')
      repo.ledger('resolve')
      repo.git('cherry-pick', '--continue')
    }
    expect(sortedWords(repo)).toEqual(['base', 'clash', 'm1', 't3'])
    expectSound(repo)
  })

  longTest('in merge --continue', () => {
    const repo = clashing()
    note(repo, 'pending')
    expect(repo.tryGit('merge', '-q', 'topic').status).toBe(1)
    settle(repo)
    repo.git('merge', '--continue')
    expectKept(repo, ['base', 'clash', 'm1', 't1', 't2', 't3'])
  })
})

/** A merge of topic that included an event by hand; upstream has one commit more than its fork. */
function mergedWithEvent(): { repo: Repo; event: string } {
  const repo = diverged()
  repo.git('switch', '-q', '-c', 'upstream', 'main~1')
  work(repo, 'u1')
  repo.git('switch', '-q', 'main')
  repo.git('merge', '-q', '--no-commit', 'topic')
  const event = note(repo, 'pending')
  repo.git('commit', '-q', '--no-edit')
  expect(words(repo)).toContain('pending')
  return { repo, event }
}

describe('a rebase leaves merge commits out but keeps an event that one of them added', () => {
  const WAYS = [[], ['--rebase-merges'], ['--apply']]
  test.each(sampleOf(WAYS, 3))('with git rebase %s', (...args) => {
    const { repo, event } = mergedWithEvent()
    const ran = repo.tryGit('rebase', ...args.flat(), 'upstream')
    expect(ran.status, ran.stderr).toBe(0)
    expect(repo.status()).toBe(`?? ${event}`)
    expect(ran.stderr).toContain(`${event} is pending again`)
    expect(ran.stderr).toContain('if another branch still has it, delete the file first')
    expectKept(repo, ['base', 'm1', 't1', 't2', 'u1'])
  })

  longTest('also when a commit is taken apart with git reset during the rebase', () => {
    const { repo, event } = mergedWithEvent()
    const env = { GIT_SEQUENCE_EDITOR: `sed -i '1s/^pick/edit/'` }
    expect(repo.run('git', ['rebase', '-q', '-i', 'upstream'], { env })).toMatchObject({
      status: 0,
    })
    repo.git('reset', '-q', 'HEAD^') // which moves ORIG_HEAD
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'm1')
    expect(repo.tryGit('rebase', '--continue').stderr).toContain(`${event} is pending again`)
    expectKept(repo, ['base', 'm1', 't1', 't2', 'u1'])
  })

  longTest('but not an event that was deleted after the merge', () => {
    const { repo, event } = mergedWithEvent()
    repo.git('rm', '-q', event)
    repo.git('commit', '-q', '-m', 'away')
    const ran = repo.tryGit('rebase', 'upstream')
    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stderr).not.toContain('pending again')
    expect(repo.status()).not.toContain(event)
  })
})

longTest('merge, pick, revert, am and switch leave an event pending', () => {
  const repo = diverged()
  const event = note(repo, 'pending')
  const status = `?? ${event}`
  repo.run('git', ['merge', '-e', 'topic'], { env: { GIT_EDITOR: 'true' } })
  expect(repo.status()).toBe(status)
  repo.git('switch', '-q', '-c', 'picks', 'main~1')
  repo.run('git', ['cherry-pick', '-e', 'topic~1', 'topic'], { env: { GIT_EDITOR: 'true' } })
  repo.run('git', ['revert', '-e', 'HEAD', 'HEAD~1'], { env: { GIT_EDITOR: 'true' } })
  const patch = `${repo.git('format-patch', '--stdout', 'main~1..topic')}\n`
  const ran = repo.run('git', ['am', '-q', '-3'], { input: patch })
  expect(ran.status, ran.stderr).toBe(0)
  expectSound(repo, { status })
})

longTest('a synthesized current.md can be stashed and popped over a merge', () => {
  const repo = diverged()
  note(repo, 'pending')
  repo.ledger('synthesize', '--no-confirm')
  repo.git('stash', '-q')
  repo.git('merge', '-q', '--no-edit', 'topic')
  const ran = repo.tryGit('stash', 'pop')
  expect(ran.status, ran.stderr).toBe(0)
  expect(repo.tryLedger('check').status).toBe(0)
  expectKept(repo, ['base', 'm1', 't1', 't2'])
})

test('an event that git add -N only announces is committed like a pending one', () => {
  const repo = based()
  const event = note(repo, 'pending')
  repo.git('add', '-N', event)
  repo.write('code.txt', 'x\n')
  repo.git('add', 'code.txt')
  repo.git('commit', '-q', '-m', 'code')
  expect(repo.tryLedger('check', '--rev', 'HEAD').stdout).toContain(': fresh:')
  expect(repo.changed()).toContain(event) // pending like any other
  expectKept(repo, ['base'])
})

longTest('an abbreviated git commit --amen keeps a pending event', () => {
  const repo = based()
  note(repo, 'pending')
  repo.git('commit', '-q', '--amen', '--no-edit')
  expectKept(repo, ['base'])
})

test('git commit -- event, given up in the editor, leaves the event staged', () => {
  const repo = based()
  const event = note(repo, 'pending')
  repo.git('add', event)
  const env = { GIT_EDITOR: 'false' }
  expect(repo.run('git', ['commit', '--', event], { env }).status).not.toBe(0)
  expect(repo.status()).toBe(`A  ${event}`)
})

describe('a stash that has a staged event under an unchanged current.md', () => {
  /** A stash on `commit` that has its current.md but other events. */
  function stashOn(repo: Repo, commit: string): void {
    repo.git('switch', '-q', '--detach', commit)
    repo.git('add', note(repo, 'stashed'))
    repo.git('stash', '-q')
    repo.git('switch', '-q', 'main')
  }

  test('is not taken for the commit that is picked', () => {
    const repo = diverged()
    stashOn(repo, 'topic')
    const ran = repo.tryGit('cherry-pick', 'topic')
    expect(ran.status, ran.stderr).toBe(0)
    expect(sortedWords(repo)).toEqual(['base', 'm1', 't2'])
    expectSound(repo)
  })

  longTest('is not taken for the parent of the commit that is reverted', () => {
    const repo = diverged()
    work(repo, 'm2')
    stashOn(repo, 'main~2')
    const ran = repo.tryGit('revert', '--no-edit', 'HEAD~1')
    expect(ran.status, ran.stderr).toBe(0)
    expect(sortedWords(repo)).toEqual(['base', 'm2'])
    expectSound(repo)
  })
})

test('a merge in another worktree does not see the pending event here', () => {
  const repo = diverged()
  const folder = join(repo.sandbox.folder, 'linked')
  repo.git('worktree', 'add', '-q', folder, 'topic')
  const event = note(repo, 'pending')
  const linked = repo.sandbox.at(folder)
  linked.git('merge', '-q', '--no-edit', 'main')
  expect(sortedWords(linked)).toEqual(['base', 'm1', 't1', 't2'])
  expectSound(linked)
  expect(repo.status()).toBe(`?? ${event}`)
})

describe('a pending event that an abort or a user deleted', () => {
  const ABORTS: Readonly<Record<string, (repo: Repo) => string>> = {
    'git add -A, rebase --abort': (repo) => {
      repo.git('switch', '-q', 'topic')
      const path = repo.event('--now', 'here')
      expect(repo.tryGit('rebase', '-q', 'main').status).toBe(1)
      repo.git('add', '-A')
      repo.git('rebase', '--abort')
      return path
    },
    // The commit that has the event disappears with the rebase: no branch ever had it.
    'git add -A, rebase --continue, rebase --abort': (repo) => {
      repo.git('switch', '-q', 'topic')
      repo.commit('clash again', { 'clash.txt': 'topic 2\n' })
      const path = repo.event('--now', 'here')
      expect(repo.tryGit('rebase', '-q', 'main').status).toBe(1)
      repo.write('clash.txt', 'both\n')
      repo.git('add', '-A')
      repo.ledger('resolve')
      expect(repo.tryGit('rebase', '--continue').status).toBe(1)
      expect(repo.git('log', '--format=%h', '--', path)).not.toBe('')
      repo.git('rebase', '--abort')
      return path
    },
    'git add, merge --abort': (repo) => {
      expect(repo.tryGit('merge', '--no-commit', '-q', 'topic').status).toBe(1)
      const path = repo.event('--now', 'here')
      repo.git('add', path)
      repo.git('merge', '--abort')
      return path
    },
  }
  test.each(sampleOf(Object.keys(ABORTS), 3))(
    '%s: status names the event, and restore brings it back',
    (name) => {
      const repo = clashing()
      const path = ABORTS[name]?.(repo) ?? ''
      const file = path.slice(path.lastIndexOf('/') + 1)
      expect(repo.exists(path)).toBe(false)
      const said = repo.ledger('status')
      expect(said).toContain(`damaged: ${file}`)
      expect(said).toContain(`ledger-git event restore ${file}, or ledger-git event drop ${file}`)
      repo.ledger('event', 'restore', file)
      expect(repo.read(path)).toContain('now: here')
      repo.git('commit', '-q', '--allow-empty', '-m', 'rest')
      expect(repo.git('show', '--format=', '--name-only')).toContain(path)
      expect(repo.exists(KEPT)).toBe(false)
    },
  )

  test('is forgotten for good by drop and by redact', () => {
    const repo = based()
    for (const way of ['drop', 'redact']) {
      const path = repo.event('--now', 'the word is hunter2 hunter2', '--allow-secret')
      expect(readdirSync(join(repo.folder, KEPT))).toHaveLength(1)
      if (way === 'redact') repo.write(path, '')
      else rmSync(join(repo.folder, path))
      repo.ledger('event', way, path)
      expect(repo.exists(KEPT)).toBe(false)
    }
    expect(repo.ledger('status')).not.toContain('damaged')
  })

  test('is not reported when another branch or the stash still has it', () => {
    const repo = based()
    const path = repo.event('--now', 'here')
    repo.git('stash', '-q', '-u')
    expect(repo.ledger('status')).not.toContain('damaged')
    repo.git('stash', 'pop', '-q')
    repo.git('switch', '-q', '-c', 'other')
    repo.git('add', path)
    repo.git('commit', '-q', '-n', '-m', 'without hooks')
    repo.git('switch', '-q', 'main')
    expect(repo.ledger('status')).not.toContain('damaged')
  })
})

longTest('an executable current.md stays executable and clean after commits with events', () => {
  const repo = based()
  chmodSync(join(repo.folder, CURRENT), 0o755)
  repo.commit('chmod')
  note(repo, 'one')
  repo.commit('work', { 'work.txt': 'work\n' })
  expect(repo.status()).toBe('')
  repo.event('--now', 'own', '--commit')
  expect(repo.status()).toBe('')
  expect(repo.git('ls-tree', 'HEAD', CURRENT)).toMatch(/^100755/)
})
