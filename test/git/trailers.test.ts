/** Our parser of trailer blocks agrees with git's, on hand-written and on random messages. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckpointId } from '../../src/core/session/checkpoint-id.ts'
import { readTrailers } from '../../src/core/checkpoint/trailer-block.ts'
import {
  addCheckpoint,
  addCheckpointToDraft,
  dropLoneCheckpoint,
  readCheckpoints,
} from '../../src/core/checkpoint/trailers.ts'
import { anyMessage, LINES } from '../core/checkpoint/messages.ts'
import type { Repo } from '../support/git-repo.ts'
import { Sandbox } from '../support/git-repo.ts'
import { IS_LONG, longTest, runs, sampleOf } from '../support/long.ts'

const ID = '0123456789ab' as CheckpointId

const CORPUS = [
  'fix',
  'fix\n\nSigned-off-by: A <a@b>',
  'fix\n\nbody\n\nSigned-off-by: A <a@b>\nnot a trailer\nnor this\nnor that\n',
  'fix\n\nSigned-off-by: A <a@b>\none\ntwo\nthree\nfour\n',
  'fix\n\nKey: a\n  folded\n\tagain\nOther: b\n',
  'fix\n\n  starts folded\nKey: a\n',
  'fix\n\nSigned-off-by: A\n  folded\n# comment\n  after a comment\nKey: a\n',
  'fix\n\n# comment\nKey: a\n# comment\n\n# end\n',
  '# comment\nfix\n\nKey: a\n',
  '# comment\n\nKey: a\n',
  '\n\nKey: a\n',
  'fix\n \nKey: a\n \n\t\n',
  'fix\r\n\r\nKey: a\r\n b\r\n\r\n',
  'fix\n\nKey: a\n\nConflicts:\n\tfile\n\tother\n',
  'fix\n\nKey: a\n\nConflicts:\nfile\n',
  'Conflicts:\n\nKey: a\n',
  'fix\n\nKey: a\n---\nOther: b\n',
  'fix\n\nKey: a\n\n---\n\nOther: b\n',
  'fix\n\nKey: a\n# ------------------------ >8 ------------------------\nOther: b\n',
  '# ------------------------ >8 ------------------------\n\nOther: b\n',
  'fix\n\nKey: a\n\n\n\nOther: b\n\n\n',
  'fix\n\nKey : a\nKey\t:\tb  \nKey: : c\n',
  'fix\n\nKéy: a\n',
  'fix\n\u000b\nKey: a\n',
  'fix\n\nbody\n\u00a0\nKey: a\n',
  'fix\n\nKey: \u00a0a\u00a0\n',
  'fix\n\n(cherry picked from commit 1234)\n',
  'fix\n\nsee\n(cherry picked from commit 1234)\n',
  ...LINES.map((line) => `fix\n\n${line}\n`),
  ...LINES.map((line) => `fix\n\nKey: a\n${line}\nSigned-off-by: A <a@b>\n`),
  ...LINES.map((line) => `${line}\n\nKey: a\n`),
]

const ours = (message: string, comment: string) =>
  readTrailers(message, comment).map(({ token, value }) =>
    `${token}: ${value}`.replace(/[ \t]+$/, ''),
  )

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/[ \t]+$/, ''))

function parsedByGit(repo: Repo, message: string, comment: string): string[] {
  const config = ['-c', `core.commentChar=${comment}`]
  const ran = repo.run('git', [...config, 'interpret-trailers', '--parse', '--no-divider'], {
    input: message,
  })
  return linesOf(ran.stdout)
}

test.each(sampleOf(['#', ';'], 2))(
  'readTrailers agrees with git interpret-trailers with comment sign %s',
  (comment) => {
    const repo = new Sandbox('trailers').init()
    const random = fc.sample(anyMessage, { ...runs(150), seed: 5 })
    for (const message of [...CORPUS, ...random]) {
      // Whether the command completes the last line itself depends on its version.
      const complete = `${message}\n`
      expect([JSON.stringify(message), ours(complete, comment)]).toEqual([
        JSON.stringify(message),
        parsedByGit(repo, complete, comment),
      ])
    }
  },
)

test('readTrailers agrees with git log about thousands of stored messages', () => {
  const repo = new Sandbox('trailers').init()
  const messages = fc.sample(anyMessage, { ...runs(4000), seed: 7 }).concat(CORPUS)
  const stream = messages.map((message) => {
    const bytes = Buffer.byteLength(message)
    return `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata ${bytes}\n${message}\n`
  })
  expect(repo.run('git', ['fast-import', '--quiet'], { input: stream.join('') }).status).toBe(0)
  const format = '%(trailers:only=true,unfold=true)%x01'
  const told = repo.git('log', '--reverse', `--format=${format}`, 'main').split('\u0001\n')
  expect(told).toHaveLength(messages.length)
  messages.forEach((message, i) => {
    // git log reads a message from its first non-blank line.
    const shown = message.replace(/^(?:[ \t\r]*\n)+/, '')
    const theirs = linesOf((told[i] ?? '').replace('\u0001', ''))
    expect([JSON.stringify(message), ours(shown, '#')]).toEqual([JSON.stringify(message), theirs])
  })
})

longTest('a trailer that was added before git cleans a message is read from the commit', () => {
  const repo = new Sandbox('trailers').init()
  const random = fc.sample(anyMessage, { numRuns: IS_LONG ? 120 : 8, seed: 11 })
  // git drops carriage returns before hooks run: scissors would appear after our trailer was added.
  const messages = [...CORPUS, ...random].filter((text) => !/>8 -*\r/.test(text))
  let aborted = 0
  for (const message of messages) {
    const before = repo.tryGit('rev-parse', '-q', '--verify', 'HEAD').stdout
    // With an editor (which changes nothing), because only then does git look for scissors.
    const cleanup = message.includes('>8') ? 'scissors' : 'strip'
    const rules = { comment: '#', dropsComments: cleanup === 'strip' }
    const given = dropLoneCheckpoint(addCheckpoint(message, ID, rules), rules)
    repo.write('.git/given', given)
    const options = ['--allow-empty', '-q', '--edit', `--cleanup=${cleanup}`, '-F', '.git/given']
    const ran = repo.tryGit('commit', ...options)
    const after = repo.tryGit('rev-parse', '-q', '--verify', 'HEAD').stdout
    if (before === after) {
      aborted++
      expect(ran.stderr).toMatch(/empty commit message/)
      expect(readCheckpoints(given), JSON.stringify([given, ran.stderr])).toEqual([])
      continue
    }
    const stored = repo.git('log', '-1', '--format=%B')
    expect([JSON.stringify(message), readCheckpoints(`${stored.trimEnd()}\n`)]).toEqual([
      JSON.stringify(message),
      expect.arrayContaining([ID]),
    ])
    const theirs = repo.git('log', '-1', '--format=%(trailers:key=Ledger-Checkpoint,valueonly)')
    expect(theirs.split('\n')).toContain(ID)
  }
  expect(aborted).toBeGreaterThan(IS_LONG ? 3 : 0)
})

test('a draft left without a word makes no commit, and one with a word a linked commit', () => {
  const repo = new Sandbox('trailers').init()
  const commit = (word: string) => {
    // As the hooks do: before the editor and after it.
    repo.write('.git/draft', addCheckpointToDraft('\n# Please enter a message\n', ID))
    const edited = word + repo.read('.git/draft')
    repo.write('.git/edited', dropLoneCheckpoint(edited))
    return repo.tryGit('commit', '--allow-empty', '-q', '--cleanup=strip', '-F', '.git/edited')
  }
  expect(commit('').stderr).toMatch(/empty commit message/)
  expect(commit('fix: a word').status).toBe(0)
  expect(repo.git('log', '-1', '--format=%B').trimEnd()).toBe(
    `fix: a word\n\nLedger-Checkpoint: ${ID}`,
  )
})
