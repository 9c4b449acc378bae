/** What the launcher asks git on behalf of an agent's hook is what the hook would have asked itself. */

import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { discover } from '../../../src/io/git/discover.ts'
import { Git } from '../../../src/io/process/exec.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

/** The answers as the launcher passes them on. */
function toldIn(repo: Repo): string {
  const { folder, env } = repo.sandbox
  const at = (name: string) => join(folder, name)
  copyFileSync(fileURLToPath(new URL('../../../githooks/run', import.meta.url)), at('run'))
  // In place of Node: prints what the command would get.
  writeFileSync(at('node'), '#!/bin/sh\nprintf %s "$LEDGER_GIT_PLACE"\n', { mode: 0o755 })
  writeFileSync(at('cli.js'), '')
  writeFileSync(at('launch'), `${at('node')}\n${at('cli.js')}\n`)
  const words = [at('run'), 'agent-hook', 'claude', 'Stop']
  return spawnSync('sh', words, { cwd: repo.folder, env, input: '' }).stdout.toString()
}

function placeIn({ folder, sandbox }: Repo, told: string, path = '/nowhere') {
  return discover(new Git(folder, { ...sandbox.env, LEDGER_GIT_PLACE: told, PATH: path }))
}

test('discover takes the launcher’s answers at the top, below it and in a linked worktree, without git', async () => {
  const repo = new Sandbox().init('a repo')
  repo.commit('first', { 'a folder/file': '' })
  repo.git('worktree', 'add', '-q', '../linked')
  const { sandbox, folder } = repo
  for (const one of [folder, `${folder}/a folder`, join(sandbox.folder, 'linked')]) {
    const here = sandbox.at(one)
    const asked = await discover(new Git(one, sandbox.env))
    expect(await placeIn(here, toldIn(here))).toEqual(asked) // without git
  }
})

test('discover asks git if the answers are of another folder, cut short or have a line too many', async () => {
  const repo = new Sandbox().init()
  const path = process.env['PATH']
  const asked = await discover(new Git(repo.folder, repo.sandbox.env))
  const told = toldIn(repo)
  expect(told.split('\n')).toHaveLength(9)
  const elsewhere = toldIn(repo.sandbox.at(`${repo.folder}/.git`))
  for (const text of ['', '\n', told.replace('\n', '/x\n'), told.slice(0, -2), `${told}\n`]) {
    await expect(placeIn(repo, text), text).rejects.toThrow('git')
    expect(await placeIn(repo, text, path), text).toEqual(asked)
  }
  expect(elsewhere.split('\n').length).toBeLessThan(9)
})

test('discover asks in the other repository if GIT_DIR names one', async () => {
  const repo = new Sandbox().init()
  const other = repo.sandbox.init('other')
  const env = { ...repo.sandbox.env, GIT_DIR: join(other.folder, '.git') }
  const asked = await discover(new Git(repo.folder, env))
  expect(asked.gitDir).toBe(env.GIT_DIR)
  const told = { ...env, LEDGER_GIT_PLACE: toldIn(repo) }
  expect(await discover(new Git(repo.folder, told))).toEqual(asked)
})

test('discover gives the same through a link to the top or to a folder below it', async () => {
  const repo = new Sandbox().init()
  repo.write('a/b/file', '')
  const { sandbox, folder } = repo
  for (const [i, target] of [folder, `${folder}/a/b`].entries()) {
    const link = join(sandbox.folder, `link-${i}`)
    symlinkSync(target, link)
    const real = await discover(new Git(target, sandbox.env))
    expect(await discover(new Git(link, sandbox.env))).toEqual(real)
  }
})

test('discover names what this git lacks to read a repository, and what helps', async () => {
  const repo = new Sandbox().init()
  repo.git('config', 'core.repositoryFormatVersion', '1')
  repo.git('config', 'extensions.fromTomorrow', 'true')
  await expect(discover(new Git(repo.folder, repo.sandbox.env))).rejects.toMatchObject({
    message: 'unknown repository extension found: fromtomorrow',
    next: expect.stringContaining('newer git'),
  })
})

const NO_TOOLS =
  'xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: ' +
  '/Library/Developer/CommandLineTools/usr/bin/xcrun'
const NO_CACHE =
  "xcrun: error: couldn't create cache file '/tmp/xcrun_db-x1' (errno=Operation not permitted)"

// After an update of macOS, /usr/bin/git finds no git that it could start.
test.each([
  [NO_TOOLS, { code: 'GIT_MISSING', next: 'xcode-select --install' }],
  [
    'xcode-select: note: No developer tools were found, requesting install.',
    { code: 'GIT_MISSING', next: 'xcode-select --install' },
  ],
  [
    'You have not agreed to the Xcode license agreements.',
    { code: 'GIT_MISSING', next: 'sudo xcodebuild -license' },
  ],
  [`${NO_CACHE}\nfatal: not a git repository`, { code: 'NOT_A_REPOSITORY' }],
])(
  'discover distinguishes a git that macOS lacks from a missing repository: %s',
  async (said, about) => {
    const { folder, env } = new Sandbox()
    writeFileSync(join(folder, 'git'), `#!/bin/sh\ncat >&2 <<'end'\n${said}\nend\nexit 1\n`)
    chmodSync(join(folder, 'git'), 0o755)
    const git = new Git(folder, { ...env, PATH: `${folder}:/usr/bin:/bin` })
    await expect(discover(git)).rejects.toMatchObject(about)
  },
)
