/** `ralph`, as people and scripts type it. */

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { runCli } from '../../../src/cli/cli.ts'
import { createCliContext } from '../../../src/compose/cli.ts'
import { reportError } from '../../../src/entry/run-process.ts'
import { CLI, ledgerRepo } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'

const TASK = '# Task: Sign in\n'

function scene() {
  const repo = ledgerRepo()
  const file = (path: string) => readFileSync(join(repo.folder, path), 'utf8')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repo.folder, path)), { recursive: true })
    writeFileSync(join(repo.folder, path), text)
  }
  write('PROMPT.md', TASK)
  const run = async (...words: string[]) => {
    const said = { stdout: '', stderr: '' }
    const stderr = (text: string) => void (said.stderr += text)
    const context = createCliContext(process.cwd(), {
      cwd: repo.folder,
      env: repo.sandbox.env,
      isStdoutTty: false,
      canAsk: false,
      stdin: async () => '',
      stdout: (text) => void (said.stdout += text),
      stderr,
    })
    try {
      return { status: await runCli(words, context), ...said }
    } catch (error) {
      const status = reportError(error, stderr)
      return { status, ...said }
    } finally {
      context.close()
    }
  }
  const remove = (path: string) => rmSync(join(repo.folder, path))
  return { run, file, write, remove, repo }
}

describe('ralph run', () => {
  test('starts a new process per iteration with the prompt on standard input, until the promise', async () => {
    const { run, file } = scene()
    const script =
      'cat >>seen; [ "$LEDGER_RALPH_ITERATION" = 2 ] && echo "<promise>DONE</promise>"; true'
    const { status, stdout, stderr } = await run(
      'ralph',
      'run',
      '--max',
      '5',
      '--json',
      '--',
      'sh',
      '-c',
      script,
    )
    expect({ status, stdout: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      stdout: {
        ending: 'promise',
        promise: 'DONE',
        iterations: [1, 2].map((iteration) => ({
          iteration,
          peak_percent: null,
          checkpoint: false,
        })),
      },
    })
    expect(stderr).toContain('iteration 2')
    expect(stderr).toContain('install --agent claude --context')
    expect(file('seen')).toBe(TASK + TASK)
  })

  test('passes all words after -- to the command, even those that look like options', async () => {
    const { run, file } = scene()
    await run('ralph', 'run', '--max', '1', '--', 'sh', '-c', 'echo "$@" >seen', '--max')
    expect(file('seen')).toBe('\n')
    const script = 'echo "$@" >seen'
    await run('ralph', 'run', '--max=1', '--', 'sh', '-c', script, 'x', '--json', '--', '007')
    expect(file('seen')).toBe('--json -- 007\n')
  })

  test.each([
    [['--', 'true'], 1, 'two iterations in a row changed nothing'],
    [['--max', '1', '--', 'sh', '-c', 'date >x'], 1, 'maximum'],
  ])('%j ends with %i', async (words, status, said) => {
    const { run } = scene()
    expect(await run('ralph', 'run', ...words)).toMatchObject({
      status,
      stdout: expect.stringContaining(said) as string,
    })
  })

  test.each([
    [['--', 'no-such-program'], 3, 'no-such-program'],
    [[], 2, 'no command'],
    [['--max', '0', '--', 'true'], 2, '--max'],
    [['--prompt', '../x', '--', 'true'], 2, '--prompt'],
    [['--prompt', 'none.md', '--', 'true'], 1, 'none.md'],
  ])('%j is refused with %i', async (words, status, said) => {
    const { run } = scene()
    expect(await run('ralph', 'run', ...words)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringContaining(said) as string,
    })
  })
})

test('a waiting checkpoint lets one `ralph stop` fail; the next one restores the task', async () => {
  const { run, file } = scene()
  await run('ralph', 'run', '--max', '1', '--', 'true')
  await run('ralph', 'checkpoint', '--now', 'wire the form', '--next', 'validate')
  expect(file('PROMPT.md')).toContain('wire the form')
  expect(file('PROMPT.md')).not.toContain('**File**')
  expect((await run('ralph', 'status')).stdout).toContain('a checkpoint waits')
  expect((await run('ralph', 'stop')).status).toBe(1)
  expect(file('PROMPT.md')).toContain('wire the form')
  expect((await run('ralph', 'stop')).status).toBe(0)
  expect(file('PROMPT.md')).toBe(TASK)
})

test('a context checkpoint updates an active loop, and not one that is over', async () => {
  const { run, file, write } = scene()
  write('.claude/ralph-state.json', '{"active": true, "iteration": 3}')
  const { stdout } = await run('context', 'checkpoint', '--json', '--now', 'wire the form')
  expect(JSON.parse(stdout)).toMatchObject({ loops: ['PROMPT.md', '.claude/ralph-state.json'] })
  const next = await run('context', 'orient', '--json')
  expect(JSON.parse(next.stdout)).toMatchObject({ now: 'wire the form', next: [] })
  expect(file('PROMPT.md')).toContain('wire the form')
  write('.claude/ralph-state.json', '{"active": false, "iteration": 3}')
  write('PROMPT.md', TASK)
  await run('context', 'checkpoint', '--now', 'validate')
  expect(file('PROMPT.md')).toBe(TASK)
})

test('a state equal to its committed version is an old loop; one that differs is active', async () => {
  const { run, file, write, repo } = scene()
  const loop = (n: number) => `---\nactive: true\niteration: ${n}\nmax_iterations: 0\n---\n${TASK}`
  write('.claude/ralph-loop.local.md', loop(11))
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'a loop, long ago')
  await run('context', 'checkpoint', '--now', 'wire the form')
  expect(file('.claude/ralph-loop.local.md')).toBe(loop(11))
  write('.claude/ralph-loop.local.md', loop(12))
  await run('context', 'checkpoint', '--now', 'validate')
  expect(file('.claude/ralph-loop.local.md')).toContain('validate')
})

test('during an iteration, a checkpoint goes into the prompt that the loop was given', async () => {
  const { run, file, write } = scene()
  write('task.md', TASK)
  const checkpoint = `"${process.execPath}" "${CLI}" context checkpoint --now "wire the form"`
  await run('ralph', 'run', '--max', '1', '--prompt', 'task.md', '--', 'sh', '-c', checkpoint)
  expect(file('PROMPT.md')).toBe(TASK)
  expect(file('task.md')).toContain('wire the form')
})

test('only one loop runs in a worktree at a time', async () => {
  const { run, write, file, remove } = scene()
  write('ended', '')
  const first = run(
    'ralph',
    'run',
    '--max',
    '1',
    '--',
    'sh',
    '-c',
    'echo >begun; while [ -e ended ]; do sleep 0.05; done',
  )
  await vi.waitFor(() => file('begun'), 10_000)
  expect(await run('ralph', 'run', '--', 'true')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('runs in this worktree already') as string,
  })
  remove('ended')
  await first
  expect((await run('ralph', 'run', '--max', '1', '--', 'true')).status).toBe(1)
})

test('after kill -9 no second agent starts beside the first', async () => {
  const { run, write, file, remove, repo } = scene()
  write('busy', '')
  const script = 'echo $$ >begun; while [ -e busy ]; do sleep 0.05; done; exit 0'
  const loop = spawn(process.execPath, [CLI, 'ralph', 'run', '--', 'sh', '-c', script], {
    cwd: repo.folder,
    env: repo.sandbox.env,
    stdio: 'ignore',
  })
  await vi.waitFor(() => expect(file('begun')).toMatch(/^\d+\n$/), 10_000)
  const pid = file('begun').trim()
  // An agent may begin a moment before its loop has noted who it is.
  const noted = () => repo.run('sh', ['-c', `find .git -name '${pid}-*_heir'`]).stdout
  await vi.waitFor(() => expect(noted()).toContain(pid), 10_000)
  const gone = new Promise((end) => loop.on('exit', end))
  loop.kill('SIGKILL')
  await gone
  const second = () => run('ralph', 'run', '--max', '1', '--', 'sh', '-c', 'echo second >second')
  expect(await second()).toEqual({
    status: 1,
    stdout: '',
    stderr:
      `ledger-git: the agent of a loop that was killed is still running here (process ${pid})\n` +
      `  next: wait for it, or end it: kill -TERM -${pid}\n`,
  })
  expect(() => file('second')).toThrow('ENOENT')
  remove('busy')
  await vi.waitFor(async () => expect((await second()).stdout).toContain('maximum'), 10_000)
  expect(file('second')).toBe('second\n')
})

test("without a readable state no checkpoint waits, so that a script's loop ends", async () => {
  const { run, write, file } = scene()
  expect((await run('ralph', 'status')).stdout).toBe('no loop is here\n')
  expect(await run('ralph', 'stop')).toEqual({
    status: 0,
    stdout: 'no checkpoint waits\n',
    stderr: '',
  })
  for (const text of ['{"iteration": 1, "context_che', '{"iterations": [], "iteration": 2}']) {
    write('.claude/ralph-state.json', text)
    const { status, stderr } = await run('ralph', 'stop')
    expect(status).toBe(0)
    expect(stderr).toMatch(/ralph-state\.json is broken or another program's/)
    expect(file('.claude/ralph-state.json')).toBe(text)
  }
})

longTest('context.handoffs sets the folder of the documents', async () => {
  const { run, write } = scene()
  write('.ledger-git.yaml', 'context.handoffs: notes/handovers\n')
  const said = await run('ralph', 'checkpoint', '--next', 'validate', '--json')
  expect(JSON.parse(said.stdout)).toMatchObject({
    handoff: expect.stringMatching(/^notes\/handovers\/2/) as string,
    issue: null,
  })
  expect((await run('context', 'orient')).stdout).toContain('1. validate')
  // Of several in one minute, the last one counts.
  for (const step of ['second', 'third', 'last']) {
    await run('context', 'checkpoint', '--next', step)
    expect((await run('context', 'orient')).stdout).toContain(`. ${step}`)
  }
})
