/** Documents of context checkpoints are included in the next commit, like pending events. */

import { expect, test } from 'vitest'
import { contextHandoffName } from '../../src/core/context/places.ts'
import { DEFAULT_SETTINGS } from '../../src/core/settings/settings.ts'
import type { Repo } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { countStarts } from '../sessions/count-starts.ts'
import { based } from './scene.ts'

const { handoffs: HANDOFFS } = DEFAULT_SETTINGS
const TEXT = '---\nsession_date: 2026-01-07\n---\n\n# Session Handoff: x\n'
const PATH = `${HANDOFFS}/${contextHandoffName({ date: '2026-01-07', time: '11:45' }, TEXT)}`
const EDITED = `${HANDOFFS}/2026-01-07-1146-0000.md`

const commit = (repo: Repo, ...args: string[]) =>
  repo.run('git', ['commit', '-qm', 'work', ...args])
const filesOf = (repo: Repo) =>
  repo.git('show', '--format=', '--name-only', 'HEAD').trim().split('\n')

test('a commit includes unedited documents but no edited ones, and none if it is of paths', () => {
  const repo = based()
  repo.write(PATH, TEXT)
  repo.write(EDITED, `${TEXT}key\n`)
  repo.write(`${HANDOFFS}/notes.md`, 'mine\n')
  repo.write('code.txt', '1\n')
  repo.git('add', 'code.txt')
  commit(repo, '--', 'code.txt')
  expect(filesOf(repo)).toEqual(['code.txt'])
  repo.write('code.txt', '2\n')
  commit(repo, '-a')
  expect(filesOf(repo)).toEqual([PATH, 'code.txt'])
  expect(repo.read(PATH)).toBe(TEXT)
  expect(repo.git('status', '--porcelain', '-uall').trim().split('\n').toSorted()).toEqual([
    `?? ${EDITED}`,
    `?? ${HANDOFFS}/notes.md`,
  ])
})

test('a commit that is not made leaves no document staged', () => {
  const repo = based()
  repo.write(PATH, TEXT)
  repo.write('code.txt', '1\n')
  repo.git('add', 'code.txt')
  const refused = repo.run('git', ['commit', '-q', '-m', ''])
  expect(refused.status).not.toBe(0)
  expect(repo.git('status', '--porcelain', '-uall')).toBe(`A  code.txt\n?? ${PATH}`)
})

test('context.commit: false leaves documents to the user', () => {
  const repo = based()
  repo.write('.ledger-git.yaml', 'context.commit: false\n')
  repo.write(PATH, TEXT)
  repo.git('add', '.ledger-git.yaml')
  commit(repo)
  expect(filesOf(repo)).toEqual(['.ledger-git.yaml'])
})

test('other files among documents are left to the user and start no Node', () => {
  const repo = based()
  const starts = countStarts(repo)
  const commitCode = (content: string) => {
    repo.write('code.txt', content)
    repo.git('add', 'code.txt')
    commit(repo)
    return starts()
  }
  // First a folder in which git tracks nothing, then one in which it tracks a file.
  repo.write(`${HANDOFFS}/notes.md`, 'mine\n')
  repo.write(`${HANDOFFS}/my own.md`, 'mine\n')
  expect(commitCode('1\n')).toBe(0)
  repo.write(PATH, TEXT)
  expect(commitCode('2\n')).toBeGreaterThan(0)
  expect(filesOf(repo)).toEqual([PATH, 'code.txt'])
  repo.write(PATH, `${TEXT}more\n`)
  repo.write(`${HANDOFFS}/b/b.md`, 'mine\n')
  expect(commitCode('3\n')).toBe(0)
})

longTest('documents in a folder whose name git quotes are included', () => {
  const repo = based()
  repo.write('.ledger-git.yaml', 'context.handoffs: my notes\n')
  repo.ledger('install')
  repo.commit('settings')
  // First a folder in which git tracks nothing, then one in which it tracks a file.
  for (const [i, time] of ['11:45', '11:46'].entries()) {
    const path = `my notes/${contextHandoffName({ date: '2026-01-07', time }, TEXT)}`
    repo.write(path, TEXT)
    repo.write('code.txt', `${i}\n`)
    repo.git('add', 'code.txt')
    commit(repo)
    expect(filesOf(repo).toSorted()).toEqual(['code.txt', path])
  }
})
