/** What child processes read: files without a name, so that no socket has to be half-closed. */

import { existsSync, mkdtempSync, readdirSync, rmdirSync, watch } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { closeChildInput, openChildInput } from '../../../src/io/process/child-input.ts'
import { Git } from '../../../src/io/process/exec.ts'
import { Sandbox } from '../../support/git-repo.ts'

const left = () =>
  ['/dev/shm', process.env['TMPDIR'] ?? '/tmp'].flatMap((folder) => {
    try {
      return readdirSync(folder).filter((name) => name.startsWith(`.ledger-git-${process.pid}-`))
    } catch {
      return [] // not on this system
    }
  })

describe('the input of a child', () => {
  test('is a file that nobody finds while it is read, and none if there is nothing to read', () => {
    const before = left() // a process that had our number
    const input = openChildInput('a\n')
    expect(typeof input).toBe('number')
    expect(left()).toEqual(before)
    closeChildInput(input)
    expect(openChildInput('')).toBe('ignore')
    expect(openChildInput(new Uint8Array())).toBe('ignore')
  })

  test.runIf(process.platform === 'linux' && existsSync('/dev/shm'))(
    'has no name on Linux at any time, so that a killed process leaves nothing',
    async () => {
      const names: string[] = []
      const watcher = watch('/dev/shm', (_, name) => names.push(name ?? ''))
      closeChildInput(openChildInput('a\n'))
      const mark = mkdtempSync('/dev/shm/ledger-git-mark-')
      rmdirSync(mark)
      await expect.poll(() => names.some((name) => mark.endsWith(name))).toBe(true)
      watcher.close()
      expect(names.filter((name) => name.startsWith(`.ledger-git-${process.pid}-`))).toEqual([])
    },
  )

  test.each([
    ['nothing', ''],
    ['words', 'ä\n'],
    ['any bytes', Buffer.from([0, 255, 10, 13, 0])],
    ['megabytes', Buffer.alloc(3_000_000, 'x')],
  ])('reaches the child as a whole: %s', async (_, input) => {
    const repo = new Sandbox().init()
    const git = new Git(repo.folder, repo.sandbox.env)
    const oid = await git.text(['hash-object', '-w', '--stdin'], { input })
    const stored = await git.output(['cat-file', 'blob', oid])
    expect(stored.equals(Buffer.from(input as string))).toBe(true)
  })
})

test('an error names the git command, whatever options precede it', async () => {
  const repo = new Sandbox().init()
  const git = new Git(repo.folder, repo.sandbox.env)
  const words = ['-c', 'advice.addIgnoredFile=false', '--literal-pathspecs', 'add', 'absent']
  await expect(git.output(words)).rejects.toThrow(/^git add failed: fatal: pathspec 'absent'/)
})
