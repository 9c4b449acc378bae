/**
 * Pushing checkpoints: to which remotes, what happens if both sides have new commits, and never at the expense of the
 * user's push.
 */

import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { joinIntoBranch } from '../../../src/app/checkpoint/join-branches.ts'
import type { PushOutcome } from '../../../src/app/checkpoint/push-checkpoints.ts'
import { pushCheckpoints, pushMessage } from '../../../src/app/checkpoint/push-checkpoints.ts'
import { writeCheckpoint } from '../../../src/app/checkpoint/write-checkpoint.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import type { TestContext } from '../../support/checkpoint-context.ts'
import { checkpointContext } from '../../support/checkpoint-context.ts'
import {
  BRANCH,
  commitFiles,
  filesOfBranch,
  ID,
  OTHER,
  record,
  scene,
  sessionsOf,
} from './checkpoints.ts'
import { longTest } from '../../support/long.ts'

const REF = `refs/heads/${BRANCH}`

/** Two clones of one bare repository. If `isShared`, that repository has the branch with checkpoint `OTHER`. */
async function team(isShared = true) {
  const { repo, context } = await scene()
  repo.git('init', '-q', '--bare', '../remote.git')
  repo.git('remote', 'add', 'origin', '../remote.git')
  if (isShared) await writeCheckpoint(context, OTHER, [record('s0')])
  repo.git('push', '-q', 'origin', 'main', ...(isShared ? [BRANCH] : []))
  repo.git('clone', '-q', '../remote.git', '../second')
  const second = repo.sandbox.at(`${repo.sandbox.folder}/second`)
  const remote = repo.sandbox.at(`${repo.sandbox.folder}/remote.git`)
  const theirs = await checkpointContext(second.folder, repo.sandbox.env)
  return { repo, context, second, theirs, remote }
}

function push(
  context: TestContext,
  about: Partial<Parameters<typeof pushCheckpoints>[1]> = {},
): Promise<PushOutcome> {
  const request = { remote: 'origin', refs: ['refs/heads/main'], settings: DEFAULT_SETTINGS }
  return pushCheckpoints(context, { ...request, wish: undefined, ...about })
}

test('pushes to a remote that has the branch; a second push has nothing to do and contacts nobody', async () => {
  const { repo, context, remote } = await team()
  await writeCheckpoint(context, ID, [record('s1')])
  expect(await push(context)).toEqual({ kind: 'pushed', isJoined: false })
  expect(remote.git('rev-parse', REF)).toBe(repo.git('rev-parse', REF))
  repo.git('remote', 'set-url', 'origin', '/nowhere')
  expect(await push(context)).toEqual({ kind: 'up-to-date' })
})

describe('does not push unasked', () => {
  test('to a remote without the branch, unless the user requests it', async () => {
    const { context, remote } = await team(false)
    await writeCheckpoint(context, ID, [record('s1')])
    expect(await push(context)).toEqual({ kind: 'not-shared' })
    expect(remote.tryGit('rev-parse', '-q', '--verify', REF).status).toBe(1)
    expect(await push(context, { wish: '1' })).toEqual({ kind: 'pushed', isJoined: false })
    expect(sessionsOf(remote, ID)).toEqual(['s1'])
  })

  test('if switched off, in a dry run, when the branch itself is pushed, or without a branch', async () => {
    const { context, theirs, remote } = await team()
    await writeCheckpoint(context, ID, [record('s1')])
    const before = remote.git('rev-parse', REF)
    const off = { ...DEFAULT_SETTINGS, pushCheckpoints: false }
    expect(await push(context, { settings: off })).toEqual({ kind: 'off' })
    expect(await push(context, { wish: '0' })).toEqual({ kind: 'off' })
    expect(await push(context, { wish: '1', isDry: true })).toEqual({ kind: 'off' })
    expect(await push(context, { refs: [REF] })).toEqual({ kind: 'own-push' })
    expect(await push(theirs)).toEqual({ kind: 'nothing' })
    expect(remote.git('rev-parse', REF)).toBe(before)
  })
})

test("joins both sides' new checkpoints, loses none, and leaves the clones equal", async () => {
  const { repo, context, second, theirs, remote } = await team()
  await writeCheckpoint(context, ID, [record('s1')])
  expect(await push(context)).toMatchObject({ kind: 'pushed' })
  await writeCheckpoint(theirs, ID, [record('s2')]) // a history of its own
  second.write('.git/FETCH_HEAD', 'mine\n')
  expect(await push(theirs)).toEqual({ kind: 'pushed', isJoined: true })
  expect(sessionsOf(remote, ID)).toEqual(['s1', 's2'])
  expect(sessionsOf(remote, OTHER)).toEqual(['s0'])
  expect(second.git('rev-parse', BRANCH)).toBe(remote.git('rev-parse', BRANCH))
  expect(second.git('log', '-1', '--format=%P', BRANCH).split(' ')).toHaveLength(2)
  expect(second.read('.git/FETCH_HEAD')).toBe('mine\n')
  expect(second.git('for-each-ref', 'refs/ledger')).toBe('')
  // The first clone is now behind: it fast-forwards and pushes nothing.
  repo.git('update-ref', '-d', `refs/remotes/origin/${BRANCH}`)
  expect(await push(context)).toEqual({ kind: 'up-to-date' })
  expect(repo.git('rev-parse', BRANCH)).toBe(remote.git('rev-parse', BRANCH))
})

longTest(
  'joins to the same tree whatever the order of the sides, and joining again changes nothing',
  async () => {
    const trees = await Promise.all(
      [false, true].map(async (isTurned) => {
        const { repo, context } = await scene()
        const [first, next] = isTurned ? ['s2', 's1'] : ['s1', 's2']
        const newer = { '01/23456789ab/metadata.json': '{"version":2}', x: first ?? '' }
        const side = async (session: string, isNewer: boolean) => {
          if (repo.tryGit('rev-parse', '--verify', '-q', REF).status === 0)
            repo.git('update-ref', '-d', REF)
          await writeCheckpoint(context, OTHER, [record(session)])
          commitFiles(repo, { x: session, ...(isNewer ? newer : {}) })
          if (isNewer) commitFiles(repo, { x: session })
          return writeCheckpoint(context, ID, [record(session)])
        }
        const ours = await side(first ?? '', first === 's1')
        const theirs = await side(next ?? '', next === 's1')
        repo.git('update-ref', REF, ours)
        const joined = await joinIntoBranch(context, theirs)
        expect(await joinIntoBranch(context, theirs)).toBe(joined)
        expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('')
        return filesOfBranch(repo).map((path) => [path, repo.git('show', `${BRANCH}:${path}`)])
      }),
    )
    expect(trees[0]).toEqual(trees[1])
    const paths = (trees[0] ?? []).map(([path]) => path)
    expect(paths).toEqual(expect.arrayContaining(['01/aaaaaaaaaa/1/context.md']))
    expect(paths.filter((path) => path?.startsWith('x.'))).toHaveLength(1)
    expect(paths).toEqual(
      expect.arrayContaining(['01/23456789ab/0/context.md', '01/23456789ab/1/context.md']),
    )
  },
)

test('a checkpoint that one side removed stays removed', async () => {
  const { repo, context } = await scene()
  await writeCheckpoint(context, ID, [record('leaked')])
  const base = await writeCheckpoint(context, OTHER, [record('s0')])
  const shard = repo.git('rev-parse', `${base}:01`)
  const kept = repo
    .git('ls-tree', shard)
    .split('\n')
    .filter((line) => !line.includes('23456789ab'))
  const mktree = (text: string) => repo.run('git', ['mktree'], { input: text }).stdout.trim()
  const tree = mktree(`040000 tree ${mktree(`${kept.join('\n')}\n`)}\t01\n`)
  const purged = repo.git('commit-tree', tree, '-p', base, '-m', 'out')
  await writeCheckpoint(context, OTHER, [record('s3')])
  await joinIntoBranch(context, purged)
  expect(sessionsOf(repo, OTHER)).toEqual(['s0', 's3'])
  expect(filesOfBranch(repo).filter((path) => path.includes('23456789ab'))).toEqual([])
})

describe('a push of checkpoints', () => {
  test('to an unreachable remote fails without printing the password', async () => {
    const { repo, context } = await team()
    await writeCheckpoint(context, ID, [record('s1')])
    repo.git('remote', 'set-url', 'origin', 'https://user:pass1234@127.0.0.1:1/x.git')
    const outcome = await push(context)
    expect(outcome.kind).toBe('failed')
    const message = pushMessage(outcome, 'origin')
    expect(message).toContain('not pushed to origin')
    expect(message).not.toContain('pass1234')
  })

  test('that the server rejects fails with the reason', async () => {
    const { context, remote } = await team()
    await writeCheckpoint(context, ID, [record('s1')])
    remote.write('hooks/pre-receive', '#!/bin/sh\nexit 1\n')
    remote.chmod('hooks/pre-receive', 0o755)
    expect(await push(context)).toEqual({
      kind: 'failed',
      reason: '[remote rejected] (pre-receive hook declined)',
    })
  })

  longTest(
    'that prompts or hangs is given up, together with the processes it started',
    async () => {
      const { repo, context } = await team()
      await writeCheckpoint(context, ID, [record('s1')])
      const ssh = `${repo.sandbox.folder}/ssh`
      const seen = `${repo.sandbox.folder}/seen`
      writeFileSync(
        ssh,
        `#!/bin/sh\necho "$$ $GIT_TERMINAL_PROMPT [$GIT_ASKPASS] $*" >>${seen}\n` +
          `(exec 3</dev/tty) 2>/dev/null && echo tty >>${seen}\nsleep 60 & sleep 60; echo ended >>${seen}\n`,
        { mode: 0o755 },
      )
      repo.git('config', 'core.sshCommand', ssh)
      repo.git('remote', 'set-url', 'origin', 'ssh://host/x.git')
      const settings = { ...DEFAULT_SETTINGS, pushTimeoutMillis: 1500 }
      expect(await push(context, { settings })).toMatchObject({ kind: 'failed' })
      const said = repo.read('../seen')
      expect(said).toMatch(/^\d+ 0 \[\] .*-o BatchMode=yes/)
      expect(said).not.toMatch(/tty|ended/)
      const pid = Number(said.split(' ')[0])
      // Gone, or a zombie.
      const state = () => repo.run('ps', ['-o', 'stat=', '-p', String(pid)]).stdout
      await expect.poll(state).toMatch(/^(?:Z.*)?\s*$/)
    },
  )

  test("runs no pre-push hook and ignores the user's push settings", async () => {
    const { repo, context } = await team()
    await writeCheckpoint(context, ID, [record('s1')])
    for (const hook of ['pre-push', 'reference-transaction']) {
      repo.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >>"${repo.folder}/ran"\nexit 0\n`)
      repo.chmod(`.git/hooks/${hook}`, 0o755)
    }
    repo.git('config', 'push.gpgSign', 'true')
    repo.git('config', 'push.pushOption', 'ci.skip')
    repo.git('config', 'push.followTags', 'true')
    repo.git('tag', '-a', '-m', 'x', 'v1')
    expect(await push(context)).toMatchObject({ kind: 'pushed' })
    const ran = repo.exists('ran') ? repo.read('ran') : ''
    expect(ran).not.toContain('pre-push')
    expect(repo.git('ls-remote', 'origin', 'refs/tags/*')).toBe('')
  })
})
