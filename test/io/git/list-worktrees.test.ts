/**
 * Which worktrees exist, with old and new versions of git; and git in a repository other than the one its environment
 * variables name.
 */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listWorktrees } from '../../../src/io/git/list-worktrees.ts'
import { elsewhere, Git } from '../../../src/io/process/exec.ts'
import { Sandbox } from '../../support/git-repo.ts'

const OLD_GIT = `#!/bin/sh
case " $* " in *" worktree list "*" -z "*) exit 129 ;; esac
PATH=\${PATH#*:} exec git "$@"
`

function worktrees() {
  const repo = new Sandbox().init()
  const head = repo.commit('first', { 'a.txt': 'a\n' })
  const at = (name: string) => join(repo.sandbox.folder, name)
  repo.git('worktree', 'add', '-q', '-b', 'topic/one', at('with a space'))
  repo.git('worktree', 'add', '-q', '--detach', at('detached'))
  repo.git('worktree', 'lock', '--reason', 'on a stick', at('detached'))
  return { repo, head, at }
}

test.each(['this git', 'a git before 2.36'])('lists branches and locks: %s', async (which) => {
  const { repo, head, at } = worktrees()
  const bin = at('bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), OLD_GIT)
  chmodSync(join(bin, 'git'), 0o755)
  const { PATH } = repo.sandbox.env
  const env = which === 'this git' ? { PATH } : { PATH: `${bin}:${PATH}` }
  const git = new Git(repo.folder, { ...repo.sandbox.env, ...env })
  const usual = { head, isBare: false, branch: undefined, locked: undefined }
  expect(await listWorktrees(git)).toEqual([
    { ...usual, path: repo.folder, branch: 'refs/heads/main' },
    { ...usual, path: at('detached'), locked: 'on a stick' },
    { ...usual, path: at('with a space'), branch: 'refs/heads/topic/one' },
  ])
})

test('lists a bare repository first, as bare', async () => {
  const { repo, head, at } = worktrees()
  repo.git('clone', '-q', '--bare', '.', at('bare.git'))
  const git = new Git(at('bare.git'), repo.sandbox.env)
  await git.output(['worktree', 'add', '-q', at('linked'), 'main'])
  const [bare, linked] = await listWorktrees(git)
  expect(bare).toMatchObject({ path: at('bare.git'), isBare: true, head: undefined })
  expect(linked).toMatchObject({ path: at('linked'), isBare: false, head })
})

test('elsewhere drops what git set for the repository of a hook', async () => {
  const [mine, other] = [worktrees().repo, worktrees().repo]
  const ofHook = { GIT_DIR: join(mine.folder, '.git'), GIT_INDEX_FILE: 'nowhere', GIT_PREFIX: 'x/' }
  const env = { ...mine.sandbox.env, ...ofHook, GIT_WORK_TREE: mine.folder }
  const git = new Git(other.folder, elsewhere(env))
  expect(await git.text(['rev-parse', '--show-toplevel'])).toBe(other.folder)
  expect(await git.lines(['ls-files'])).toEqual(['a.txt'])
})
