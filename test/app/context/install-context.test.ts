/** `install --context`, and how it is undone. */

import { join } from 'node:path'
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { sampleOf } from '../../support/long.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { installIn, uninstallIn } from '../setup/in-process.ts'

const MARKER = '.git/ledger-git/context/followed'
const STATE = '.claude/checkpoint-state.json'
const OURS = JSON.stringify({ version: '1.0.0', sessionId: 's1', currentLevel: 'L0' })

test('needs --context once, survives other installs, and uninstalls without a trace', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.sandbox.folder)
  await installIn(repo, false, undefined, { agents: ['claude'] })
  expect(repo.exists(MARKER)).toBe(false)
  await installIn(repo, false, undefined, { agents: ['claude'], context: true })
  expect(repo.exists(MARKER)).toBe(true)
  expect((await installIn(repo)).changes).toEqual([])
  expect(repo.exists(MARKER)).toBe(true)
  // Git ignores what the hooks write.
  repo.write(STATE, OURS)
  repo.write('.git/ledger-git/context/s1.json', '{}')
  expect(repo.git('status', '--porcelain', '-uall')).not.toContain('checkpoint-state')
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

test('stops following the context when the last connected agent is removed', async () => {
  const repo = new Sandbox().init()
  await installIn(repo, false, undefined, { agents: ['claude', 'codex'], context: true })
  repo.write(STATE, OURS)
  await uninstallIn(repo, false, ['claude'])
  expect(repo.exists(MARKER)).toBe(true)
  await uninstallIn(repo, false, ['codex'])
  expect([repo.exists(MARKER), repo.exists(STATE)]).toEqual([false, false])
  // What was hidden for them is visible again, and an install would change nothing.
  expect(repo.read('.git/info/exclude')).not.toMatch(/checkpoint-state|ralph-state|settings\.local/)
  expect((await installIn(repo)).changes).toEqual([])
})

test("uninstall keeps another program's state file", async () => {
  const repo = new Sandbox().init()
  await installIn(repo, false, undefined, { agents: ['claude'], context: true })
  repo.write(STATE, '{"version": 2}')
  await uninstallIn(repo)
  expect(repo.read(STATE)).toBe('{"version": 2}')
})

const LOCAL = '.claude/settings.local.json'
const LINE = { type: 'command', command: '~/line.sh' }
const asked = { agents: ['claude'], context: true } as const
const install = (repo: Repo, more: object = {}) =>
  installIn(repo, false, undefined, { ...asked, ...more })

interface Local {
  statusLine?: { command: string }
  hooks?: { PostToolUse?: { matcher: string; hooks: { command: string }[] }[] }
}
const localOf = (repo: Repo) => JSON.parse(repo.read(LOCAL)) as Local
const commandsOf = ({ hooks }: Local) =>
  (hooks?.PostToolUse ?? []).flatMap((group) => group.hooks.map(({ command }) => command))

test('puts the status line and the hook for read-only tools into settings that git ignores', async () => {
  const repo = new Sandbox().init()
  const { notes, commit } = await install(repo)
  expect(notes).toEqual([])
  expect(commit).not.toContain(LOCAL)
  const local = localOf(repo)
  expect(local.statusLine?.command).toContain('/run" statusline ')
  expect(commandsOf(local)).toEqual([
    expect.stringContaining('/run" context-hook claude PostToolUse '),
  ])
  // Every tool matches exactly one of the two hooks.
  const shared = JSON.parse(repo.read('.claude/settings.json')) as Local
  const own = new RegExp(local.hooks?.PostToolUse?.[0]?.matcher ?? '')
  const telling = shared.hooks?.PostToolUse?.[0]?.matcher.split('|') ?? []
  for (const name of ['Read', 'Grep', 'WebFetch', 'mcp__a__b', 'NotebookRead', ...telling])
    expect([name, own.test(name)]).toEqual([name, !telling.includes(name)])
  expect(repo.git('status', '--porcelain', '-uall')).not.toContain('settings.local')
  expect((await install(repo)).changes).toEqual([])
})

const THERE: [string, string, { local?: boolean }][] = [
  ['indented', `{\n    "model": "x",\n    "hooks": {"PostToolUse": []}\n}\n`, {}],
  ['with Windows line ends', `{\r\n  "env": {"A": "b"}\r\n}\r\n`, {}],
  ['and our other hooks', `{"permissions": {"allow": []}}`, { local: true }],
  ['empty', '', { local: true }],
]
test.each(sampleOf(THERE, 2))(
  '%s: uninstall restores existing files byte for byte',
  async (_, text, more) => {
    const repo = new Sandbox().init()
    repo.write(LOCAL, text)
    repo.write('.claude/commands/handoff.md', 'My own.\n')
    repo.write('.claude/settings.json', JSON.stringify({ statusLine: LINE }))
    const before = snapshot(repo.sandbox.folder)
    await install(repo, more)
    expect(localOf(repo).statusLine?.command).toContain('ledger-git')
    expect(commandsOf(localOf(repo)).some((command) => command.includes('context-hook'))).toBe(true)
    await installIn(repo)
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
  },
)

/** The commands as an earlier release wrote them. */
const aged = (text: string) =>
  text
    .replace(
      /d=\$\(.*?\)( && [^']*(?:statusline|context-hook))/g,
      'd=$(git rev-parse --git-common-dir)$1',
    )
    .replace(/# ledger-git v\d/g, '# ledger-git v1')

test('a plain install renews both places and the record, and does not restore a removed status line', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.sandbox.folder)
  const user = join(repo.sandbox.env['HOME'] ?? '', '.claude', 'settings.json')
  const record = '.git/ledger-git/install.json'
  await install(repo)
  await install(repo, { user: true })
  const [local, own] = [repo.read(LOCAL), readFileSync(user, 'utf8')]
  repo.write(LOCAL, aged(local))
  writeFileSync(user, aged(own))
  repo.write(record, aged(repo.read(record)))
  expect(localOf(repo).statusLine?.command).not.toBe(
    (JSON.parse(local) as Local).statusLine?.command,
  )
  const { changes } = await installIn(repo)
  expect(changes.map(({ path }) => path).toSorted()).toEqual(
    [user, join(repo.folder, LOCAL)].toSorted(),
  )
  expect([repo.read(LOCAL), readFileSync(user, 'utf8')]).toEqual([local, own])
  expect((await installIn(repo)).changes).toEqual([])
  const { statusLine: _, ...rest } = localOf(repo)
  repo.write(LOCAL, JSON.stringify(rest))
  expect((await installIn(repo)).changes).toEqual([])
  repo.write(LOCAL, local)
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

test('keeps another status line and notes that ours is not shown', async () => {
  const repo = new Sandbox().init()
  repo.write(LOCAL, JSON.stringify({ statusLine: LINE }))
  const { notes } = await install(repo)
  expect(notes.join()).toContain('has a status line of its own: no status line is shown')
  expect(localOf(repo).statusLine).toEqual(LINE)
  expect(commandsOf(localOf(repo))).toHaveLength(1)
  await uninstallIn(repo)
  expect(repo.read(LOCAL)).toBe(JSON.stringify({ statusLine: LINE }))
})

test('leaves a tracked settings file unchanged', async () => {
  const repo = new Sandbox().init()
  repo.write(LOCAL, '{}')
  repo.git('add', LOCAL)
  repo.git('commit', '-qm', 'shared')
  const { notes } = await install(repo)
  expect(notes.join()).toContain(`${LOCAL} is in git, so it is left unchanged`)
  expect(repo.read(LOCAL)).toBe('{}')
})

test("--user adds the line to the user's settings, and uninstall removes it", async () => {
  const repo = new Sandbox().init()
  const user = join(repo.sandbox.env['HOME'] ?? '', '.claude', 'settings.json')
  mkdirSync(join(user, '..'), { recursive: true })
  writeFileSync(user, '{ "model": "opus" }\n')
  const before = snapshot(repo.sandbox.folder)
  await install(repo, { user: true })
  expect(localOf(repo).statusLine).toBeUndefined()
  expect(commandsOf(localOf(repo))).toHaveLength(1)
  expect(JSON.parse(readFileSync(user, 'utf8'))).toMatchObject({
    model: 'opus',
    statusLine: { command: expect.stringContaining('statusline') as string },
  })
  await uninstallIn(repo, false, ['claude'])
  expect(readFileSync(user, 'utf8')).toBe('{ "model": "opus" }\n')
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})

test('writes commands only with --context, never over an existing file, and keeps edited ones', async () => {
  const repo = new Sandbox().init()
  const command = (name: string) => `.claude/commands/${name}.md`
  await install(repo, { context: false })
  expect(repo.exists(command('checkpoint'))).toBe(false)
  repo.write(command('handoff'), 'My own.\n')
  const { notes } = await install(repo)
  expect(notes.join()).toContain(
    `${command('handoff')} is not as ledger-git wrote it, so it is left unchanged`,
  )
  expect(repo.read(command('handoff'))).toBe('My own.\n')
  expect(repo.read(command('orient'))).toContain('ledger-git context orient')
  repo.write(command('orient'), `${repo.read(command('orient'))}And read NOTES.md.\n`)
  await uninstallIn(repo)
  expect(repo.exists(command('checkpoint'))).toBe(false)
  expect(repo.read(command('orient'))).toContain('NOTES.md')
  expect(repo.read(command('handoff'))).toBe('My own.\n')
})

test('shows local settings in git again after the agent that they were hidden for is removed', async () => {
  const repo = new Sandbox().init()
  const before = snapshot(repo.sandbox.folder)
  await installIn(repo, false, undefined, { agents: ['claude'], local: true })
  expect(repo.read('.git/info/exclude')).toContain('settings.local')
  await uninstallIn(repo, false, ['claude'])
  expect(repo.read('.git/info/exclude')).not.toContain('settings.local')
  expect((await installIn(repo, false, undefined, { local: true })).changes).toEqual([])
  await uninstallIn(repo)
  expect(changedPaths(before, snapshot(repo.sandbox.folder))).toEqual([])
})
