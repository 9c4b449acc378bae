/** Commits whose message a person writes in an editor while a session is open, and commits that git makes by itself. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { commit, linkOf, partOf, scene, script, turn } from './commit-scene.ts'
import { checkpoints, stateOf, trailers } from './readers.ts'
import { longTest, sampleOf } from '../support/long.ts'

/** Runs `git commit` with this editor, a shell script that gets the file as `$1`. */
function commitWith(repo: Repo, editor: string, ...args: string[]) {
  const file = editor === ':' ? ':' : script(repo, 'editor', `#!/bin/sh\n${editor}\n`)
  return repo.run('env', [`GIT_EDITOR=${file}`, 'git', 'commit', ...args])
}
const WRITES = 'printf "fix: by hand\\n" | cat - "$1" >"$1.new" && mv "$1.new" "$1"'

async function staged() {
  const both = scene()
  await turn(both.agent, { 'a.txt': 'a\n' })
  both.repo.git('add', 'a.txt')
  return both
}

describe('a person’s editor', () => {
  test('links a message written above the trailer to its checkpoint', async () => {
    const { repo } = await staged()
    expect(commitWith(repo, WRITES).status).toBe(0)
    expect(repo.git('log', '-1', '--format=%s')).toBe('fix: by hand')
    expect(partOf(repo, linkOf(repo))).toMatchObject({ files: ['a.txt'] })
    expect(existsSync(join(repo.folder, '.git/ledger-git-draft'))).toBe(false)
  })

  // An environment that never wants an editor sets `:`; git sets it, too, where it opens no editor.
  test.each(sampleOf(['true', ':'], 2))(
    'that writes nothing (%s) makes git abort as without us, and the next commit has the same id',
    async (editor) => {
      const { repo, agent } = await staged()
      const head = repo.git('rev-parse', 'HEAD')
      const given = commitWith(repo, editor)
      expect(given.status).not.toBe(0)
      expect(given.stderr).toContain('empty commit message')
      expect(repo.git('rev-parse', 'HEAD')).toBe(head)
      const { pendingCheckpoint } = stateOf(repo, agent) ?? {}
      expect(pendingCheckpoint).toBeDefined()
      commit(repo, 'feat: a', 'a.txt')
      expect(linkOf(repo)).toBe(pendingCheckpoint)
    },
  )

  longTest('can delete the trailer, and then the commit has no checkpoint', async () => {
    const { repo } = await staged()
    expect(commitWith(repo, 'echo "fix: mine" >"$1"').status).toBe(0)
    expect(trailers(repo, 'HEAD')).toEqual([])
    expect(checkpoints(repo)).toEqual({})
  })

  longTest(
    'with a template: git aborts when it is untouched, a filled-in one is linked, -n adds nothing',
    async () => {
      const { repo } = await staged()
      repo.write('template', 'Subject:\n\nWhy:\n')
      const given = commitWith(repo, 'true', '-t', 'template')
      expect(given.status).not.toBe(0)
      expect(given.stderr).toContain('did not edit the message')
      const unchecked = commitWith(
        repo,
        'grep -q Ledger "$1" && exit 1; exit 2',
        '-n',
        '-t',
        'template',
      )
      expect(unchecked.stderr).toContain('problem with the editor')
      expect(repo.read('.git/COMMIT_EDITMSG')).not.toContain('Ledger')
      const fill = 'sed "s/Subject:/Subject: x/" "$1" >"$1.new" && mv "$1.new" "$1"'
      expect(commitWith(repo, fill, '-t', 'template').status).toBe(0)
      expect(partOf(repo, linkOf(repo))).toMatchObject({ files: ['a.txt'] })
    },
  )

  longTest('keeps an empty draft empty when commit-msg is not our hook', async () => {
    const { repo } = await staged()
    repo.write('.git/hooks/commit-msg', '#!/bin/sh\n')
    expect(commitWith(repo, 'grep -q Ledger "$1" && exit 1; exit 2').status).not.toBe(0)
    expect(repo.read('.git/COMMIT_EDITMSG')).not.toContain('Ledger')
  })
})

test('a revert that git commits by itself gets no trailer', async () => {
  const { repo, agent } = scene()
  repo.commit('more', { 'more.txt': 'more\n' })
  const made = repo.git('rev-parse', 'HEAD')
  await agent.prompt('Revert it')
  await agent.write('a.txt', 'a\n')
  await agent.bash(`git revert --no-edit ${made}`)
  expect(trailers(repo, 'HEAD')).toEqual([])
  expect(stateOf(repo, agent)).toMatchObject({ phase: 'active' })
})
