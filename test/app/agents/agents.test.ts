/** `install --agent`: the agents' settings in real repositories, and the command that agents run. */

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InstallOptions } from '../../../src/app/setup/install-plan.ts'
import { install } from '../../../src/app/setup/install.ts'
import type { InstallReport } from '../../../src/app/setup/install-record.ts'
import { asset, createSetup } from '../../../src/compose/setup.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import { agentCommand } from '../../../src/core/agents/agent-command.ts'
import { AGENTS } from '../../../src/core/agents/agents.ts'
import { markedText } from '../../../src/core/agents/agent-text.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Ran, Repo } from '../../support/git-repo.ts'
import { Sandbox } from '../../support/git-repo.ts'
import { changedPaths, snapshot } from '../../support/snapshot.ts'
import { doctorIn, quick } from '../doctor/in-process.ts'
import { uninstallIn } from '../setup/in-process.ts'
import { longTest, runs } from '../../support/long.ts'

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))
const CLAUDE = '.claude/settings.json'
const LOCAL = '.claude/settings.local.json'
const SKILL = '.claude/skills/ledger/SKILL.md'
const template = (name: string) => asset(packageRoot, `templates/${name}`)

async function connect(
  { folder, sandbox }: Repo,
  agents: readonly AgentName[],
  options: Partial<InstallOptions> = {},
): Promise<InstallReport> {
  const repository = await openRepository(folder, sandbox.env)
  try {
    const setup = await createSetup(repository, sandbox.env, packageRoot)
    return await install(setup, { dryRun: false, local: false, ...options, agents })
  } finally {
    repository.close()
  }
}

function newRepo(files: Record<string, string> = {}): Repo {
  const repo = new Sandbox().init()
  repo.commit('init', { 'README.md': '# demo\n', ...files })
  return repo
}

const refused = async (install: Promise<unknown>) => {
  const error = await install.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof LedgerError ? `${error.code}: ${error.message}` : String(error)
}

async function agentFinding(repo: Repo, fix = false) {
  const { findings, fixed } = await doctorIn(repo, quick(repo), fix)
  return { ...findings.find(({ name }) => name === 'agent-hooks'), fixed }
}

describe('install and uninstall', () => {
  test('connects every agent, and uninstall restores the same bytes and folders', async () => {
    const repo = newRepo()
    const before = snapshot(repo.folder)
    const { commit, notes } = await connect(repo, ['claude', 'codex', 'gemini'])
    expect(commit).toEqual(
      expect.arrayContaining([CLAUDE, '.codex/hooks.json', '.gemini/settings.json', SKILL]),
    )
    expect(notes.join()).toContain('/hooks')
    for (const agent of ['claude', 'codex', 'gemini'] as const) {
      const { hooks } = JSON.parse(repo.read(AGENTS[agent].file)) as { hooks: object }
      expect(Object.keys(hooks)).toEqual(AGENTS[agent].hooks.map(({ event }) => event))
    }
    expect((await connect(repo, ['claude', 'gemini'])).changes).toEqual([])
    expect((await connect(repo, [])).changes).toEqual([])
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })

  test("keeps the user's folders, including empty ones", async () => {
    const repo = newRepo()
    mkdirSync(join(repo.folder, '.claude/skills'), { recursive: true })
    const before = snapshot(repo.folder)
    await connect(repo, ['claude'])
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })

  test('restores arbitrary settings byte for byte', async () => {
    const repo = newRepo()
    const indent = fc.constantFrom('', '  ', '\t')
    const start = fc.constantFrom('', '\uFEFF', '// mine\n')
    const end = fc.constantFrom('', '\n', '\r\n\r\n')
    const object = fc.dictionary(fc.constantFrom('model', 'env', '$schema'), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(object, indent, start, end, async (value, unit, before, after) => {
        const text = before + JSON.stringify(value, null, unit) + after
        repo.write(CLAUDE, text)
        await connect(repo, ['claude'])
        expect(repo.read(CLAUDE)).toContain('agent-hook claude Stop')
        await uninstallIn(repo)
        expect(repo.read(CLAUDE)).toBe(text)
      }),
      runs(12),
    )
  })

  longTest(
    'keeps what the user added after install, even in a file that install created',
    async () => {
      const repo = newRepo()
      await connect(repo, ['claude'])
      repo.write(CLAUDE, repo.read(CLAUDE).replace('{\n', '{\n  "model": "opus",\n'))
      await uninstallIn(repo)
      expect(repo.read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n')
    },
  )

  test('a clone gets hooks and skill from the commit; install and uninstall there leave them unchanged', async () => {
    const repo = newRepo()
    await connect(repo, ['claude'])
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'chore: ledger-git')
    repo.git('clone', '-q', '.', '../clone')
    const clone = repo.sandbox.at(join(repo.sandbox.folder, 'clone'))
    await connect(clone, ['claude'])
    expect(clone.git('status', '--porcelain')).toBe('')
    await uninstallIn(clone)
    expect(clone.git('status', '--porcelain')).toBe('')
  })

  test('a plain install renews connected agents and does not restore removed hooks or skills', async () => {
    const repo = newRepo()
    await connect(repo, ['claude'])
    const full = repo.read(CLAUDE)
    repo.write(CLAUDE, full.replaceAll('# ledger-git v2', '# ledger-git v1'))
    expect((await connect(repo, [])).changes.map(({ path }) => path)).toEqual([
      join(repo.folder, CLAUDE),
    ])
    expect(repo.read(CLAUDE)).toBe(full)
    repo.write(CLAUDE, '{}\n')
    rmSync(join(repo.folder, SKILL))
    expect((await connect(repo, [])).changes).toEqual([])
  })

  test('uninstall recognizes our texts without the install record', async () => {
    const repo = newRepo({ [CLAUDE]: '{\n  "model": "opus"\n}\n' })
    await connect(repo, ['claude'])
    rmSync(join(repo.folder, '.git/ledger-git/install.json'))
    await uninstallIn(repo)
    expect(repo.read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n')
    expect(repo.exists(SKILL)).toBe(false)
  })

  longTest('names an ignored settings file and does not list it for the commit', async () => {
    const repo = newRepo({ '.gitignore': '.claude/\n' })
    const { commit, notes } = await connect(repo, ['claude'])
    expect(commit).not.toContain(CLAUDE)
    expect(notes.join()).toContain(`${CLAUDE} cannot be committed (git ignores it`)
  })
})

describe('uninstall --agent', () => {
  longTest('disconnects only the named agent, and nothing reconnects it later', async () => {
    const shared = '{\n  "model": "opus"\n}\n'
    const repo = newRepo({ [CLAUDE]: shared })
    await connect(repo, ['codex'])
    const before = snapshot(repo.folder)
    await connect(repo, ['claude'])
    await connect(repo, ['claude'], { local: true })
    const connected = snapshot(repo.folder)

    const dry = await uninstallIn(repo, true, ['claude'])
    expect(changedPaths(connected, snapshot(repo.folder))).toEqual([])
    const { changes, notes } = await uninstallIn(repo, false, ['claude'])
    expect({ changes, notes }).toEqual({ changes: dry.changes, notes: [] })
    const named = changes.map(
      ({ path, change }) => `${change} ${path.slice(path.search(/\/(?:\.claude|info)\//))}`,
    )
    expect(named.toSorted()).toEqual([
      'edit /.claude/settings.json',
      'edit /info/exclude',
      'remove /.claude/commands/create_handoff.md',
      'remove /.claude/commands/ledger.md',
      'remove /.claude/commands/resume_handoff.md',
      'remove /.claude/settings.local.json',
      'remove /.claude/skills/continuity/SKILL.md',
      'remove /.claude/skills/ledger-handoff/SKILL.md',
      'remove /.claude/skills/ledger/SKILL.md',
    ])
    // The record may list the remaining entries in another order.
    const rest = changedPaths(before, snapshot(repo.folder))
    expect(rest.filter((path) => !path.includes('install.json'))).toEqual([])
    expect((await uninstallIn(repo, false, ['claude'])).changes).toEqual([])

    expect(await agentFinding(repo, true)).toMatchObject({
      status: 'ok',
      message: 'connected: Codex (.codex/hooks.json)',
    })
    await connect(repo, [])
    expect(repo.read(CLAUDE)).toBe(shared)
  })

  test('writes a skill that two agents read once, and removes it with the last of them', async () => {
    const skill = '.agents/skills/ledger/SKILL.md'
    const repo = newRepo()
    const { changes } = await connect(repo, ['codex', 'gemini'])
    const named = changes.filter(({ path }) => path.endsWith(skill))
    expect(named).toMatchObject([{ what: 'for Codex and Gemini CLI' }])
    await uninstallIn(repo, false, ['codex'])
    expect(repo.exists(skill)).toBe(true)
    await uninstallIn(repo, false, ['gemini'])
    expect(repo.exists('.agents')).toBe(false)
  })

  test("never touches the user's own text under the same name", async () => {
    const skill = '.agents/skills/ledger/SKILL.md'
    const repo = newRepo({ [skill]: '# mine\n' })
    const { notes } = await connect(repo, ['codex'])
    expect(notes).toContain(`${skill} is not as ledger-git wrote it, so it is left unchanged`)
    await uninstallIn(repo, false, ['codex'])
    expect(repo.read(skill)).toBe('# mine\n')
  })

  test('disconnects an agent that a teammate connected', async () => {
    const repo = newRepo()
    await connect(repo, ['gemini', 'codex'])
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'connect')
    repo.git('clone', '-q', '.', '../clone')
    const clone = repo.sandbox.at(join(repo.folder, '../clone'))
    await connect(clone, [])
    const { changes } = await uninstallIn(clone, false, ['gemini'])
    expect(changes).toMatchObject([{ change: 'edit', what: 'hooks of ledger-git' }])
    expect(clone.read('.gemini/settings.json')).not.toContain('ledger-git')
    expect(clone.read('.codex/hooks.json')).toContain('ledger-git')
  })
})

describe('--local', () => {
  test("writes only this clone's ignored settings file, without texts; uninstall restores the same bytes", async () => {
    const repo = newRepo()
    const before = snapshot(repo.folder)
    await connect(repo, ['claude'], { local: true })
    expect(repo.read(LOCAL)).toContain('agent-hook claude Stop')
    expect(repo.exists(CLAUDE) || repo.exists(SKILL)).toBe(false)
    expect(repo.git('status', '--porcelain')).toBe('')
    expect((await connect(repo, [], { local: true })).changes).toEqual([])
    await uninstallIn(repo)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })

  test('is refused for Codex, for Gemini CLI, and for a file that is in git', async () => {
    const repo = newRepo({ [LOCAL]: '{}\n' })
    const before = snapshot(repo.folder)
    const local = { local: true }
    expect(await refused(connect(repo, ['codex'], local))).toMatch(/^USAGE: Codex has no settings/)
    expect(await refused(connect(repo, ['gemini'], local))).toMatch(/^USAGE: /)
    expect(await refused(connect(repo, ['claude'], local))).toMatch(/^AGENT_SETTINGS: .*is in git/)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })
})

describe('settings that cannot be edited', () => {
  const path = (repo: Repo) => join(repo.folder, CLAUDE)
  test.each<[string, RegExp, (repo: Repo) => void]>([
    ['not JSON', /is not valid JSON \(line 2/, (repo) => repo.write(CLAUDE, '{\n  "hooks": [,\n')],
    ['hooks of another type', /"hooks" that is not/, (repo) => repo.write(CLAUDE, '{"hooks":[]}')],
    ['a folder', /is a link or a folder/, (repo) => mkdirSync(path(repo), { recursive: true })],
    [
      'a link',
      /is a link or a folder/,
      (repo) => {
        repo.write('.claude/real.json', '{}')
        symlinkSync('real.json', path(repo))
      },
    ],
    [
      'read-only',
      /is read-only/,
      (repo) => {
        repo.write(CLAUDE, '{}')
        chmodSync(path(repo), 0o444)
      },
    ],
    ['a file in place of the folder', /its folder is a file/, (repo) => repo.write('.claude', 'x')],
  ])('%s: nothing is installed', async (_, reason, make) => {
    const repo = newRepo()
    make(repo)
    const before = snapshot(repo.folder)
    const said = await refused(connect(repo, ['claude', 'codex']))
    expect(said).toMatch(/^AGENT_SETTINGS: /)
    expect(said).toMatch(reason)
    expect(changedPaths(before, snapshot(repo.folder))).toEqual([])
  })

  test("leaves a connected agent's broken file alone and installs the rest", async () => {
    const repo = newRepo()
    await connect(repo, ['claude'])
    repo.write(CLAUDE, '{ oops')
    rmSync(join(repo.folder, '.git/ledger-git/run'))
    const { notes, changes } = await connect(repo, [])
    expect(notes.join()).toMatch(/settings\.json is not valid JSON .*: left alone/)
    expect(changes).toHaveLength(1)
    await uninstallIn(repo)
    expect(repo.read(CLAUDE)).toBe('{ oops')
  })

  test('is refused in a bare repository', async () => {
    const repo = newRepo()
    repo.git('clone', '-q', '--bare', '.', '../bare.git')
    const bare = repo.sandbox.at(join(repo.sandbox.folder, 'bare.git'))
    expect(await refused(connect(bare, ['claude']))).toMatch(/^NO_WORKTREE: /)
  })
})

describe('the texts for Claude Code', () => {
  test('renews a text of an older release, even one that was committed', async () => {
    const repo = newRepo({ [SKILL]: markedText('---\nname: ledger\n---\nolder\n', 0) })
    await connect(repo, ['claude'])
    expect(repo.read(SKILL)).toBe(markedText(template('agents/ledger-skill.md')))
  })

  test("keeps an edited text, a text of a newer release and the user's own text", async () => {
    const ours = markedText(template('agents/ledger-skill.md'))
    const newer = markedText('newer\n', 9)
    for (const text of [ours.replace('# Ledger', '# Our ledger'), 'mine\n', newer]) {
      const repo = newRepo({ [SKILL]: text })
      const { notes } = await connect(repo, ['claude'])
      expect(repo.read(SKILL)).toBe(text)
      expect(notes.join().includes(`${SKILL} is not as ledger-git wrote it`)).toBe(text !== newer)
      await uninstallIn(repo)
      expect(repo.read(SKILL)).toBe(text)
    }
  })

  longTest('uninstall keeps a text that was edited after install', async () => {
    const repo = newRepo()
    await connect(repo, ['claude'])
    repo.write(SKILL, `${repo.read(SKILL)}\nmine\n`)
    await uninstallIn(repo)
    expect(repo.read(SKILL)).toContain('\nmine\n')
  })
})

describe('doctor', () => {
  longTest('names the connected agents', async () => {
    const repo = newRepo()
    await connect(repo, [])
    expect(await agentFinding(repo)).toMatchObject({ status: 'ok', message: /^no coding agent/ })
    await connect(repo, ['claude', 'gemini'])
    expect(await agentFinding(repo)).toMatchObject({
      status: 'ok',
      message: `connected: Claude Code (${CLAUDE}), Gemini CLI (.gemini/settings.json)`,
    })
  })

  const DAMAGE: [string, RegExp, (text: string) => string | undefined][] = [
    ['lacking', /lacks the hook of Stop/, (text) => without(text, 'Stop')],
    ['old', /older release/, (text) => text.replace('# ledger-git v2', '# ledger-git v1')],
    ['double', /more than once \(Stop\)/, (text) => twice(text, 'Stop')],
    ['empty', /none of our hooks/, () => '{}\n'],
    ['gone', /is gone/, () => undefined],
  ]
  longTest.each(DAMAGE)('finds and repairs %s hooks', async (_, message, change) => {
    const repo = newRepo()
    await connect(repo, ['claude'])
    const full = repo.read(CLAUDE)
    const changed = change(full)
    if (changed === undefined) rmSync(join(repo.folder, CLAUDE))
    else repo.write(CLAUDE, changed)
    const found = await agentFinding(repo)
    expect(found).toMatchObject({ status: 'warning', fix: 'ledger-git install --agent claude' })
    expect(found.message).toMatch(message)
    const mended = await agentFinding(repo, true)
    expect(mended.fixed.join()).toContain(CLAUDE)
    expect(mended.status).toBe('ok')
    expect(hooksIn(repo.read(CLAUDE))).toEqual(hooksIn(full))
  })

  longTest(
    'names hooks that are switched off and the setting responsible; --fix leaves the setting alone',
    async () => {
      const repo = newRepo()
      await connect(repo, ['claude', 'codex'])
      const on = async () =>
        (await doctorIn(repo, quick(repo))).findings.find(({ name }) => name === 'agent-hooks-on')
      expect(await on()).toMatchObject({ status: 'ok' })
      repo.write(LOCAL, '{ "disableAllHooks": true }')
      repo.write('.codex/config.toml', '[features]\nhooks = false\n')
      expect(await on()).toEqual({
        name: 'agent-hooks-on',
        status: 'warning',
        message: `hooks are switched off: Claude Code (${LOCAL}, disableAllHooks: true); Codex (.codex/config.toml, features.hooks = false)`,
        fix: `take disableAllHooks out of ${LOCAL}, or leave it: then nothing is recorded`,
      })
      await agentFinding(repo, true)
      expect(repo.read(LOCAL)).toBe('{ "disableAllHooks": true }')
    },
  )

  longTest(
    'names approvals that only the user can give, and agents that run git without its hooks',
    async () => {
      const repo = newRepo()
      await connect(repo, ['claude'])
      const said = async (wanted: string) =>
        (await doctorIn(repo, quick(repo))).findings.find(({ name }) => name === wanted)?.message
      expect(await said('agent-trust')).toMatch(/^no connected agent needs/)
      expect(await said('agent-commits')).toBe('connected agents run git with its hooks')
      await connect(repo, ['codex', 'gemini'])
      expect(await said('agent-trust')).toMatch(/trust the project and each of the hooks.*; Gemini/)
      expect(await said('agent-commits')).toMatch(
        /^Gemini CLI \(0\.57 and newer\) runs git without/,
      )
    },
  )

  longTest('leaves a broken file to the user and repairs the other agents', async () => {
    const repo = newRepo()
    await connect(repo, ['claude', 'codex'])
    repo.write(CLAUDE, '{ oops')
    repo.write('.codex/hooks.json', '{}')
    expect(await agentFinding(repo)).toMatchObject({ status: 'warning', fix: `correct ${CLAUDE}` })
    rmSync(join(repo.folder, '.git/ledger-git/run'))
    await agentFinding(repo, true)
    expect(repo.read('.codex/hooks.json')).toContain('agent-hook codex')
    expect(repo.read(CLAUDE)).toBe('{ oops')
  })
})

interface Settings {
  hooks: Record<string, unknown[]>
}
const parsed = (text: string) => JSON.parse(text) as Settings
const hooksIn = (text: string) => Object.entries(parsed(text).hooks).toSorted()

function without(text: string, event: string): string {
  const settings = parsed(text)
  delete settings.hooks[event]
  return JSON.stringify(settings)
}

function twice(text: string, event: string): string {
  const settings = parsed(text)
  settings.hooks[event] = [...(settings.hooks[event] ?? []), ...(settings.hooks[event] ?? [])]
  return JSON.stringify(settings)
}

describe('the command that agents run', () => {
  const INPUT = JSON.stringify({ session_id: 'x', prompt: 'y'.repeat(300_000) })
  const answer = `const text = require('node:fs').readFileSync(0, 'utf8');
process.stdout.write(process.argv.slice(2).join(' ') + ' ' + text.length + ' ' + process.cwd())\n`

  /** A stand-in for the command, in a folder with spaces in its name. */
  async function connectedRepo(program = answer): Promise<Repo> {
    const repo = new Sandbox().init('my repo')
    repo.commit('init', { 'sub dir/a.txt': 'a\n' })
    await connect(repo, ['claude'])
    const standIn = join(repo.sandbox.folder, 'stand in.cjs')
    writeFileSync(standIn, program)
    repo.write('.git/ledger-git/launch', `${process.execPath}\n${standIn}\n`)
    return repo
  }
  const runHook = (repo: Repo, env: NodeJS.ProcessEnv = {}, shell = 'sh'): Ran =>
    repo.run(shell, ['-c', agentCommand('claude', 'Stop')], { input: INPUT, env })

  test('runs from the repository, a sub-folder and a linked worktree', async () => {
    const repo = await connectedRepo()
    repo.git('worktree', 'add', '-q', '-b', 'topic', '../linked tree')
    for (const place of ['my repo', 'my repo/sub dir', 'linked tree/sub dir']) {
      const folder = join(repo.sandbox.folder, place)
      const stdout = `agent-hook claude Stop ${INPUT.length} ${folder}`
      expect(runHook(repo.sandbox.at(folder))).toEqual({ status: 0, stdout, stderr: '' })
    }
    expect(runHook(repo, {}, 'bash').stdout).toContain('agent-hook claude Stop')
  })

  test('always runs the launcher of the project, wherever the shell has changed to', async () => {
    const repo = await connectedRepo()
    const env = { CLAUDE_PROJECT_DIR: join(repo.folder, 'sub dir') }
    const library = repo.sandbox.init('my repo/library')
    // As a branch could bring it: git takes this folder for a repository.
    const bare = repo.sandbox.at(join(repo.folder, 'fixture'))
    repo.git('init', '-q', '--bare', bare.folder)
    for (const place of [join(library.folder, '.git'), bare.folder]) {
      mkdirSync(join(place, 'ledger-git'))
      writeFileSync(join(place, 'ledger-git/run'), '#!/bin/sh\necho hostile\n', { mode: 0o755 })
    }
    for (const one of [library, bare, repo.sandbox.at('/')]) {
      const stdout = `agent-hook claude Stop ${INPUT.length} ${one.folder}`
      expect(runHook(one, env)).toEqual({ status: 0, stdout, stderr: '' })
    }
    expect(runHook(library, { CLAUDE_PROJECT_DIR: bare.folder }).stdout).toBe('hostile\n') // so the check can fail
    const gone = { CLAUDE_PROJECT_DIR: join(repo.folder, 'gone') }
    expect(runHook(repo, gone).stdout).toContain('agent-hook claude Stop')
  })

  test('is silent when switched off, outside a set-up repository, and without an executable launcher', async () => {
    const repo = await connectedRepo()
    const silent = { status: 0, stdout: '', stderr: '' }
    expect(runHook(repo, { LEDGER_GIT: '0' })).toEqual(silent)
    const run = join(repo.folder, '.git/ledger-git/run')
    const env = { LEDGER_GIT: '0' }
    expect(repo.run(run, ['agent-hook', 'claude', 'Stop'], { input: INPUT, env })).toEqual(silent)
    expect(runHook(repo.sandbox.init('other'))).toEqual(silent)
    expect(runHook(repo.sandbox.at(repo.sandbox.folder))).toEqual(silent)
    chmodSync(join(repo.folder, '.git/ledger-git/run'), 0o644)
    expect(runHook(repo)).toEqual(silent)
  })

  test('never fails the agent if the command fails, dies, reads nothing or is missing', async () => {
    const repo = await connectedRepo()
    const programs = ['process.exit(2)', 'process.kill(process.pid, 9)', 'throw 1', '']
    for (const program of programs) {
      writeFileSync(join(repo.sandbox.folder, 'stand in.cjs'), program)
      const ran = runHook(repo)
      expect(ran).toMatchObject({ status: 0, stdout: '' })
      expect(ran.stderr.includes('the Stop hook of claude failed (status ')).toBe(program !== '')
    }
    rmSync(join(repo.sandbox.folder, 'stand in.cjs'))
    expect(runHook(repo)).toEqual({
      status: 0,
      stdout: '',
      stderr:
        'ledger-git: not found, so the Stop hook of claude did nothing. next: npx ledger-git install\n',
    })
  })
})
