import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { openRepository } from '../../../src/io/git/repository.ts'
import { trackerContext } from '../../../src/io/tracker/tracker-context.ts'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'

const PATH = '.claude/handoffs/a [1].md'

async function contextOf(repo: Repo, env: NodeJS.ProcessEnv = {}) {
  const all = { ...repo.sandbox.env, ...env }
  const repository = await openRepository(repo.folder, all)
  const secrets = async () => {
    throw new Error('not asked')
  }
  return trackerContext(repository, {
    env: all,
    clock: { now: () => 0 },
    secrets,
    log: () => {},
    say: () => {},
  })
}

test('linkOf links the newest commit with the handoff once a remote has it', async () => {
  const repo = new Sandbox().init('repo')
  repo.git('remote', 'add', 'team', 'git@github.com:o/r.git')
  repo.write(PATH, 'one\n')
  repo.commit('handoff')
  const { linkOf } = await contextOf(repo)
  expect(await linkOf(PATH, 0)).toBeUndefined()
  // As a push leaves it.
  const pushed = repo.git('rev-parse', 'HEAD').trim()
  repo.git('update-ref', 'refs/remotes/team/main', 'HEAD')
  repo.git('rm', '-q', PATH)
  repo.git('commit', '-q', '-m', 'gone')
  repo.git('update-ref', 'refs/remotes/team/main', 'HEAD')
  const link = `https://github.com/o/r/blob/${pushed}/.claude/handoffs/a%20%5B1%5D.md`
  expect(await linkOf(PATH, 0)).toBe(link)
  expect(await linkOf('.claude/handoffs/a ?1?.md', 0)).toBeUndefined()
  // Nothing older than the item is searched.
  expect(await linkOf(PATH, Date.parse('2999-01-01'))).toBeUndefined()
})

test('the sender gets back the variables that the launcher removed', async () => {
  const repo = new Sandbox().init('repo')
  const home = join(repo.folder, '.git/ledger-git')
  mkdirSync(home, { recursive: true })
  const seen = join(repo.sandbox.folder, 'seen')
  const script = `#!/bin/sh\necho "$* $NODE_EXTRA_CA_CERTS $NODE_OPTIONS" >'${seen}.tmp'; mv '${seen}.tmp' '${seen}'\n`
  writeFileSync(join(home, 'run'), script)
  chmodSync(join(home, 'run'), 0o755)
  const { startSender } = await contextOf(repo, {
    NODE_EXTRA_CA_CERTS: undefined,
    NODE_OPTIONS: '--own',
    LEDGER_GIT_NODE_EXTRA_CA_CERTS: '/etc/team.pem',
    LEDGER_GIT_NODE_OPTIONS: '--kept',
  })
  startSender()
  const words = await vi.waitFor(() => readFileSync(seen, 'utf8'), { timeout: 10_000 })
  expect(words).toBe('tracker flush --due /etc/team.pem --own\n')
})

test('the launcher saves these variables for hooks, which may start a sender', () => {
  const repo = new Sandbox().init('repo')
  const tool = join(repo.sandbox.folder, 'tool')
  writeFileSync(tool, '#!/bin/sh\nenv | grep -E "^(LEDGER_GIT_NODE|NODE)_" | sort\n')
  chmodSync(tool, 0o755)
  const run = (...words: string[]) => {
    const launcher = fileURLToPath(new URL('../../../githooks/run', import.meta.url))
    const env = { LEDGER_GIT_BIN: tool, NODE_EXTRA_CA_CERTS: '/etc/team.pem', NODE_OPTIONS: '--x' }
    return repo.run('sh', [launcher, ...words], { env }).stdout
  }
  const kept = 'LEDGER_GIT_NODE_EXTRA_CA_CERTS=/etc/team.pem\nLEDGER_GIT_NODE_OPTIONS=--x\n'
  expect(run('agent-hook', 'claude-code', 'Stop')).toBe(kept)
  expect(run('tracker', 'flush')).toBe('NODE_EXTRA_CA_CERTS=/etc/team.pem\nNODE_OPTIONS=--x\n')
})
