/** The workflows that `install --ci` writes: their own scripts, run on real git beside a fake host. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { CLI, CURRENT, ledgerRepo } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import { isHeadFresh } from './in-process.ts'
import { sampleOf } from '../../support/long.ts'

interface Workflow {
  readonly on: { push: { branches: string[] } }
  readonly jobs: Record<string, { steps: { run?: string; env?: Record<string, string> }[] }>
}

type GitlabFile = Record<string, { script: string[] }>

/** Programs of the host's machine: `npx` runs this build, the others answer with these branches. */
function hostPath(repo: Repo, branches: readonly string[]): string {
  const folder = join(repo.sandbox.folder, 'host')
  mkdirSync(folder)
  const program = (name: string, body: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  program('npx', `shift 2; exec '${process.execPath}' '${CLI}' "$@"`)
  program('gh', branches.map((branch) => `echo '${branch}'`).join('\n'))
  const requests = branches.map((name) => ({
    source_branch: name,
    source_project_id: 7,
    project_id: 7,
  }))
  program('curl', `cat <<'E'\n${JSON.stringify(requests)}\nE`)
  return `${folder}:${process.env['PATH']}`
}

const BRANCHES = ['toast', 'other conflict', 'clean', 'stale']

/** A remote whose main moved on, with branches that the host would and would not merge. */
function teamRepo(): Repo {
  const repo = ledgerRepo()
  repo.commit('feat: shared', { 'shared.txt': 'base\n' })
  const branch = (name: string, files: Record<string, string>) => {
    repo.git('switch', '-q', '-c', name.replace(' ', '-'), 'main')
    repo.commit(name, files)
  }
  const withEvent = (name: string, files: Record<string, string> = {}) => {
    repo.git('switch', '-q', '-c', name.replace(' ', '-'), 'main')
    repo.event('--agent', 'agent', '--done', name)
    repo.commit(name, { [`${name}.txt`]: 'x\n', ...files })
  }
  withEvent('toast')
  withEvent('other conflict', { 'shared.txt': 'theirs\n' })
  branch('clean', { 'clean.txt': 'x\n' })
  repo.git('switch', '-q', 'main')
  repo.event('--agent', 'main', '--done', 'on main')
  repo.commit('feat: main', { 'shared.txt': 'ours\n' })
  repo.git('init', '-q', '--bare', '-b', 'main', '../remote.git')
  repo.git('remote', 'add', 'origin', '../remote.git')
  repo.git('push', '-q', 'origin', '--all')
  return repo
}

/** A fresh clone, as a job of the host gets it: nothing installed. */
function jobClone(repo: Repo): Repo {
  repo.git('clone', '-q', '../remote.git', '../job')
  return repo.sandbox.at(join(repo.sandbox.folder, 'job'))
}

function tips(repo: Repo): Record<string, string> {
  const lines = repo.git('ls-remote', '--heads', 'origin').split('\n')
  return Object.fromEntries(lines.map((line) => line.split('\trefs/heads/').toReversed()))
}

function scriptOf(repo: Repo, host: 'github' | 'gitlab'): string {
  repo.ledger('install', '--ci', host)
  if (host === 'gitlab') {
    const file = parse(repo.read('.gitlab/ledger-git.yml')) as GitlabFile
    const [script = ''] = file['ledger-git:merge-base']?.script ?? []
    return script.replace(/^git remote set-url .*$/m, '')
  }
  const file = parse(repo.read('.github/workflows/ledger-git.yml')) as Workflow
  expect(file.on.push.branches).toEqual(['main'])
  return file.jobs['merge-base']?.steps.find(({ run }) => run !== undefined)?.run ?? 'false'
}

test.each(sampleOf(['github', 'gitlab'] as const, 2))(
  '%s: the base is merged where only the ledger is in the way',
  async (host) => {
    const repo = teamRepo()
    const script = scriptOf(repo, host)
    const job = jobClone(repo)
    const before = tips(repo)
    const names = BRANCHES.map((name) => name.replace(' ', '-'))

    const ran = job.run('bash', ['-e', '-c', script], {
      env: { PATH: hostPath(repo, names), BASE: 'main', LEDGER_GIT_TOKEN: 'x' },
    })

    expect(ran.stderr + ran.stdout, 'one branch is gone').toContain('stale')
    expect(ran.status, ran.stderr).toBe(0)
    const after = tips(repo)
    const moved = Object.keys(after).filter((name) => after[name] !== before[name])
    expect(moved).toEqual(['toast'])
    job.git('fetch', '-q')
    job.git('switch', '-q', '--detach', 'origin/toast')
    expect(job.read(CURRENT)).toContain('- [x] toast\n- [x] on main\n')
    expect(await isHeadFresh(job)).toBe(true)
    expect(job.git('merge-base', 'HEAD', 'origin/main')).toBe(job.git('rev-parse', 'origin/main'))
    expect(job.git('status', '--porcelain')).toBe('')
  },
)

test('the check step passes fresh commits and fails on a stale one', () => {
  const repo = teamRepo()
  repo.ledger('install', '--ci', 'github')
  const file = parse(repo.read('.github/workflows/ledger-git.yml')) as Workflow
  const step = file.jobs['check']?.steps.find(({ run }) => run !== undefined)
  const job = jobClone(repo)
  const PATH = hostPath(repo, [])
  const check = (HEAD: string) =>
    job.run('bash', ['-e', '-c', step?.run ?? ''], { env: { PATH, BASE: 'origin/main', HEAD } })
  expect(check('origin/toast').status).toBe(0)
  job.git('switch', '-q', 'toast')
  job.write(CURRENT, `${job.read(CURRENT)}by hand\n`)
  job.git('commit', '-qam', 'stale')
  expect(check('toast').status).toBe(1)
})

test('a workflow that the team changed stays; one that nobody changed is written anew', () => {
  const repo = ledgerRepo()
  const path = '.github/workflows/ledger-git.yml'
  const first = repo.tryLedger('install', '--ci', 'github')
  expect(first.stderr).toContain(`git add ${path}`)
  const written = repo.read(path)
  repo.write(path, `${written}# ours\n`)
  expect(repo.tryLedger('install', '--ci', 'github').stderr).toContain(
    `${path} was changed and stays`,
  )
  expect(repo.read(path)).toBe(`${written}# ours\n`)
  repo.git('rm', '-q', '--cached', '--ignore-unmatch', path)
  repo.write(path, written)
  repo.ledger('uninstall')
  expect(repo.exists('.github')).toBe(false)
})

test('gitlab: what is left to do is said, until it is done', () => {
  const repo = ledgerRepo()
  const line = 'local: .gitlab/ledger-git.yml'
  expect(repo.tryLedger('install', '--ci', 'gitlab').stderr).toContain(line)
  repo.write('.gitlab-ci.yml', `include:\n  - ${line}\n`)
  expect(repo.tryLedger('install', '--ci', 'gitlab').stderr).not.toContain(line)
})
