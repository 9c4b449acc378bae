/** `session list|show|reset|recover` as typed, after the hooks that an agent runs. */

import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { ENTRY, EVENTS, ledgerRepo, Sandbox } from '../support/git-repo.ts'
import { json, refusal } from './words.ts'
import { longTest } from '../support/long.ts'

type Data = Record<string, unknown>

/** Runs one hook of Claude Code. */
function hook(repo: Repo, session: string, event: string, payload: Data = {}): void {
  const input = JSON.stringify({ session_id: session, cwd: repo.folder, ...payload })
  const ran = repo.run(process.execPath, [ENTRY, 'agent-hook', 'claude', event], { input })
  if (ran.status !== 0) throw new Error(`${event} → ${ran.status}\n${ran.stderr}`)
}

const prompt = (repo: Repo, session: string, words = 'Fix it') =>
  hook(repo, session, 'UserPromptSubmit', { prompt: words })

function writes(repo: Repo, session: string, file: string, content = `${session}\n`): void {
  repo.write(file, content)
  const tool_input = { file_path: join(repo.folder, file), content }
  hook(repo, session, 'PostToolUse', { tool_name: 'Write', tool_input, tool_response: {} })
}

/** A whole turn that writes one file. */
function turn(repo: Repo, session: string, file = `${session}.txt`): void {
  prompt(repo, session)
  writes(repo, session, file)
  hook(repo, session, 'Stop')
}

/** An open turn in which a commit was made. */
function committed(repo: Repo, session: string): string {
  prompt(repo, session)
  writes(repo, session, `${session}.txt`)
  return repo.commit(`feat: ${session}`)
}

const statePath = (repo: Repo, id: string) =>
  join(
    repo.git('rev-parse', '--path-format=absolute', '--git-common-dir'),
    'ledger-git/sessions',
    `${id}.json`,
  )

function edit(repo: Repo, id: string, changes: Data): void {
  const state = JSON.parse(readFileSync(statePath(repo, id), 'utf8')) as Data
  repo.write(`.git/ledger-git/sessions/${id}.json`, JSON.stringify({ ...state, ...changes }))
}

function linkedWorktree(repo: Repo): Repo {
  const folder = join(repo.sandbox.folder, 'linked tree')
  repo.git('worktree', 'add', '-q', '-b', 'side', folder)
  return repo.sandbox.at(folder)
}

const refs = (repo: Repo) =>
  repo.git('for-each-ref', '--format=%(refname)', 'refs/ledger').split('\n').filter(Boolean)

/** Every path in the tree or the history of shadow data. */
const shadowPaths = (repo: Repo) =>
  repo.git('log', '--format=', '--name-only', '-m', '--root', ...refs(repo)).split('\n')

const sessionsOf = (repo: Repo, ...words: string[]) =>
  json<{ sessions: Data[] }>(repo, 'session', 'list', ...words).sessions

const ids = (repo: Repo, ...words: string[]) =>
  sessionsOf(repo, ...words).map(({ session }) => session)

describe('session list', () => {
  longTest(
    'lists sessions of all worktrees in the order of their starts, finished ones with --all',
    () => {
      const repo = ledgerRepo()
      expect(repo.tryLedger('session', 'list')).toEqual({
        status: 0,
        stdout: '',
        stderr: 'no open sessions here\n',
      })
      expect(repo.tryLedger('session', 'list', '--all').stderr).toBe('no sessions here\n')
      const linked = linkedWorktree(repo)
      turn(linked, 'zeta')
      turn(repo, 'done')
      repo.git('add', 'done.txt')
      repo.git('commit', '-q', '-m', 'feat: done')
      hook(repo, 'done', 'SessionEnd', { reason: 'clear' })
      prompt(repo, 'alpha')
      expect(ids(repo)).toEqual(['zeta', 'alpha'])
      expect(ids(linked, '--all')).toEqual(['zeta', 'done', 'alpha'])
      const lines = repo.ledger('session', 'list').split('\n')
      const time = String.raw`\d+ (?:s|min) ago`
      expect(lines[0]).toMatch(
        new RegExp(
          `^zeta  idle  claude in ${linked.folder}  started ${time}  last seen ${time}  1 step, 1 file$`,
        ),
      )
      expect(lines[1]).toMatch(/ {2}0 steps, 0 files$/)
      expect(sessionsOf(repo, '--all')[1]).toEqual({
        session: 'done',
        agent: 'claude',
        phase: 'ended',
        timed_out: false,
        finished: true,
        worktree: { path: repo.folder, name: '' },
        started_at: expect.any(String) as string,
        last_sign_of_life: expect.any(String) as string,
        steps: 0,
        pending_checkpoint: null,
        files: [],
      })
    },
  )

  longTest('names a checkpoint that commits wait for', () => {
    const repo = ledgerRepo()
    committed(repo, 's1')
    const id = /^Ledger-Checkpoint: (.*)$/m.exec(repo.git('log', '-1', '--format=%B'))?.[1]
    expect(repo.ledger('session', 'list')).toMatch(/^s1 {2}active_committed {2}/)
    expect(repo.ledger('session', 'list')).toContain(`  checkpoint ${id} pending`)
    expect(sessionsOf(repo)[0]).toMatchObject({ pending_checkpoint: id })
  })

  test('marks a session without a process as timed out after half an hour, not before', () => {
    const repo = ledgerRepo()
    prompt(repo, 's1')
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    edit(repo, 's1', { lastSignOfLife: ago(29), owner: undefined })
    expect(sessionsOf(repo)[0]).toMatchObject({ phase: 'active', timed_out: false })
    edit(repo, 's1', { lastSignOfLife: ago(31) })
    expect(sessionsOf(repo)[0]).toMatchObject({ phase: 'active', timed_out: true })
    expect(repo.ledger('session', 'list')).toMatch(/^s1 {2}timed out {2}/)
    edit(repo, 's1', { phase: 'idle' })
    expect(repo.ledger('session', 'list')).toMatch(/^s1 {2}idle {2}/)
  })

  test('names a damaged state and where it is kept, lists the others, and exits with 0', () => {
    const repo = ledgerRepo()
    prompt(repo, 's1')
    repo.write('.git/ledger-git/sessions/half.json', '{"version":1,')
    repo.write('.git/ledger-git/sessions/\u001b[2J.json', '{}')
    const ran = repo.tryLedger('session', 'list')
    expect(ran.status).toBe(0)
    expect(ran.stdout).toMatch(/^s1 {2}active {2}[^\n]*\n$/)
    expect(ran.stderr).toMatch(/half\.json is not JSON; kept as .*half\.json\.damaged-1: look/)
    expect(ran.stderr).toContain('\ufffd[2J.json has no name of a session')
    expect(ran.stderr).not.toContain('\u001b')
    const { damaged } = json<{ damaged: Data[] }>(repo, 'session', 'list')
    const kept = statePath(repo, 'half.json.damaged-1').slice(0, -'.json'.length)
    expect(damaged).toContainEqual({
      file: statePath(repo, 'half'),
      reason: 'is not JSON',
      kept_as: kept,
    })
    expect(existsSync(kept)).toBe(true)
  })
})

describe('session show', () => {
  test('prints each known fact on one line, without control characters', () => {
    const repo = ledgerRepo()
    prompt(repo, '0379d65b', 'Fix \u001b[31mit\nnow')
    writes(repo, '0379d65b', 'odd\u009b name.txt')
    const todos = [{ content: 'port\u0007 it', status: 'in_progress', activeForm: 'x' }]
    hook(repo, '0379d65b', 'PostToolUse', { tool_name: 'TodoWrite', tool_input: { todos } })
    hook(repo, '0379d65b', 'Stop', { last_assistant_message: 'Done.' })
    const shown = repo.ledger('session', 'show', '0379')
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    const lines = shown.split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'session 0379d65b',
      '  claude, idle, turn 1, 1 step',
      `  worktree: ${repo.folder}`,
    ])
    expect(lines).toContain('  prompt: Fix \ufffd[31mit now')
    expect(lines).toContain('  to-do, in_progress: port\ufffd it')
    expect(lines).toContain('  file: odd\ufffd name.txt')
    expect(lines).toContain(`  shadow data: ${refs(repo)[0]}`)
    expect(lines.filter((line) => line.startsWith('  prompt'))).toHaveLength(1)
  })

  longTest('shows commits, and which of them wait for a checkpoint', () => {
    const repo = ledgerRepo()
    const commit = committed(repo, 's1')
    expect(repo.ledger('session', 'show', 's1')).toMatch(
      new RegExp(`^  commit: ${commit} \\(checkpoint [0-9a-f]{12}, not written yet\\)$`, 'm'),
    )
    const waiting = json(repo, 'session', 'show', 's1')
    expect(waiting).toMatchObject({ phase: 'active_committed', awaiting: [{ commit }] })
    hook(repo, 's1', 'Stop')
    const written = json(repo, 'session', 'show', 's1')
    expect(written).toMatchObject({
      phase: 'idle',
      awaiting: [],
      commits: [{ commit, checkpoint: waiting['pending_checkpoint'] }],
      pending_checkpoint: null,
      last_checkpoint: waiting['pending_checkpoint'],
      first_prompt: 'Fix it',
      prompts: [],
      files: [],
      base: commit,
    })
    // The prompts are in the checkpoint; the first one is still shown here.
    expect(repo.ledger('session', 'show', 's1')).toContain('  prompt: Fix it')
    expect(Object.keys(written).toSorted()).toEqual(documentedKeys('session show <id>'))
  })

  longTest(
    'takes an id or its beginning, prefers the exact id, and refuses none or several',
    () => {
      const repo = ledgerRepo()
      for (const id of ['s1', 's10', 'other']) prompt(repo, id)
      expect(json(repo, 'session', 'show', 's1')['session']).toBe('s1')
      expect(json(repo, 'session', 'show', 'oth')['session']).toBe('other')
      const two = repo.tryLedger('session', 'show', 's')
      expect(refusal(two)).toEqual({ status: 1, stdout: '' })
      expect(two.stderr).toContain(
        'several sessions begin with s\n  next: ledger-git session list --all',
      )
      for (const word of ['x', '../s1', '\u001b[2J']) {
        const none = repo.tryLedger('session', 'show', word)
        expect(refusal(none)).toEqual({ status: 1, stdout: '' })
        expect(none.stderr).toContain('no session has the id')
        expect(none.stderr).not.toContain('\u001b')
      }
    },
  )
})

/** The top-level keys of the first JSON shape below a heading of docs/commands.md. */
function documentedKeys(command: string): string[] {
  const commands = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  const [, section = ''] = commands.split(`### \`ledger-git ${command}\``)
  let shape = /```json\n([^`]*)```/.exec(section)?.[1] ?? ''
  for (let before = ''; before !== shape;) {
    before = shape
    shape = shape.replace(/(?<!^)\{[^{}]*\}/g, '0')
  }
  return [...shape.matchAll(/"([a-z_]+)":/g)].map(([, key]) => key ?? '').toSorted()
}

describe('session reset', () => {
  test("removes state and shadow data, from the history too, and keeps other sessions' data", () => {
    const repo = ledgerRepo()
    for (const [id, file] of [
      ['mine', 'a.txt'],
      ['mine', 'b.txt'],
      ['theirs', 'c.txt'],
    ] as const)
      turn(repo, id, file)
    const event = repo.event('--now', 'pending')
    prompt(repo, 'theirs')
    hook(repo, 'theirs', 'Stop')
    const before = refs(repo)
    expect(shadowPaths(repo)).toContain('sessions/mine/files/a.txt')
    expect(repo.ledger('session', 'reset', 'mi')).toBe('session mine: removed')
    expect(ids(repo, '--all')).toEqual(['theirs'])
    expect(existsSync(statePath(repo, 'mine'))).toBe(false)
    expect(shadowPaths(repo).filter((path) => path.startsWith('sessions/mine'))).toEqual([])
    expect(shadowPaths(repo)).toContain('sessions/theirs/files/c.txt')
    expect(repo.read('a.txt')).toBe('mine\n')
    expect(json(repo, 'session', 'reset', 'theirs')).toEqual({
      session: 'theirs',
      phase: 'idle',
      files: ['c.txt'],
      without_checkpoint: [],
    })
    // The event is stored nowhere else, so it stays.
    expect(refs(repo)).toEqual(before)
    expect(shadowPaths(repo)).toContain(`events/${event.slice(event.lastIndexOf('/') + 1)}`)
    repo.git('clean', '-fdxq')
    repo.ledger('session', 'recover')
    expect(repo.exists(event)).toBe(true)
  })

  longTest('removes the ref with the last session, from any worktree', () => {
    const repo = ledgerRepo()
    const linked = linkedWorktree(repo)
    turn(linked, 's1')
    repo.commit('feat: elsewhere')
    expect(refs(repo)).toHaveLength(1)
    repo.ledger('session', 'reset', 's1')
    expect(refs(repo)).toEqual([])
  })

  test('refuses an open turn without --force; afterwards the agent starts anew', () => {
    const repo = ledgerRepo()
    turn(repo, 's1')
    prompt(repo, 's1')
    const before = [readFileSync(statePath(repo, 's1'), 'utf8'), repo.git('show-ref')]
    const ran = repo.tryLedger('session', 'reset', 's1')
    expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
    expect(ran.stderr).toMatch(/a turn of session s1 is open \(last sign of life: 2/)
    const next = /(ledger-git session reset .*)$/m.exec(ran.stderr)?.[1]?.split(' ').slice(1) ?? []
    expect([readFileSync(statePath(repo, 's1'), 'utf8'), repo.git('show-ref')]).toEqual(before)
    // A commit whose trailer was deleted waits for nothing.
    edit(repo, 's1', { phase: 'active_committed' })
    expect(repo.tryLedger('session', 'reset', 's1').stderr).toContain(
      'a turn of session s1 is open',
    )
    expect(repo.tryLedger(...next)).toMatchObject({ status: 0, stdout: 'session s1: removed\n' })
    expect(refs(repo)).toEqual([])
    hook(repo, 's1', 'Stop')
    expect(ids(repo, '--all')).toEqual([])
    // The turn continues, and is followed from here.
    writes(repo, 's1', 'later.txt')
    hook(repo, 's1', 'Stop')
    expect(json(repo, 'session', 'show', 's1')).toMatchObject({ turn: 1, prompts: [] })
    prompt(repo, 's1', 'Again')
    expect(json(repo, 'session', 'show', 's1')).toMatchObject({ turn: 2, prompts: ['Again'] })
  })

  test('the last copy of a file is refused and named, from any worktree; --force', () => {
    const repo = ledgerRepo()
    const linked = linkedWorktree(repo)
    prompt(repo, 's1')
    symlinkSync('nowhere', join(repo.folder, 'link'))
    writes(repo, 's1', 'made here.txt')
    hook(repo, 's1', 'Stop')
    expect(shadowPaths(repo)).toContain('sessions/s1/files/link')
    turn(linked, 's2', 'made there.txt')
    repo.write('made here.txt', 's1\r\n')
    linked.git('clean', '-fdxq')
    const before = repo.git('show-ref')
    const ran = repo.tryLedger('session', 'reset', 's2')
    expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
    expect(ran.stderr).toContain('1 file of session s2 exists nowhere else: made there.txt\n')
    expect(ran.stderr).toContain(
      'next: ledger-git session recover s2 --files FOLDER, then ledger-git session reset s2 --force',
    )
    expect(repo.git('show-ref')).toBe(before)
    // Recovering it changes nothing here, so --force says that this was done.
    expect(repo.ledger('session', 'reset', 's2', '--force')).toBe('session s2: removed')
    expect(linked.ledger('session', 'reset', 's1')).toBe('session s1: removed')
  })

  test("a file that git's filters change on the way is compared as git would store it", () => {
    const repo = ledgerRepo()
    repo.git('config', 'filter.upper.clean', 'tr a-z A-Z')
    repo.commit('chore: attributes', { '.gitattributes': '*.up filter=upper\n*.id ident\n' })
    prompt(repo, 's1')
    writes(repo, 's1', 'made.up')
    writes(repo, 's1', 'made.id', '$Id$\n')
    hook(repo, 's1', 'Stop')
    repo.write('made.id', '$Id: 0123 $\n')
    repo.write('made.up', 'changed\n')
    const ran = repo.tryLedger('session', 'reset', 's1')
    expect(ran.stderr).toContain('1 file of session s1 exists nowhere else: made.up\n')
    repo.write('made.up', 's1\n')
    expect(repo.ledger('session', 'reset', 's1')).toBe('session s1: removed')
  })

  test('what was changed back, and what a removed worktree had, exists nowhere else', () => {
    const repo = ledgerRepo()
    const linked = linkedWorktree(repo)
    repo.commit('feat: old', { 'old.txt': 'old\n' })
    turn(repo, 's1', 'old.txt')
    turn(linked, 's2')
    repo.git('checkout', '-q', 'old.txt')
    repo.git('worktree', 'remove', '--force', linked.folder)
    for (const [id, file] of [
      ['s1', 'old.txt'],
      ['s2', 's2.txt'],
    ] as const)
      expect(repo.tryLedger('session', 'reset', id).stderr).toContain(`nowhere else: ${file}\n`)
  })

  longTest('names commits that wait for a checkpoint, during an open turn and after it', () => {
    const repo = ledgerRepo()
    const commit = committed(repo, 's1')
    const open = repo.tryLedger('session', 'reset', 's1')
    expect(refusal(open)).toEqual({ status: 1, stdout: '' })
    const { pending_checkpoint: id } = json(repo, 'session', 'show', 's1')
    expect(open.stderr).toContain(`1 commit waits for a checkpoint of session s1 (${String(id)})`)
    // As after a process that died while it condensed.
    edit(repo, 's1', { phase: 'idle' })
    expect(repo.tryLedger('session', 'reset', 's1').stderr).toContain('--force')
    const forced = repo.tryLedger('session', 'reset', 's1', '--force')
    expect(forced).toMatchObject({ status: 0, stdout: 'session s1: removed\n' })
    expect(forced.stderr).toBe(`ledger-git: without checkpoint: ${commit}\n`)
    expect(ids(repo, '--all')).toEqual([])
  })

  longTest(
    'of shadow data without a state says how to save it first, and then needs --force',
    () => {
      const repo = ledgerRepo()
      turn(repo, 'orphan')
      rmSync(statePath(repo, 'orphan'))
      const ran = repo.tryLedger('session', 'reset', 'orph')
      expect(refusal(ran)).toEqual({ status: 1, stdout: '' })
      expect(ran.stderr).toContain('session recover orphan --files FOLDER')
      const shown = repo.tryLedger('session', 'show', 'orph')
      expect(refusal(shown)).toEqual({ status: 1, stdout: '' })
      expect(shown.stderr).toContain('next: ledger-git session recover orphan --dry-run')
      expect(json(repo, 'session', 'reset', 'orph', '--force')['phase']).toBeNull()
      expect(refs(repo)).toEqual([])
      expect(refusal(repo.tryLedger('session', 'reset', 'orphan', '--force')).status).toBe(1)
    },
  )
})

describe('session recover', () => {
  /** A session with a file and a pending event in a linked worktree. */
  function scene(): { repo: Repo; linked: Repo; event: string; into: string } {
    const repo = ledgerRepo()
    const linked = linkedWorktree(repo)
    const event = linked.event('--now', 'half done')
    turn(linked, 'lost', 'src/deep.txt')
    return { repo, linked, event, into: join(repo.sandbox.folder, 'rescued') }
  }

  test('restores events into a cleaned worktree, and files into the given folder', () => {
    const { repo, linked, event, into } = scene()
    linked.git('clean', '-fdxq')
    const at = join(linked.folder, event)
    const planned = repo.tryLedger('session', 'recover', '--dry-run', '--files', into)
    expect(planned.stdout).toBe(`would restore ${at}\nwould restore ${into}/lost/src/deep.txt\n`)
    expect([linked.exists(event), existsSync(into)]).toEqual([false, false])
    const ran = repo.tryLedger('session', 'recover', 'lo')
    expect(ran).toMatchObject({ status: 0, stdout: `restored ${at}\n` })
    expect(ran.stderr).toContain(`session lost in ${linked.folder}: 1 file, 0 deleted; --files`)
    expect(linked.status()).toBe(`?? ${event}`)
    const again = repo.tryLedger('session', 'recover', '--files', '../rescued')
    expect(again.stdout).toBe(`restored ${into}/lost/src/deep.txt\n`)
    expect(again.stderr).toContain('1 event already in a worktree or a commit\n')
    expect(readFileSync(join(into, 'lost/src/deep.txt'), 'utf8')).toBe('lost\n')
    const third = repo.tryLedger('session', 'recover', '--files', '../rescued')
    expect(third.stdout).toBe(`left ${into}/lost/src/deep.txt: something already exists there\n`)
    expect(repo.tryLedger('session', 'recover').stderr).toContain('no events to bring back\n')
  })

  longTest('without worktree and states, restores events into the current worktree', () => {
    const { repo, linked, event, into } = scene()
    const name = event.slice(event.lastIndexOf('/') + 1)
    repo.git('worktree', 'remove', '--force', linked.folder)
    rmSync(join(repo.folder, '.git/ledger-git/sessions'), { recursive: true })
    rmSync(join(repo.folder, '.git/ledger-git/open-sessions'), { recursive: true })
    repo.git('update-ref', 'refs/ledger/shadow/abc', 'HEAD')
    const args = ['session', 'recover', 'lost', '--files', into, '--json']
    const ran = repo.tryLedger(...args)
    expect(ran.stderr).toBe(
      'ledger-git: refs/ledger/shadow/abc cannot be read: it is damaged, or written by a newer release\n' +
        '  next: ledger-git doctor; if that finds nothing, git fsck, or update ledger-git\n',
    )
    const ref = refs(repo).find((one) => !one.endsWith('/abc'))
    const report = JSON.parse(ran.stdout) as Data
    expect(report).toEqual({
      dry_run: false,
      shadow: [
        {
          ref,
          base: repo.git('rev-parse', 'HEAD'),
          worktree: { path: linked.folder, name: 'linked-tree' },
          worktree_exists: false,
          sessions: [{ session: 'lost', files: ['src/deep.txt'], deleted: [], left_out: [] }],
          left_out: [],
        },
      ],
      events: [{ name, status: 'restored', path: join(repo.folder, EVENTS, name), ref }],
      files: [{ session: 'lost', path: 'src/deep.txt', status: 'restored' }],
      unreadable: ['refs/ledger/shadow/abc'],
    })
    expect(Object.keys(report).toSorted()).toEqual(documentedKeys('session recover [id]'))
    expect(repo.exists(event)).toBe(true)
    expect(repo.tryLedger('session', 'recover').stderr).toContain(`${linked.folder} (gone): 1 file`)
  })

  longTest(
    "names a file with a secret as not stored, and keeps another file with the event's name",
    () => {
      const { repo, linked, event } = scene()
      prompt(linked, 'lost')
      writes(linked, 'lost', 'key.txt', `password = "x7Kq${'9vT2mW4z'}"\n`)
      hook(linked, 'lost', 'Stop')
      linked.write(event, 'mine\n')
      const ran = repo.tryLedger('session', 'recover')
      expect(ran.status).toBe(0)
      expect(ran.stdout).toBe(`left ${join(linked.folder, event)}: another file has the name\n`)
      expect(ran.stderr).toMatch(/^ {2}not stored: key\.txt \(.+\)$/m)
      expect(linked.read(event)).toBe('mine\n')
    },
  )

  test('finds nothing to restore, and refuses unknown ids, wrong arguments and a bare repository', () => {
    const repo = ledgerRepo()
    expect(repo.tryLedger('session', 'recover')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'nothing to bring back\n',
    })
    expect(refusal(repo.tryLedger('session', 'recover', 'x'))).toEqual({ status: 1, stdout: '' })
    for (const words of [['--files', ''], ['--files'], ['a', 'b']]) {
      expect(refusal(repo.tryLedger('session', 'recover', ...words)).status).toBe(2)
    }
    const bare = new Sandbox().init('bare.git', '--bare')
    expect(refusal(bare.tryLedger('session', 'recover')).status).toBe(3)
    expect(bare.tryLedger('session', 'list').status).toBe(0)
  })
})

describe.each(['list', 'show', 'reset', 'recover'])('session %s', (name) => {
  test('has an example in --help, and exits with 3 outside a repository', () => {
    const sandbox = new Sandbox()
    const nowhere = sandbox.at(sandbox.folder)
    const { status, stdout } = nowhere.tryLedger('session', name, '--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`^ledger-git session ${name}\\b[^]*Examples:\n[^]*session ${name}`),
    )
    const id = name === 'show' || name === 'reset' ? ['s1'] : []
    expect(refusal(nowhere.tryLedger('session', name, ...id)).status).toBe(3)
  })
})

test('an unknown subcommand is refused with the known ones or the nearest', () => {
  const repo = new Sandbox().init()
  expect(repo.tryLedger('session').stderr).toContain('list, show, reset, recover')
  expect(repo.tryLedger('session', 'rest').stderr).toContain('did you mean reset?')
})
