/** git-lfs refuses to touch hooks that it does not know. */

import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { needsHookFiles, notRunUnless } from '../support/not-run.ts'
import { installIn, uninstallIn } from '../app/setup/in-process.ts'
import type { Repo } from '../support/git-repo.ts'
import { gitLfs, NOT_HERE } from './managers.ts'
import { commitAndPush, commitSetUp, held, must, run, watchedSandbox, workplace } from './work.ts'

/** Names of the large objects in the remote. */
function objectsIn(repo: Repo): string[] {
  const folder = `${repo.sandbox.folder}/remote.git/lfs/objects`
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => name.length === 64)
}

describe.skipIf(notRunUnless(gitLfs.isHere, 'git-lfs', NOT_HERE))('git-lfs', () => {
  test('uploads large files in a push, with our hook beside it', async () => {
    const repo = workplace(watchedSandbox())
    gitLfs.setUp(repo)
    await installIn(repo)
    repo.write('.gitattributes', `${repo.read('.gitattributes')}*.big filter=lfs -text\n`)
    commitSetUp(repo)
    repo.git('init', '-q', '--bare', '../remote.git')
    repo.write('a.big', 'a large file\n')
    repo.git('add', 'a.big')
    const oid = /oid sha256:([0-9a-f]{64})/.exec(repo.git('show', ':a.big'))?.[1]
    // To a local folder git-lfs uploads only by URL.
    const remote = `file://${repo.sandbox.folder}/remote.git`
    expect(await commitAndPush(repo, remote)).toEqual(held(gitLfs))
    expect(objectsIn(repo)).toEqual([oid])
  })

  // Where git runs us from its configuration, no hook file of ours is in the way.
  test.skipIf(needsHookFiles('after ours: it refuses, and its lines work by hand'))(
    'refuses to install over our hooks, and works beside them when its lines are added by hand',
    async () => {
      const repo = workplace(watchedSandbox())
      await installIn(repo)
      commitSetUp(repo)
      repo.git('init', '-q', '--bare', '../remote.git')
      const ran = run(repo, 'git', ['lfs', 'install', '--local'])
      expect(ran.status).not.toBe(0)
      expect(ran.stdout + ran.stderr).toContain('Hook already exists: pre-push')
      expect(await commitAndPush(repo)).toMatchObject({ ...held(gitLfs), jobs: [] })

      // As `git lfs update --manual` says: the same line at the end of the hook.
      for (const hook of gitLfs.jobs) {
        const path = `.git/hooks/${hook}`
        const ours = repo.exists(path) ? repo.read(path) : '#!/bin/sh\n'
        repo.write(path, `${ours}sh "$RECORDER" ${hook} "$@" </dev/null\ngit lfs ${hook} "$@"\n`)
        repo.chmod(path, 0o755)
      }
      expect(await commitAndPush(repo)).toEqual(held(gitLfs))
      expect((await installIn(repo)).changes).toEqual([])
      await uninstallIn(repo)
      expect(repo.read('.git/hooks/pre-push')).toBe(
        '#!/bin/sh\nsh "$RECORDER" pre-push "$@" </dev/null\ngit lfs pre-push "$@"\n',
      )
      must(repo, 'git', 'push', '-q', '../remote.git', 'HEAD:after')
    },
  )
})
