/** `event add` writes no secret by accident, and reports one without repeating it. */

import { expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ledgerRepo } from '../support/git-repo.ts'
import { chance } from '../support/secrets.ts'
import { refusal } from './words.ts'

const TOKEN = `gh${'p_'}${chance(36)}`
const PASSWORD = `${chance(9)}!1`

const FIELDS: readonly (readonly [option: string, value: string])[] = [
  ['--now', `use ${TOKEN}`],
  ['--goal', TOKEN],
  ['--test', `GITHUB_TOKEN=${TOKEN} npm test`],
  ['--title', TOKEN],
  ['--done', `logged in with ${TOKEN}`],
  ['--next', TOKEN],
  ['--question', `why does ${TOKEN} not work?`],
  ['--resolve', TOKEN],
  ['--decision', `db_password=${PASSWORD}`],
  ['--decision', `${TOKEN}=yes`],
  ['--checkpoint', `phase=1,status=${TOKEN}`],
  ['--type', TOKEN],
  ['--reason', TOKEN],
  ['--session', TOKEN],
  ['--stream', TOKEN],
  ['--branch', TOKEN],
  ['--agent', TOKEN],
]

test.each(FIELDS)('%s is searched for secrets', (option, value) => {
  const repo = ledgerRepo()
  const ran = repo.tryLedger(
    'event',
    'add',
    '--done',
    'a long-enough-first-item-here',
    option,
    value,
  )
  expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
  expect(ran.stderr).toContain(`${option} (`)
  expect(ran.stderr).toContain('--allow-secret')
  expect(ran.stderr).not.toContain(TOKEN.slice(4, 12))
  expect(ran.stderr).not.toContain(PASSWORD.slice(0, 6))
  expect(repo.status()).toBe('')
})

test('reports several secrets at once', () => {
  const { stderr } = ledgerRepo().tryLedger(
    'event',
    'add',
    '--now',
    TOKEN,
    '--decision',
    `db_password=${PASSWORD}`,
  )
  expect(stderr).toContain('--now (github-token), --decision (password)')
})

test('names the line of --stdin', () => {
  const repo = ledgerRepo()
  const add = (...words: string[]) =>
    repo.tryLedgerWith({ input: `now: x\nnote: ${TOKEN}\n` }, 'event', 'add', '--stdin', ...words)
  const ran = add()
  expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
  expect(ran.stderr).toContain('--stdin, line 2 (github-token)')
  expect(ran.stderr).not.toContain(TOKEN)
  expect(repo.status()).toBe('')
  expect(add('--allow-secret').status).toBe(0)
})

test('--allow-secret writes the secret, and ordinary text needs no option', () => {
  const repo = ledgerRepo()
  const written = (...words: string[]) => read(repo, repo.event(...words))
  expect(written('--now', TOKEN, '--allow-secret')).toContain(TOKEN)
  expect(
    written('--now', 'rotate the api_key; password=<new>', '--decision', 'auth_token=use a JWT'),
  ).toContain('api_key')
  expect(written('--now', `look at ${'0123456789abcdef'.repeat(4)}`)).toContain('0123456789abcdef')
})

function read(repo: Repo, path: string): string {
  return repo.read(path)
}

test('event retract --reason is searched as well', () => {
  const repo = ledgerRepo()
  const file = repo.event('--now', 'a')
  const before = repo.status()
  const ran = repo.tryLedger('event', 'retract', file, '--reason', `held ${TOKEN}`)
  expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
  expect(ran.stderr).toContain('--reason (github-token)')
  expect(ran.stderr).not.toContain(TOKEN)
  expect(repo.status()).toBe(before)
  repo.ledger('event', 'retract', file, '--reason', `held ${TOKEN}`, '--allow-secret')
})

test('event validate warns about a secret in a file, and exits with 0', () => {
  const repo = ledgerRepo()
  const name = 'by-hand.md' // a generated name would prove that the file was edited by hand
  const path = `thoughts/shared/handoffs/events/${name}`
  repo.write(path, `---\nts: 2026-01-01T00:00:00Z\nagent: hand\n---\n\nnow: ${TOKEN}\n`)
  for (const words of [[], [path]]) {
    const ran = repo.tryLedger('event', 'validate', ...words)
    expect(ran.status).toBe(0)
    expect(ran.stdout).toBe(`${name}:6: seems to hold a secret (github-token) (warning)\n`)
    expect(ran.stderr).toContain('next: replace a real secret at its provider')
    expect(ran.stderr).not.toContain(TOKEN)
  }
  const { warnings } = JSON.parse(repo.ledger('event', 'validate', '--json'))
  const message = 'seems to hold a secret (github-token)'
  expect(warnings).toEqual([{ code: 'secret', file: name, line: 6, section: null, message }])
})

test('migrate reports a secret before and while it writes, and drops no line', () => {
  const repo = ledgerRepo()
  const source = 'thoughts/ledgers/CONTINUITY_parser.md'
  repo.write(source, `## Next\n- [ ] log in\n- [ ] with ${TOKEN}\n`)
  const dry = repo.tryLedger('migrate', '--dry-run', '--json')
  expect(dry.status).toBe(0)
  const secrets = [{ line: 3, kind: 'github-token' }]
  expect(JSON.parse(dry.stdout).migrated).toMatchObject([{ source, created: true, secrets }])
  expect(dry.stderr).toContain(`${source}: seems to hold a secret`)
  const ran = repo.tryLedger('migrate')
  expect(ran.stderr).toContain('line 3 (github-token)')
  expect(ran.stderr + ran.stdout + dry.stdout + dry.stderr).not.toContain(TOKEN)
  expect(repo.ledger('show')).toContain(TOKEN)
})
