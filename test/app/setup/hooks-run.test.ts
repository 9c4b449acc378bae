/** Installed hooks really run: a commit includes the event, and a stale ledger is not pushed. */

import { expect, test } from 'vitest'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { callFolder, CONFIGURATIONS } from './configurations.ts'
import { installIn, isHeadFresh } from './in-process.ts'
import { sampleOf } from '../../support/long.ts'

/** Without the command, whose start would take most of this test's time. */
function writeEvent(repo: Repo): void {
  const top = repo.sandbox.at(repo.git('rev-parse', '--show-toplevel'))
  const [current = ''] = top.git('ls-files', '-z', ':(glob)**/current.md').split('\0')
  const folder = current.replace(/[^/]*$/, 'events/')
  const text = '---\nts: 2026-01-02T00:00:00Z\nagent: toast\n---\n\nnow: really runs\n'
  top.write(`${folder}really-runs.md`, text)
}

const WITH_HOOKS = CONFIGURATIONS.filter(({ hasNoHooks }) => hasNoHooks !== true)

/** Commits a `current.md` that no event explains, without hooks. */
function commitStale(repo: Repo): void {
  const top = repo.sandbox.at(repo.git('rev-parse', '--show-toplevel'))
  const path = top.git('ls-files', '-z', ':(glob)**/current.md').replace('\0', '')
  top.write(path, top.read(path).replace('### Now\n', '### Now\n[->] by hand\n'))
  const ran = top.run('git', ['commit', '-qam', 'stale'], { env: { LEDGER_GIT: '0' } })
  if (ran.status !== 0) throw new Error(ran.stderr)
}

test.each(sampleOf(WITH_HOOKS, 20))(
  '$name: a commit is kept fresh, and a stale push is stopped',
  async (configuration) => {
    const repo = callFolder(configuration, configuration.make(new Sandbox()))
    await installIn(repo)
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'chore: set up')
    writeEvent(repo)
    repo.write('work.txt', 'work\n')
    repo.git('add', 'work.txt')

    repo.git('commit', '-q', '-m', 'feat: work')

    expect(await isHeadFresh(repo)).toBe(true)
    expect(
      repo.git('grep', '-h', '--full-name', 'really runs', 'HEAD', '--', ':/**/current.md'),
    ).toContain('[->] really runs')
    expect(repo.git('status', '--porcelain', '--', ':/thoughts', ':/work.txt')).toBe('')

    repo.git('init', '-q', '--bare', `${repo.sandbox.folder}/remote.git`)
    if (configuration.name === 'SHA-256 objects') {
      repo.git('init', '-q', '--bare', '--object-format=sha256', `${repo.sandbox.folder}/r256.git`)
    }
    const name = configuration.name === 'SHA-256 objects' ? 'r256.git' : 'remote.git'
    const remote = `${repo.sandbox.folder}/${name}`
    repo.git('push', '-q', remote, 'HEAD:refs/heads/good')
    commitStale(repo)
    const pushed = repo.tryGit('push', remote, 'HEAD:refs/heads/bad')
    expect(pushed.status).not.toBe(0)
    expect(pushed.stderr).toContain('push stopped: the ledger of bad')
    expect(repo.git('ls-remote', remote)).toContain('refs/heads/good')
  },
)
