/** `install --ci`: which files it writes, and their content. Their jobs are tested in ci-jobs and ci-hostile. */

import { expect, test } from 'vitest'
import { GITHUB_FILE, GITLAB_FILE, readGithub, readGitlab } from '../../support/ci-job.ts'
import { VERSION } from '../../support/ci-host.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'

test("writes both hosts' files, and uninstall removes them", () => {
  const repo = ledgerRepo()
  const ran = repo.tryLedger('install', '--ci', 'github', '--ci', 'gitlab')
  expect(ran.status).toBe(0)
  expect(ran.stderr).toContain(`git add ${GITHUB_FILE} ${GITLAB_FILE}`)
  expect(Object.keys(readGithub(repo).jobs)).toEqual(['check', 'merge-base', 'fleet'])
  expect(Object.keys(readGitlab(repo))).toEqual([
    'ledger-git:check',
    'ledger-git:merge-base',
    'ledger-git:fleet',
  ])
  repo.ledger('uninstall')
  expect([repo.exists('.github'), repo.exists('.gitlab')]).toEqual([false, false])
})

test('writes nothing if one host is unknown', () => {
  const repo = ledgerRepo()
  const ran = repo.tryLedger('install', '--ci', 'github', '--ci', 'bitbucket')
  expect(ran.status).toBe(2)
  expect(ran.stderr).toContain('bitbucket')
  expect(repo.exists(GITHUB_FILE)).toBe(false)
})

test('the files name the version that wrote them, and have no placeholder left', () => {
  const repo = ledgerRepo()
  repo.ledger('install', '--ci', 'github', '--ci', 'gitlab')
  for (const path of [GITHUB_FILE, GITLAB_FILE]) {
    const text = repo.read(path)
    expect(text.match(/ledger-git@[\d.]+/g)).toEqual(Array(3).fill(`ledger-git@${VERSION}`))
    expect(text).not.toMatch(/<[a-z-]+(?:\.sh)?>/)
    expect(text).not.toMatch(/npx|[ \t]$/m)
  }
})

test('github: a job has only the permissions it needs, and its actions are pinned', () => {
  const repo = ledgerRepo()
  repo.ledger('install', '--ci', 'github')
  const text = repo.read(GITHUB_FILE)
  const { permissions, jobs } = readGithub(repo)
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs['check']?.permissions).toBeUndefined()
  expect(jobs['merge-base']?.permissions).toEqual({ contents: 'write', 'pull-requests': 'read' })
  const uses = [...text.matchAll(/uses: (\S+)/g)].map(([, name]) => name ?? '')
  expect(uses.filter((name) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(name))).toEqual([])
  expect(text.match(/persist-credentials: false/g)).toHaveLength(3)
  expect(jobs['fleet']?.permissions).toBeUndefined()
  expect(text).not.toContain('pull_request_target')
  const withSecret = jobs['merge-base']?.steps.filter((step) =>
    JSON.stringify(step).includes('secrets.'),
  )
  expect(withSecret?.map(({ name }) => name)).toEqual(['Push what was merged'])
})

test('gitlab: every job takes the write token out of its environment before it starts anything', () => {
  const repo = ledgerRepo()
  repo.ledger('install', '--ci', 'gitlab')
  const first = Object.values(readGitlab(repo)).map(({ script }) => script[0])
  expect(first).toEqual([
    'unset LEDGER_GIT_TOKEN',
    'token=$LEDGER_GIT_TOKEN; unset LEDGER_GIT_TOKEN',
    'unset LEDGER_GIT_TOKEN',
  ])
})

const UNKNOWN = 'DEFAULT-BRANCH'

/** The branches that the workflow names, and what `install` said. */
function defaultBranch(repo: Repo): { branches: string[]; said: string } {
  const { status, stderr } = repo.tryLedger('install', '--ci', 'github')
  expect(status).toBe(0)
  return { branches: readGithub(repo).on.push.branches, said: stderr }
}

test("the default branch is the remote's, whichever branch is checked out", () => {
  const repo = ledgerRepo('repo', '-b', 'trunk/next')
  repo.git('clone', '-q', '.', '../clone')
  const clone = repo.sandbox.at(`${repo.sandbox.folder}/clone`)
  clone.git('switch', '-q', '-c', 'feature/x')
  expect(defaultBranch(clone)).toMatchObject({ branches: ['trunk/next'] })
})

const BEGUN: [string, string, string[]][] = [
  ['main', 'init', ['main']],
  ['master', 'init', ['master']],
  ['trunk', 'trunk', ['trunk']],
  ['feature/y', 'main', [UNKNOWN]],
]
test.each(sampleOf(BEGUN, 4))(
  'without a remote, the default branch of a repository begun on %s (init.defaultBranch %s) is %j',
  (...row) => {
    const [first, configured, expected] = row
    const repo = ledgerRepo('repo', '-b', first)
    repo.git('config', 'init.defaultBranch', configured)
    repo.git('switch', '-q', '-c', 'feature/x')
    const { branches, said } = defaultBranch(repo)
    expect(branches).toEqual(expected)
    expect(said.includes(`in ${GITHUB_FILE}, replace ${UNKNOWN} with it`)).toBe(
      expected[0] === UNKNOWN,
    )
  },
)

test('before the first commit, the default branch is the unborn one, unless that is a feature branch', () => {
  const sandbox = ledgerRepo().sandbox
  expect(defaultBranch(sandbox.init('unborn', '-b', 'master')).branches).toEqual(['master'])
  expect(defaultBranch(sandbox.init('other', '-b', 'main/x')).branches).toEqual([UNKNOWN])
})

test('keeps a workflow that the team changed, and uninstall removes an unchanged one', () => {
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

test('a workflow that another clone or release wrote is not called changed', () => {
  const repo = ledgerRepo()
  repo.ledger('install', '--ci', 'gitlab')
  const older = repo.read(GITLAB_FILE).replaceAll('    - unset LEDGER_GIT_TOKEN\n', '')
  repo.commit('chore: ci', { [GITLAB_FILE]: older })
  repo.git('clone', '-q', '.', '../clone')
  const clone = repo.sandbox.at(`${repo.sandbox.folder}/clone`)
  const { stderr } = clone.tryLedger('install', '--ci', 'gitlab')
  expect(stderr).toContain(
    `${GITLAB_FILE} is not what ledger-git ${VERSION} writes here, and stays; to have it regenerated, delete it first`,
  )
  expect(clone.read(GITLAB_FILE)).toBe(older)
})

test('gitlab: says what is left to do until it is done', () => {
  const repo = ledgerRepo()
  const line = 'local: .gitlab/ledger-git.yml'
  expect(repo.tryLedger('install', '--ci', 'gitlab').stderr).toContain(line)
  repo.write('.gitlab-ci.yml', `include:\n  - ${line}\n`)
  expect(repo.tryLedger('install', '--ci', 'gitlab').stderr).not.toContain(line)
})
