/** Odd and hostile files are named and never obeyed, and nothing stops because of them. */

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { json, writeEvent } from './words.ts'
import { IS_LONG } from '../support/long.ts'

const READING: readonly (readonly string[])[] = [
  ['show'],
  ['status'],
  ['log'],
  ['event', 'list'],
  ['event', 'validate'],
  ['synthesize', '--stdout'],
  ['check'],
  ['diff', 'HEAD'],
]

/** Runs every reading command, none of which may fail as a bug. Returns everything they printed. */
function readAll(repo: Repo, ...extra: string[]): string {
  return READING.map((words) => {
    const { status, stdout, stderr } = repo.tryLedger(...words, ...extra)
    if (status > 1) throw new Error(`${words.join(' ')} → ${status}: ${stderr}`)
    return stdout + stderr
  }).join('')
}

test('malformed, huge and odd files are named and stop nothing', () => {
  const repo = ledgerRepo()
  writeEvent(repo, 'good.md', 'now: still here')
  repo.write(`${EVENTS}/empty.md`, '')
  repo.write(`${EVENTS}/prose.md`, 'just text\n')
  repo.write(`${EVENTS}/open.md`, '---\nts: 2026-01-01T00:00:00Z\n')
  repo.write(`${EVENTS}/no-agent.md`, '---\nts: 2026-01-01T00:00:00Z\n---\n')
  repo.write(`${EVENTS}/no-time.md`, '---\nts: yesterday\nagent: a\n---\n')
  repo.write(`${EVENTS}/binary.md`, Buffer.from([0, 255, 254, 10, 0]))
  writeEvent(repo, 'bomb.md', `a: &a [x,x,x]\n${'b: [*a,*a,*a]\n'.repeat(5)}now: bomb`)
  writeEvent(repo, 'half.md', 'now: "unclosed\ndecisions:\n  kept: yes')
  repo.write(`${EVENTS}/code.md`, '---js\n{ ts: process.exit(9), agent: "x" }\n---\n')
  writeEvent(
    repo,
    'huge.md',
    `now: huge\nthis_session:\n- ${'x'.repeat((IS_LONG ? 10 : 1) * 1024 * 1024)}`,
    '2025-01-01T00:00:00Z',
  )
  repo.write(`${EVENTS}/.hidden.md`, 'hidden\n')
  repo.write(`${EVENTS}/notes.txt`, 'text\n')
  symlinkSync('/etc/passwd', join(repo.folder, EVENTS, 'link.md'))
  mkdirSync(join(repo.folder, EVENTS, 'folder.md'))
  repo.write(`${EVENTS}/folder.md/inner.md`, 'inner\n')

  const text = readAll(repo)

  expect(text).toContain('still here')
  expect(text).not.toContain('root:')
  const { stdout } = repo.tryLedger('event', 'validate', '--json')
  const named = (JSON.parse(stdout) as { problems: { file: string }[] }).problems.map(
    ({ file }) => file,
  )
  for (const name of ['binary', 'code', 'empty', 'no-agent', 'no-time', 'open', 'prose']) {
    expect.soft(named, name).toContain(`${name}.md`)
  }

  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'all of it')
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  for (const name of ['prose.md', 'link.md']) expect(repo.read(CURRENT)).toContain(name)
  expect(repo.read(CURRENT).length).toBeLessThan(20_000)
})

test('control characters reach neither a terminal nor JSON raw', () => {
  const repo = ledgerRepo()
  const evil = String.raw`\e[31mred\e[0m \x07bell \x9b31m c1 \x7fdel  \u2028line \r\ncr`
  const fields = ['now', 'goal', 'title', 'test'].map((key) => `${key}: "${evil}"`)
  const lists = ['this_session', 'next', 'open_questions'].map((key) => `${key}:\n- "${evil}"`)
  const body = [...fields, ...lists, `decisions:\n  "${evil}": "${evil}"`].join('\n')
  repo.write(
    `${EVENTS}/evil.md`,
    `---\nts: 2026-01-01T00:00:00Z\nagent: "${evil}"\nbranch: "${evil}"\ntype: "${evil}"\n---\n\n${body}\n`,
  )
  repo.write(`${EVENTS}/\u001b[31mname\u009b.md`, 'broken\n')
  // oxlint-disable-next-line no-control-regex -- what a terminal would obey
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/
  expect(raw.exec(readAll(repo))?.[0]).toBeUndefined()
  expect(raw.exec(readAll(repo, '--json'))?.[0]).toBeUndefined()
  for (const words of [
    ['why', 'red'],
    ['event', 'show', 'evil.md'],
    ['event', 'show', 'evil.md', '--json'],
  ]) {
    expect(raw.exec(repo.ledger(...words))?.[0]).toBeUndefined()
  }
  expect(json<{ now: { value: string } }>(repo, 'show').now.value).toContain('\u001b[31mred')
  for (const words of [
    ['why', '\u001b[31mx'],
    ['check', '--rev', '\u001b[31mx'],
    ['\u001b[31mx'],
    ['log', '--since', '\u001b[31mx'],
  ]) {
    const { stderr } = repo.tryLedger(...words)
    expect.soft(raw.exec(stderr)?.[0], words.join(' ').replace('\u001b', 'ESC')).toBeUndefined()
  }
})

test('reads events with odd names and names that are not UTF-8', () => {
  const repo = ledgerRepo()
  writeEvent(repo, 'ü 猫 "quoted" \'single\' * [x].md', 'now: odd name')
  expect(json(repo, 'show')).toMatchObject({ now: { value: 'odd name' } })
  repo.run('sh', [
    '-c',
    `cp ${EVENTS}/*.md "${EVENTS}/$(printf 'latin\\344').md" && rm ${EVENTS}/ü*`,
  ])
  expect(json(repo, 'show')).toMatchObject({ now: { value: 'odd name' } })
  repo.commit('latin')
  expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
})
