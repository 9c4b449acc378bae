/** The real context: what it loads, logs and returns. */

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { readEntries } from '../../../src/core/agents/agents.ts'
import { transcripts } from '../../../src/io/agents/transcript-file.ts'
import { openSessionContext } from '../../../src/io/sessions/session-context.ts'
import { sessionLog } from '../../../src/io/sessions/session-log.ts'
import { fresh } from '../../core/session/sessions.ts'
import { Sandbox } from '../../support/git-repo.ts'

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url))

/** Everything that is loaded with a module, except what it imports later. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?'([^']+)'/gm,
  )
  for (const [, name = ''] of imports) {
    if (name.startsWith('.')) loadedWith(resolve(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

test('loads no library and no search for secrets', () => {
  const loaded = [...loadedWith(join(SOURCE, 'io/sessions/session-context.ts'))]
  expect(loaded).toContain(join(SOURCE, 'io/sessions/session-store.ts'))
  expect(loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'))).toEqual([])
  expect(loaded.filter((name) => name.includes('/secrets/'))).toEqual([])
  // The helper does find libraries where there are some.
  const others = [...loadedWith(join(SOURCE, 'core/event/front-matter.ts'))]
  expect(others).toContain('gray-matter')
})

describe('the context', () => {
  test('belongs to the repository around a folder and is shared by its worktrees', async () => {
    const repo = new Sandbox().init()
    repo.commit('one', { 'sub/file': 'x' })
    repo.git('worktree', 'add', '-q', '../other')
    const other = join(repo.folder, '../other')
    const inSub = await openSessionContext(join(repo.folder, 'sub'), repo.sandbox.env)
    const inOther = await openSessionContext(other, repo.sandbox.env)
    try {
      await inSub.sessions.change('s1', async () => ({ state: fresh(), result: 0 }))
      expect(inOther.sessions.read('s1')).toEqual(fresh())
      expect(existsSync(join(repo.folder, '.git/ledger-git/sessions/s1.json'))).toBe(true)
      const taken = await inSub.files.take(['sub/file'])
      expect(taken.files[0]?.oid).toBe(repo.git('rev-parse', 'HEAD:sub/file'))
      taken.dispose()
      const head = repo.git('rev-parse', 'HEAD')
      expect(await inSub.refs.move('refs/ledger/shadow/x', head, undefined, 'test')).toBe(true)
      expect(await inOther.refs.read('refs/ledger/shadow/x')).toBe(head)
      expect(inSub.random(6)).toHaveLength(6)
      expect(inSub.random(6)).not.toEqual(inSub.random(6))
      expect((await inSub.secrets()).redact('nothing')).toBe('nothing')
      const before = Date.now()
      const now = inSub.clock.now()
      expect(before <= now && now <= Date.now()).toBe(true)
    } finally {
      inSub.close()
      inOther.close()
    }
  })

  test('prints messages without control characters', async () => {
    const repo = new Sandbox().init()
    const context = await openSessionContext(repo.folder, repo.sandbox.env)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    context.say('a \u001b[31mred\u001b[0m word')
    expect(write.mock.calls.map(([text]) => text)).toEqual(['a \ufffd[31mred\ufffd[0m word\n'])
    write.mockRestore()
    context.close()
  })

  test('cannot be opened outside a repository', async () => {
    const { folder, env } = new Sandbox()
    await expect(openSessionContext(folder, env)).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
    })
  })
})

describe('the log', () => {
  const at = Date.UTC(2026, 0, 10, 12)

  test('has one line for each entry, whatever its text', () => {
    const { folder } = new Sandbox()
    const log = sessionLog(folder, () => at)
    log('s1 turn_start')
    log('two\nlines \u001b[2J\tof it')
    log('x'.repeat(5000))
    const file = join(folder, 'ledger-git/log/sessions.log')
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines.slice(0, 2)).toEqual([
      `2026-01-10T12:00:00.000Z ${process.pid} s1 turn_start`,
      `2026-01-10T12:00:00.000Z ${process.pid} two lines \ufffd[2J\ufffdof it`,
    ])
    expect(lines).toHaveLength(4)
    expect(lines[2]?.length).toBeLessThan(1100)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('keeps one old file, and limits the size of both', () => {
    const { folder } = new Sandbox()
    const log = sessionLog(folder, () => at)
    for (let i = 0; i < 800; i++) log(`${i} ${'x'.repeat(990)}`)
    const file = join(folder, 'ledger-git/log/sessions.log')
    for (const path of [file, `${file}.1`]) {
      expect(statSync(path).size).toBeLessThan(256 * 1024 + 2000)
      expect(statSync(path).size).toBeGreaterThan(0)
    }
    expect(readFileSync(file, 'utf8')).toContain(' 799 x')
    expect(existsSync(`${file}.2`)).toBe(false)
  })

  test('does not fail if it cannot be written', () => {
    const { folder } = new Sandbox()
    writeFileSync(join(folder, 'ledger-git'), '')
    expect(() => sessionLog(folder, () => at)('line')).not.toThrow()
  })
})

test('transcripts are read in slices of lines; what is not a transcript is undefined', () => {
  const { folder } = new Sandbox()
  const path = join(folder, 't.jsonl')
  const fixture = fileURLToPath(new URL('../agents/fixtures/claude-session.jsonl', import.meta.url))
  const text = readFileSync(fixture, 'utf8')
  const half = text.indexOf('\n', text.length / 2) + 1
  writeFileSync(path, text)
  const all = transcripts.readFrom(path, 0, 1e9)
  const bytes = Buffer.byteLength(text.slice(0, half))
  const first = transcripts.readFrom(path, 0, bytes)
  const rest = transcripts.readFrom(path, first?.next ?? 0, 1e9)
  expect(first?.toEnd).toBe(false)
  expect(rest).toMatchObject({ toEnd: true, next: Buffer.byteLength(text) })
  expect([...(first?.lines ?? []), ...(rest?.lines ?? [])]).toEqual(all?.lines)
  expect(readEntries('claude', all ?? { lines: [] }).length).toBeGreaterThan(3)
  expect(transcripts.readTail(path, 1e9)).toEqual(all)
  mkdirSync(join(folder, 'd'))
  symlinkSync('nowhere', join(folder, 'l'))
  for (const none of ['gone', 'd', 'l']) {
    expect(transcripts.readFrom(join(folder, none), 0, 100)).toBeUndefined()
    expect(transcripts.readTail(join(folder, none), 100)).toBeUndefined()
  }
})
