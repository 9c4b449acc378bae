import { expect, test } from 'vitest'
import { Git } from '../../../src/io/process/exec.ts'
import { handoffLink } from '../../../src/io/tracker/handoff-link.ts'
import { Sandbox } from '../../support/git-repo.ts'

const PATH = '.claude/handoffs/one.md'

test('links a handoff at the remote that has it', async () => {
  const repo = new Sandbox().init()
  repo.commit('the handoff', { [PATH]: 'text' })
  const head = repo.git('rev-parse', 'HEAD').trim()
  const git = new Git(repo.folder, process.env)
  repo.git('remote', 'add', 'backup', '/somewhere/else.git')
  repo.git('remote', 'add', 'origin', 'git@github.com:team/app.git')
  expect(await handoffLink(git, PATH, 0)).toBeUndefined()
  repo.git('update-ref', 'refs/remotes/origin/main', head)
  expect(await handoffLink(git, PATH, 0)).toBe(`https://github.com/team/app/blob/${head}/${PATH}`)
})
