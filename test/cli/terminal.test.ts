/** Full devices, Control-C at a question, few open files: each is reported in one line, with the documented status. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ask } from '../../src/io/terminal/question.ts'
import { reportError } from '../../src/entry/run-process.ts'
import { answerOnTerminal } from '../support/answer-on-terminal.ts'
import type { Repo } from '../support/git-repo.ts'
import { CLI, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { hasScript, notRunUnless } from '../support/not-run.ts'
import { writeEvent } from './words.ts'
import { IS_LONG, longTest, sampleOf } from '../support/long.ts'

const COMMAND = `'${process.execPath}' '${CLI}'`
const FULL = '/dev/full'

describe.skipIf(notRunUnless(existsSync(FULL), 'standard output that is full', `no ${FULL}`))(
  'standard output that is full',
  () => {
    test('is reported in one line with status 3, whatever the command', () => {
      const repo = ledgerRepo()
      const commands = ['show', 'show --json', 'check', 'status', 'log', '--help', '--version']
      repo.write('kept.md', '# Handoff\n\n## Next\n- [ ] a\n')
      // These commands continue after they have printed.
      const writers = ['statusline', 'event add --agent a --now x', 'migrate --commit kept.md']
      for (const words of [
        ...sampleOf([...commands, 'completion bash'], 8),
        ...sampleOf(writers, 2),
      ]) {
        writeEvent(repo, 'a.md', 'now: plain')
        const ran = repo.run('sh', ['-c', `${COMMAND} ${words} </dev/null >${FULL}`])
        expect.soft(ran.status, words).toBe(3)
        const said = ran.stderr.split('\n').filter((line) => line.startsWith('ledger-git:'))
        expect.soft(said).toEqual(['ledger-git: standard output could not be written (ENOSPC)'])
        expect.soft(ran.stderr, words).not.toMatch(/\n {4}at |bug/)
      }
    })

    test('does not stop the work: the commit is made', () => {
      const repo = ledgerRepo()
      repo.run('sh', ['-c', `${COMMAND} event add --agent a --now x --commit >${FULL}`])
      expect(repo.changed().join()).toContain(EVENTS)
      expect(repo.status()).toBe('')
    })

    longTest('shows only in the exit status if messages cannot be written either', () => {
      const repo = ledgerRepo()
      expect(repo.run('sh', ['-c', `${COMMAND} show >${FULL} 2>${FULL}`]).status).toBe(3)
      expect(repo.run('sh', ['-c', `${COMMAND} nonsense 2>${FULL}`]).status).toBe(2)
    })
  },
)

longTest('help and mistyped arguments read nothing outside the package', () => {
  const repo = new Sandbox().init()
  const [preload, log] = ['preload.cjs', 'log'].map((name) => join(repo.sandbox.folder, name))
  writeFileSync(
    preload ?? '',
    `const fs = require('node:fs')
const read = fs.readFileSync
fs.readFileSync = (path, ...more) => {
  if (typeof path === 'string') fs.appendFileSync('${log}', path + '\\n')
  return read(path, ...more)
}\n`,
  )
  for (const words of ['--help', 'show --help', 'show --nonsense', 'nonsense']) {
    repo.run('sh', ['-c', `'${process.execPath}' --require '${preload}' '${CLI}' ${words}`])
  }
  const paths = readFileSync(log ?? '', 'utf8')
    .trim()
    .split('\n')
  const root = dirname(dirname(CLI))
  expect(paths).toContain(CLI)
  const compiled = `${repo.sandbox.env['HOME']}/.cache/ledger-git/code/`
  const others = paths.filter((path) => !path.startsWith(`${root}/`) && !path.startsWith(compiled))
  expect(others).toEqual([])
})

longTest('too few open files are not reported as a bug', () => {
  const repo = ledgerRepo()
  for (const limit of [20, 22, 24, 28]) {
    for (const words of ['show', 'show --help', 'status', 'nonsense']) {
      const { stderr } = repo.run('sh', ['-c', `ulimit -n ${limit}; ${COMMAND} ${words}`])
      expect.soft(stderr, `${limit} ${words}`).not.toMatch(/bug|is broken/)
    }
  }
  const said: string[] = []
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  expect(reportError(error, (text) => said.push(text))).toBe(3)
  expect(said).toEqual([
    expect.stringMatching(/^ledger-git: a system limit was reached: EMFILE.*\n {2}next: .*\n$/),
  ])
})

const typeAt = (repo: Repo, words: string, keys: string) =>
  answerOnTerminal(repo, `${COMMAND} ${words}`, keys)

describe.skipIf(notRunUnless(hasScript(), 'questions on a terminal', 'there is no script(1) here'))(
  'a question on a terminal',
  () => {
    const QUESTIONS = ['synthesize', 'archive --retention 1d', 'migrate --agent a kept.md']

    function repoWithWork(): Repo {
      const repo = ledgerRepo()
      repo.write('kept.md', '# Work\n\n## Ledger\n**Goal:** g\n### Now\n[->] n\n')
      writeEvent(repo, 'old.md', 'now: x')
      repo.commit('event')
      writeEvent(repo, 'new.md', 'now: y')
      return repo
    }

    test.each(sampleOf(['\u0003', '\u0004'], 2))(
      '%j ends with 130, and nothing is written',
      async (key) => {
        // Every question ends in the same code, so each key tries another one.
        for (const words of IS_LONG ? QUESTIONS : [QUESTIONS[key.charCodeAt(0) - 3] ?? '']) {
          const repo = repoWithWork()
          const before = repo.status()
          const { status, out } = await typeAt(repo, words, key)
          expect.soft(status, `${words}: ${out}`).toBe(130)
          expect
            .soft(out)
            .toMatch(/\r\nledger-git: interrupted at the question: nothing was written\r\n$/)
          expect.soft(repo.status(), words).toBe(before)
        }
      },
    )

    test.each(['archive', 'synthesize --archive'])('%s names the events first', async (words) => {
      const { out } = await typeAt(repoWithWork(), words, '\u0003')
      expect(out).toMatch(/ {2}old\.md\r\n {2}new\.md\r\n2 events to archive: go on\?/)
    })

    test('y goes on, n does not', async () => {
      const repo = repoWithWork()
      expect(await typeAt(repo, 'synthesize', 'n\r')).toMatchObject({ status: 1 })
      const before = repo.status()
      expect(await typeAt(repo, 'synthesize', 'y\r')).toMatchObject({ status: 0 })
      expect(repo.status()).not.toBe(before)
    })
  },
)

describe.skipIf(notRunUnless(hasScript(), 'the pager', 'there is no script(1) here'))(
  'the pager',
  () => {
    const onTerminal = (repo: Repo, words: string, env: NodeJS.ProcessEnv) =>
      repo.run('script', ['-qec', `${COMMAND} ${words}`, '/dev/null'], {
        env: { TERM: 'xterm', NO_COLOR: undefined, ...env },
      })

    test('gets long output in colour, but not off a terminal or with --no-pager', () => {
      const repo = ledgerRepo()
      writeEvent(repo, 'a.md', 'now: plain')
      const env = { PAGER: 'sed s/^/paged:/' }
      expect(onTerminal(repo, 'log', env).stdout).toContain('\u001b[36m')
      expect(onTerminal(repo, 'log', env).stdout).toContain('paged:')
      expect(onTerminal(repo, 'log --no-pager', env).stdout).not.toContain('paged:')
      expect(onTerminal(repo, 'log', { ...env, GIT_PAGER: 'cat' }).stdout).not.toContain('paged:')
      expect(repo.run('sh', ['-c', `${COMMAND} log`], { env }).stdout).not.toContain('paged:')
    })

    longTest('loses and fails nothing if it cannot be started or is left early', () => {
      const repo = ledgerRepo()
      writeEvent(repo, 'a.md', 'now: plain')
      const missing = onTerminal(repo, 'log', { PAGER: 'no-such-pager' })
      expect(missing.stdout).toContain('now: plain')
      expect(missing.status).toBe(0)
      expect(onTerminal(repo, 'log', { PAGER: 'true' })).toMatchObject({ status: 0 })
    })
  },
)

test('the end of input is no answer to a question', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asked = ask('Go on?', input, output)
  input.end()
  await expect(asked).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
  for (const [typed, answer] of [
    ['YES\n', true],
    ['no\n', false],
    ['\n', false],
  ] as const) {
    const keys = new PassThrough()
    const answered = ask('Go on?', keys, output)
    keys.write(typed)
    expect(await answered, typed).toBe(answer)
  }
})

test.each(['status', 'check', '--help'])(
  '%s in a removed folder is reported, not a bug',
  (words) => {
    const repo = ledgerRepo()
    const script = `mkdir gone && cd gone && rmdir ../gone && ${COMMAND} ${words}`
    const { status, stderr } = repo.run('sh', ['-c', script])
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(
        /(?:^|\n)ledger-git: the current folder no longer exists: .*\n {2}next: /,
      ),
    ])
  },
)
