/** The index changes completely or not at all, whoever else changes it. */

import { linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../../src/io/git/repository.ts'
import { processInfo, startIn } from '../../../src/io/process/process-table.ts'
import { Sandbox } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'

async function opened(): Promise<{
  repo: Repo
  index: string
  open: Awaited<ReturnType<typeof openRepository>>
}> {
  const repo = new Sandbox().init()
  repo.commit('init', { 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const open = await openRepository(repo.folder, repo.sandbox.env)
  return { repo, index: join(repo.folder, '.git/index'), open }
}

const names = (repo: Repo) => repo.git('ls-files').split('\n')

test('leaves the index unchanged, and no file behind, after an error in the middle', async () => {
  const { repo, index, open } = await opened()
  const before = readFileSync(index)
  repo.write('c.txt', 'c\n')
  const change = open.changeIndex(async (copy) => {
    await copy.index.addFiles(['c.txt'])
    throw new Error('stop')
  })
  await expect(change).rejects.toThrow('stop')
  expect(readFileSync(index)).toEqual(before)
  expect(repo.run('ls', ['.git']).stdout).not.toMatch(/ledger-git-index|lock/)
})

test('loses nothing when somebody stages a file in between', async () => {
  const { repo, open } = await opened()
  repo.write('c.txt', 'c\n')
  repo.write('d.txt', 'd\n')
  let tries = 0
  await open.changeIndex(async (copy) => {
    if ((tries += 1) === 1) repo.git('add', 'd.txt')
    await copy.index.addFiles(['c.txt'])
  })
  expect(tries).toBe(2)
  expect(names(repo)).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
})

test('reports INDEX_BUSY and changes nothing while git holds the index', async () => {
  const { repo, index, open } = await opened()
  writeFileSync(`${index}.lock`, '')
  repo.write('c.txt', 'c\n')
  await expect(open.changeIndex((copy) => copy.index.addFiles(['c.txt']))).rejects.toMatchObject({
    code: 'INDEX_BUSY',
  })
  expect(names(repo)).toEqual(['a.txt', 'b.txt'])
  expect(statSync(`${index}.lock`).size).toBe(0)
})

test('removes a lock that a dead process of ours left, but never one of others', async () => {
  const { repo, index, open } = await opened()
  const own = readOwnSignature()
  writeFileSync(`${index}.lock`, own.replace(/^ledger-git \d+ \d+_/, 'ledger-git 4194000 1_'))
  open.clearDeadLock()
  expect(repo.exists('.git/index.lock')).toBe(false)
  for (const text of ['', 'ledger-git\n', own, `${own.trim()}x\n`, 'git 1 1\n']) {
    writeFileSync(`${index}.lock`, text)
    open.clearDeadLock()
    expect(readFileSync(`${index}.lock`, 'utf8')).toBe(text)
  }
})

/** What a change of ours writes into the lock. */
function readOwnSignature(): string {
  const own = processInfo(process.pid)
  return `ledger-git ${process.pid} ${own === undefined ? '' : startIn(own)}\n`
}

test('keeps a user’s change visible that was made within the same tick of the clock', async () => {
  const { repo, index, open } = await opened()
  // Racily clean: as old as the index, and of the same size.
  repo.write('a.txt', 'x\n')
  repo.run('touch', ['-r', index, 'a.txt'])
  repo.write('c.txt', 'c\n')
  await open.changeIndex((copy) => copy.index.addFiles(['c.txt']))
  expect(repo.git('diff', '--name-only')).toBe('a.txt')
})

test('leaves a hard link to the old index unchanged', async () => {
  const { repo, index, open } = await opened()
  linkSync(index, `${index}.second`)
  const before = readFileSync(index)
  repo.write('c.txt', 'c\n')
  await open.changeIndex((copy) => copy.index.addFiles(['c.txt']))
  expect(readFileSync(`${index}.second`)).toEqual(before)
})
