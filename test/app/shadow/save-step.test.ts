/** A step stores the session's changes as git would store them, and nothing else. */

import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changesOf } from '../../../src/app/checkpoint/read-commit.ts'
import { readChains } from '../../../src/app/shadow/shadow-chain.ts'
import { saveStep } from '../../../src/app/shadow/save-step.ts'
import { touchedAmong, touchedVersions } from '../../../src/app/shadow/shadow-files.ts'
import type { FileVersion } from '../../../src/core/checkpoint/condensation.ts'
import { checkpointIdFrom } from '../../../src/core/session/checkpoint-id.ts'
import { parseLeftOut } from '../../../src/core/shadow/shadow-record.ts'
import { EVENTS, Sandbox } from '../../support/git-repo.ts'
import { SECRETS } from '../../support/secrets.ts'
import { keepState, sessionHere } from '../../support/session-context.ts'
import {
  contextOf,
  repoWith,
  shadowPaths,
  shadowRefs,
  shadowSteps,
  shadowText,
} from './shadow-repo.ts'

const CODE_SECRET = SECRETS.find(({ kind }) => kind === 'github-token')?.secret ?? ''

test('takes changed, new and deleted files, but neither ignored ones nor those dirty before the turn', async () => {
  const ignore = { '.gitignore': '*.log\nown.env\n' }
  const repo = repoWith({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', ...ignore })
  repo.write('own.env', 'key\n')
  repo.git('add', '-f', 'own.env')
  repo.git('commit', '-q', '-m', 'tracked by mistake')
  repo.git('rm', '-q', '--cached', 'own.env')
  repo.write('gone.txt', 'staged, and gone again\n')
  repo.git('add', 'gone.txt')
  repo.run('rm', ['gone.txt'])
  repo.write('a.txt', 'changed\n')
  repo.write('deep/er/new.txt', 'new\n')
  repo.write('build.log', 'ignored\n')
  repo.write('mine.txt', 'was here before\n')
  repo.git('rm', '-q', 'b.txt')
  repo.write('staged.txt', 'staged\n')
  repo.git('add', 'staged.txt')
  const context = await contextOf(repo)
  const state = await sessionHere(context, 's1', { dirtyBefore: ['mine.txt'] })

  const { state: after, saved } = await saveStep(context, state)

  expect(saved).toBe(true)
  expect(after.steps).toBe(1)
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['a.txt', 'deep/er/new.txt', 'staged.txt'])
  expect(shadowText(repo, 'sessions/s1/files/a.txt')).toBe('changed')
  expect(shadowText(repo, 'sessions/s1/deleted')).toBe('"b.txt"')
  expect([...after.filesTouched].sort()).toEqual([
    'a.txt',
    'b.txt',
    'deep/er/new.txt',
    'staged.txt',
  ])
  const base = repo.git('rev-parse', 'HEAD')
  expect(shadowRefs(repo)).toEqual([`refs/ledger/shadow/${base.slice(0, 7)}-e3b0c4`])
  expect(repo.status().split('\n').sort()).toEqual(
    [
      ' M a.txt',
      '?? deep/er/new.txt',
      '?? mine.txt',
      'A  staged.txt',
      'AD gone.txt',
      'D  b.txt',
      'D  own.env',
    ].sort(),
  )
})

test('makes no commit for an equal tree, and one for a later change', async () => {
  const repo = repoWith()
  repo.write('a.txt', 'one\n')
  const context = await contextOf(repo)
  const first = await saveStep(context, await sessionHere(context, 's1'))
  const alive = { ...first.state, lastSignOfLife: '2026-01-10T12:30:00Z' }
  const second = await saveStep(await contextOf(repo), alive)
  expect(second.saved).toBe(false)
  expect(second.state.steps).toBe(1)
  expect(shadowSteps(repo)).toBe(1)

  repo.write('a.txt', 'two\n')
  expect((await saveStep(await contextOf(repo), second.state)).saved).toBe(true)
  expect(shadowSteps(repo)).toBe(2)
})

test('takes a file that was dirty before if a tool named it, but never an ignored one', async () => {
  const repo = repoWith({ '.gitignore': '*.log\n' })
  for (const name of ['abs.txt', 'sub/rel.txt', 'other.txt', 'build.log'])
    repo.write(name, `${name}\n`)
  const context = await contextOf(repo)
  const dirtyBefore = ['abs.txt', 'sub/rel.txt', 'other.txt']
  const filesTouched = ['abs.txt', 'build.log', 'sub/rel.txt']
  const state = await sessionHere(context, 's1', { dirtyBefore, filesTouched })
  const { state: after } = await saveStep(context, state)
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['abs.txt', 'sub/rel.txt'])
  // No commit will have the ignored one.
  expect(after.filesTouched).toEqual(['abs.txt', 'sub/rel.txt'])
})

test('takes the other files if a tool named a path that cannot exist', async () => {
  const repo = repoWith({ 'a.txt': 'a\n' })
  repo.write('a.txt', 'changed\n')
  const context = await contextOf(repo)
  const impossible = ['x'.repeat(300), `${'y'.repeat(300)}/z.txt`, 'a\0b', 'a.txt/in-a-file']
  const state = await sessionHere(context, 's1', { filesTouched: ['a.txt', ...impossible] })

  const { state: after, saved } = await saveStep(context, state)

  expect(saved).toBe(true)
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['a.txt'])
  expect(after.filesTouched).toEqual(['a.txt'])
})

test('forgets files that the turn made and removed, or changed and put back', async () => {
  const repo = repoWith({ 'kept.txt': 'kept\n', 'dir/same.txt': 'same\n' })
  const filesTouched = ['tmp/scratch.py', 'dir/same.txt', 'kept.txt']
  repo.write('kept.txt', 'changed\n')
  const context = await contextOf(repo)
  const { state } = await saveStep(context, await sessionHere(context, 's1', { filesTouched }))
  expect(state.filesTouched).toEqual(['kept.txt'])
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['kept.txt'])

  // What an earlier step saved is still the session's: its history may have the only copy.
  repo.git('checkout', '-q', '--', 'kept.txt')
  const next = await saveStep(await contextOf(repo), state)
  expect(next.state.filesTouched).toEqual(['kept.txt'])
})

test('keeps the names of all files while commits wait for the checkpoint', async () => {
  const repo = repoWith({ 'made.txt': 'made\n' })
  const context = await contextOf(repo)
  const checkpoint = checkpointIdFrom(new Uint8Array(6))
  const awaiting = [{ commit: repo.git('rev-parse', 'HEAD'), checkpoint }]
  const about = { filesTouched: ['made.txt'], awaiting }
  const { state } = await saveStep(context, await sessionHere(context, 's1', about))
  expect(state.filesTouched).toEqual(['made.txt'])
})

test('stores links, modes, odd names and line ends as git would', async () => {
  const repo = repoWith({ '.gitattributes': '*.txt text eol=crlf\n' })
  repo.write('crlf.txt', 'one\r\ntwo\r\n')
  repo.write('run.sh', '#!/bin/sh\n')
  chmodSync(join(repo.folder, 'run.sh'), 0o755)
  symlinkSync('/etc/passwd', join(repo.folder, 'link'))
  mkdirSync(join(repo.folder, 'real'))
  symlinkSync('real', join(repo.folder, 'folder'))
  repo.write('line\nbreak', 'x\n')
  repo.write('real/in', 'in\n')
  const raw = Buffer.concat([Buffer.from(`${repo.folder}/latin-`), Buffer.from([0xe9, 0xff])])
  writeFileSync(raw, 'bytes\n')
  const context = await contextOf(repo)
  const { state } = await saveStep(
    context,
    await sessionHere(context, 's1', { filesTouched: ['folder/in'] }),
  )

  repo.git('add', '-A')
  const index = repo.git('write-tree')
  for (const line of repo.git('ls-tree', '-r', index).split('\n')) {
    if (line.endsWith('.gitattributes')) continue
    expect(repo.git('ls-tree', '-r', `${shadowRefs(repo)[0]}:sessions/s1/files`)).toContain(line)
  }
  expect(state.filesTouched).toHaveLength(1 + 7)
  expect(shadowText(repo, 'sessions/s1/files/crlf.txt')).toBe('one\ntwo')
  // The odd name survives the state file, so the next step finds the same files.
  await keepState(context, state)
  const read = context.sessions.read('s1')
  expect(read?.filesTouched).toEqual(state.filesTouched)
  expect((await saveStep(await contextOf(repo), read ?? state)).saved).toBe(false)
})

test('names a file whose filter fails, and takes the others', async () => {
  const repo = repoWith()
  repo.git('config', 'filter.bad.clean', 'exit 1')
  repo.git('config', 'filter.bad.required', 'true')
  repo.write('.git/info/attributes', '*.bad filter=bad\n')
  for (const path of ['a.bad', 'b.txt']) repo.write(path, path)
  const context = await contextOf(repo)
  await saveStep(context, await sessionHere(context, 's1'))
  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['b.txt'])
  expect(parseLeftOut(shadowText(repo, 'sessions/s1/left-out'))).toMatchObject([
    { path: 'a.bad', reason: 'could not be read' },
  ])
})

test('keeps CRLF in a file that git stores with CRLF, whatever autocrlf says', async () => {
  const repo = repoWith()
  repo.git('config', 'core.autocrlf', 'false')
  repo.commit('crlf', { 'dos.txt': 'one\r\n' })
  repo.git('config', 'core.autocrlf', 'true')
  repo.write('dos.txt', 'one\r\ntwo\r\n')
  const context = await contextOf(repo)
  await saveStep(context, await sessionHere(context, 's1'))
  repo.git('add', 'dos.txt')
  const [ref] = shadowRefs(repo)
  expect(repo.git('rev-parse', `${ref}:sessions/s1/files/dos.txt`)).toBe(
    repo.git('rev-parse', ':dos.txt'),
  )
})

test("takes a submodule's new commit as a change, and ignores a nested repository", async () => {
  const repo = repoWith()
  const other = repo.sandbox.init('other')
  other.commit('one', { x: '1\n' })
  repo.git('submodule', '--quiet', 'add', other.folder, 'sub')
  repo.commit('with submodule')
  const sub = repo.sandbox.at(join(repo.folder, 'sub'))
  sub.commit('two', { x: '2\n' })
  repo.git('init', '-q', 'nested')
  repo.write('nested/file', 'x\n')
  const context = await contextOf(repo)
  const filesTouched = ['sub/x', 'nested/file']
  const saved = await saveStep(context, await sessionHere(context, 's1', { filesTouched }))
  expect(saved.state.filesTouched).toEqual([...filesTouched, 'sub'])
  expect(repo.git('ls-tree', `${shadowRefs(repo)[0]}:sessions/s1/files`)).toBe(
    `160000 commit ${sub.git('rev-parse', 'HEAD')}\tsub`,
  )
  repo.git('fsck', '--strict')
})

test('names secrets and large files, and keeps them out of every object', async () => {
  const repo = repoWith()
  repo.write('config.ts', `export const token = '${CODE_SECRET}'\n`)
  repo.write('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1, 7))
  repo.write('binary.bin', Buffer.concat([Buffer.from([0, 1]), Buffer.from(CODE_SECRET)]))
  repo.write(`${EVENTS}/2026-01-10T12-00-00Z_a_00000000.md`, `now: ${CODE_SECRET}\n`)
  const context = await contextOf(repo)
  const state = await sessionHere(context, 's1', {
    prompts: [`use ${CODE_SECRET}`],
    firstPrompt: `use ${CODE_SECRET}`,
  })
  await saveStep(context, state)

  expect(shadowPaths(repo, 'sessions/s1/files')).toEqual(['binary.bin'])
  const leftOut = parseLeftOut(shadowText(repo, 'sessions/s1/left-out'))
  expect(leftOut.map(({ path, reason }) => [path, reason.replace(/:.*/, '')])).toEqual([
    ['config.ts', 'secret'],
    ['large.bin', 'too large'],
  ])
  expect(parseLeftOut(shadowText(repo, 'left-out'))).toHaveLength(1)
  // No object, reachable or not, contains the secret, except for the binary file.
  const all = repo.git('cat-file', '--batch-all-objects', '--batch-check')
  for (const line of all.split('\n').filter((one) => one.includes(' blob '))) {
    const oid = line.split(' ')[0] ?? ''
    const text = repo.git('cat-file', 'blob', oid)
    if (!text.startsWith('\0')) expect(text).not.toContain(CODE_SECRET)
  }
  // A file that was left out still links commits.
  const versions = await touchedVersions(await contextOf(repo), { ...state, phase: 'idle' })
  expect(versions.find(({ path }) => path === 'config.ts')?.blob).toBe(
    repo.git('hash-object', 'config.ts'),
  )
})

test('adds only what is new in the transcript since the last condensing, redacted', async () => {
  const repo = repoWith()
  const path = join(repo.sandbox.folder, 't.jsonl')
  const line = (text: string) => `${JSON.stringify({ type: 'user', text })}\n`
  const old = line('condensed already')
  writeFileSync(path, old + line(`the key is ${CODE_SECRET}`))
  const context = await contextOf(repo)
  const state = await sessionHere(context, 's1', { transcript: { path, offset: old.length } })
  const first = await saveStep(context, state)
  const text = shadowText(repo, 'sessions/s1/transcript.jsonl')
  expect(text).toContain('[redacted:')
  expect(text).not.toContain('condensed already')
  writeFileSync(path, old + line(`the key is ${CODE_SECRET}`) + line('more'))
  await saveStep(await contextOf(repo), first.state)
  const grown = shadowText(repo, 'sessions/s1/transcript.jsonl').split('\n')
  expect(grown).toEqual([text, line('more').trim()])

  // Another file in its place is read from its start.
  writeFileSync(path, line('new'))
  await saveStep(await contextOf(repo), { ...first.state, transcript: { path, offset: 0 } })
  expect(shadowText(repo, 'sessions/s1/transcript.jsonl')).toBe(line('new').trim())
})

test('stores the prompts of an agent without a log', async () => {
  const repo = repoWith()
  const context = await contextOf(repo)
  const state = await sessionHere(context, 's1', { prompts: ['Write it', 'Go on,\nplease'] })
  const first = await saveStep(context, state)
  expect(shadowText(repo, 'sessions/s1/prompts.txt')).toBe('Write it\n---\nGo on,\nplease')
  const path = join(repo.sandbox.folder, 't.jsonl')
  writeFileSync(path, '{"type":"user"}\n')
  await saveStep(await contextOf(repo), { ...first.state, transcript: { path, offset: 0 } })
  const files = repo.git('ls-tree', '-r', '--name-only', shadowRefs(repo)[0] ?? '')
  expect(files).toContain('sessions/s1/transcript.jsonl')
  expect(files).not.toContain('prompts.txt')
})

test('keeps an event in the chain until HEAD has it', async () => {
  const repo = repoWith()
  const [a, b] = ['2026-01-10T12-00-00Z_a_00000000.md', '2026-01-10T12-00-01Z_a_00000001.md']
  repo.write(`${EVENTS}/${a}`, '---\nts: 2026-01-10T12:00:00Z\nagent: a\n---\n')
  repo.write(`${EVENTS}/${b}`, '---\nts: 2026-01-10T12:00:01Z\nagent: a\n---\n')
  const context = await contextOf(repo)
  const first = await saveStep(context, await sessionHere(context, 's1'))
  expect(first.state.filesTouched).toEqual([])
  expect(shadowPaths(repo, 'events')).toEqual([a, b])

  repo.git('add', `${EVENTS}/${a}`)
  repo.git('commit', '-q', '-m', 'one event')
  repo.git('clean', '-fdxq')
  repo.write('x', 'x\n')
  await saveStep(await contextOf(repo), first.state)
  expect(shadowPaths(repo, 'events')).toEqual([b])
})

test('works before a first commit and in a SHA-256 repository', async () => {
  for (const args of [[], ['--object-format=sha256']]) {
    const repo = new Sandbox().init('repo', ...args)
    repo.write('a', 'a\n')
    const context = await contextOf(repo)
    const { saved } = await saveStep(context, await sessionHere(context, 's1'))
    expect(saved).toBe(true)
    expect(shadowRefs(repo)).toEqual(['refs/ledger/shadow/0000000-e3b0c4'])
    repo.git('fsck', '--strict')
  }
})

test('uses separate chains for two bases with the same seven digits', async () => {
  const repo = repoWith()
  repo.write('a.txt', 'mine\n')
  const context = await contextOf(repo)
  const state = await sessionHere(context, 's1')
  await saveStep(context, state)
  const [first = ''] = shadowRefs(repo)
  const twin = `${state.base?.slice(0, 7)}${'0'.repeat(33)}`
  repo.write('a.txt', 'other\n')
  const other = await sessionHere(context, 's2', { base: twin })
  await saveStep(await contextOf(repo), other)

  expect(shadowRefs(repo)).toHaveLength(2)
  expect(shadowRefs(repo).find((ref) => ref !== first)).toContain(`/${twin}-`)
  expect(repo.git('show', `${first}:sessions/s1/files/a.txt`)).toBe('mine')
  // Each session finds its own chain again, even if the short name is now free.
  repo.git('update-ref', '-d', first)
  const again = await saveStep(await contextOf(repo), { ...other, filesTouched: ['a.txt'] })
  expect(again.saved).toBe(false)
})

test("an open turn has the worktree's versions, and a closed one those of its steps", async () => {
  const repo = repoWith({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  repo.write('a.txt', 'one\n')
  const context = await contextOf(repo)
  const { state } = await saveStep(context, await sessionHere(context, 's1'))
  repo.write('a.txt', 'two\n')
  repo.git('rm', '-q', 'b.txt')
  const blob = (text: string) =>
    repo.run('git', ['hash-object', '--stdin'], { input: text }).stdout.trim()
  const byPath = (found: readonly FileVersion[]) =>
    Object.fromEntries(found.map((one) => [one.path, one.blob]))
  const versions = async (phase: 'idle' | 'active') =>
    byPath(await touchedVersions(await contextOf(repo), { ...state, phase }))
  expect(await versions('idle')).toEqual({ 'a.txt': blob('one\n') })
  expect(await versions('active')).toEqual({ 'a.txt': blob('two\n'), 'b.txt': undefined })
  expect(repo.tryGit('cat-file', '-e', blob('two\n')).status).not.toBe(0)

  // Right after a commit nothing differs from HEAD, but what the commit changed is still known.
  const head = repo.commit('all', { 'new.txt': 'new\n', 'mine.txt': 'user\n' })
  expect(Object.keys(await versions('active'))).toEqual(['a.txt'])
  const among = async (phase: 'idle' | 'active') => {
    const now = await contextOf(repo)
    const { changes } = await changesOf(now, head)
    const session = { ...state, phase, dirtyBefore: ['mine.txt'] }
    return byPath(await touchedAmong(now, await readChains(now), session, changes, false))
  }
  expect(await among('idle')).toEqual({ 'a.txt': blob('one\n') })
  expect(await among('active')).toEqual({
    'a.txt': blob('two\n'),
    'b.txt': undefined,
    'new.txt': blob('new\n'),
  })
})

test('leaves no copies of files in the git folder, and removes those of a killed process', async () => {
  const repo = repoWith({ 'a.txt': 'a\n' })
  const scratch = join(repo.folder, '.git/ledger-git/scratch')
  mkdirSync(join(scratch, '_dead/objects'), { recursive: true })
  mkdirSync(join(scratch, '_alive'))
  const old = Date.now() / 1000 - 4000
  utimesSync(join(scratch, '_dead'), old, old)
  repo.write('a.txt', 'new\n')
  const context = await contextOf(repo)
  const { saved } = await saveStep(context, await sessionHere(context, 's1'))
  expect(saved).toBe(true)
  expect(readdirSync(scratch)).toEqual(['_alive'])
})
