/** `install --agent`, as it is typed. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CLI, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

const CLAUDE = '.claude/settings.json'

describe('install --agent', () => {
  test('may be repeated, names a next command that works, and is undone by uninstall', () => {
    const repo = new Sandbox().init()
    const ran = repo.tryLedger('install', '--agent', 'claude', '--agent', 'gemini')
    expect(ran.status).toBe(0)
    expect(ran.stdout).toMatch(/^create \.claude\/settings\.json \(hooks for Claude Code\)$/m)
    expect(ran.stdout).toMatch(/^create \.claude\/skills\/ledger\/SKILL\.md /m)
    const next = /^next: (.*)$/m.exec(ran.stderr)?.[1] ?? 'false'
    expect(repo.run('sh', ['-c', next])).toMatchObject({ status: 0 })
    expect(repo.git('ls-files')).toContain('.gemini/settings.json')
    expect(repo.ledger('install', '--agent', 'claude')).toBe('already installed: nothing to change')
    expect(repo.ledger('install')).toBe('already installed: nothing to change')
    expect(repo.ledger('uninstall')).toMatch(/^remove .*settings\.json \(hooks of ledger-git\)$/m)
    expect(repo.exists(CLAUDE)).toBe(false)
  })

  test('exits with 1 if settings cannot be edited, says where and why, and installs nothing', () => {
    const repo = new Sandbox().init()
    repo.write(CLAUDE, '{\n  "hooks": {\n')
    const ran = repo.tryLedger('install', '--agent', 'claude')
    expect(ran.status).toBe(1)
    expect(ran.stderr).toMatch(/settings\.json is not valid JSON \(line \d: \w+\)/)
    expect(ran.stderr).toMatch(/^ {2}next: correct the file/m)
    expect(repo.exists('.git/ledger-git')).toBe(false)
    expect(repo.tryLedger('install', '--agent', 'claude', '--dry-run').status).toBe(1)
    expect(repo.tryLedger('install').status).toBe(0)
  })

  test('refuses unknown or missing agents and options that do not fit', () => {
    const repo = new Sandbox().init()
    for (const words of [['vim'], [], ['codex', '--local'], ['claude', '--gastown', 'x']]) {
      expect(repo.tryLedger('install', '--agent', ...words).status).toBe(2)
    }
    expect(repo.exists('.git/ledger-git')).toBe(false)
  })
})

longTest('every command in the skill works when they are typed one after the other', () => {
  const repo = ledgerRepo()
  const skill = readFileSync(
    new URL('../../templates/agents/ledger-skill.md', import.meta.url),
    'utf8',
  )
  const first = repo.event('--decision', 'db=postgres', '--now', 'wrong')
  const file = first.slice(first.lastIndexOf('/') + 1)
  const blocks = [...skill.matchAll(/^```sh\n([^`]*)^```$/gm)].map(([, lines = '']) => lines)
  const inline = [...skill.matchAll(/`(ledger-git [^`]*)`/g)].map(([, line = '']) => line)
  const lines = [...blocks.join('').trimEnd().split('\n'), ...inline]
  expect(lines.length).toBeGreaterThan(20)
  for (const line of lines) {
    const command = line
      .replace(/\bKEY\b/, 'db')
      .replace(/\bFILE\b/, file)
      .replace(/\bBRANCH\b/, 'HEAD')
      .replace(/ --checkpoint$/, ' --checkpoint phase=1,status=in_progress')
      .replace(/ add$/, ' add --done x')
      .replace(/^ledger-git/, `'${process.execPath}' '${CLI}'`)
    expect(repo.run('sh', ['-c', command]), line).toMatchObject({ status: 0 })
  }
  const shown = repo.ledger('show')
  expect(shown).toContain('[->] port the parser')
  for (const gone of ['Who runs migrations?', 'db', 'wrong']) expect(shown).not.toContain(gone)
})
