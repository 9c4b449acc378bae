/** Where a setting that names a command is defined, in git's own terms. */

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readPersonalConfig } from '../../../src/io/git/personal-config.ts'
import { Git } from '../../../src/io/process/exec.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

const KEY = 'ledger.summarizer'
const SECTION = '[ledger]\n\tsummarizer = evil\n'

let repo: Repo

function read(folder = repo.folder, env: Record<string, string> = {}) {
  const git = new Git(folder, { ...repo.sandbox.env, ...env })
  return readPersonalConfig(git, `${repo.folder}/.git`, KEY)
}

const refused = (file: string) => ({ kind: 'refused', origin: join(repo.folder, file) })

beforeEach(() => {
  repo = new Sandbox().init()
  repo.commit('first', { 'config.inc': SECTION, 'sub/a.txt': 'a\n' })
})

test('returns nothing for a setting that is not set', async () => {
  expect(await read()).toBeUndefined()
})

test('reads a setting of the user, of the repository or of a command line', async () => {
  repo.git('config', '--global', KEY, 'mine')
  expect(await read()).toEqual({ kind: 'value', value: 'mine' })
  repo.git('config', KEY, 'ours')
  expect(await read()).toEqual({ kind: 'value', value: 'ours' })
  expect(await read(join(repo.folder, 'sub'))).toEqual({ kind: 'value', value: 'ours' })
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: KEY, GIT_CONFIG_VALUE_0: 'once' }
  expect(await read(repo.folder, env)).toEqual({ kind: 'value', value: 'once' })
})

test.each([['../config.inc'], ['../sub/../config.inc'], ['../link.inc']])(
  'refuses a setting from a worktree file that the configuration includes as %s',
  async (path) => {
    symlinkSync('config.inc', join(repo.folder, 'link.inc'))
    repo.git('config', '--global', KEY, 'mine')
    repo.git('config', 'include.path', path)
    expect(await read()).toEqual(refused('config.inc'))
    expect(await read(join(repo.folder, 'sub'))).toEqual(refused('config.inc'))
  },
)

test('refuses a setting from a worktree file behind a link in the git folder', async () => {
  symlinkSync('../config.inc', join(repo.folder, '.git/extra'))
  repo.git('config', 'include.path', 'extra')
  expect(await read()).toEqual(refused('config.inc'))
})

test('refuses a setting from a file of any worktree', async () => {
  const other = join(repo.sandbox.folder, 'other')
  repo.git('worktree', 'add', '-q', other)
  repo.git('config', 'include.path', join(other, 'config.inc'))
  const origin = join(other, 'config.inc')
  expect(await read()).toEqual({ kind: 'refused', origin })
  expect(await read(other)).toEqual({ kind: 'refused', origin })
})
