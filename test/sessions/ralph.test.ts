/**
 * A loop with everything as installed: the built tool, its hooks, a worktree, and an agent that fills its context.
 * Whatever ends an iteration, the next one continues where it stopped.
 */

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import { CLI, ledgerRepo, Repo } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'

builtFrom(() => import('../../src/cli/context/ralph-run.ts'))

const TASK = '# Task: Sign in\n\nBuild it in parts.\n'

/**
 * Plays one iteration of a plan, which lists [tokens, action] for each iteration. Its hooks are those in the settings;
 * its log and payloads are like Claude Code's.
 */
const AGENT = `
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const [plan] = process.argv.slice(2).map((text) => JSON.parse(text))
const n = Number(process.env.LEDGER_RALPH_ITERATION)
const id = randomUUID()
const logs = process.env.HOME + '/.claude/projects/x'
mkdirSync(logs, { recursive: true })
mkdirSync('src', { recursive: true })
const transcript_path = logs + '/' + id + '.jsonl'
const { hooks } = JSON.parse(readFileSync('.claude/settings.json', 'utf8'))
const fire = (hook_event_name, more) => {
  const input = JSON.stringify({ session_id: id, transcript_path, cwd: process.cwd(), hook_event_name, ...more })
  for (const { command } of (hooks[hook_event_name] ?? []).flatMap((one) => one.hooks))
    spawnSync('sh', ['-c', command], { input, env: { ...process.env, CLAUDE_PROJECT_DIR: process.cwd(), CLAUDECODE: '1' } })
}
const say = (type, message) =>
  appendFileSync(transcript_path, JSON.stringify({ type, uuid: randomUUID(), timestamp: new Date().toISOString(), message }) + '\\n')
const tool = (tool_name, tool_input, input_tokens) => {
  const usage = { input_tokens, output_tokens: 9 }
  const content = [{ type: 'tool_use', id: 't' + input_tokens, name: tool_name, input: tool_input }]
  say('assistant', { id: randomUUID(), role: 'assistant', model: 'claude-opus-4-6', usage, content })
  fire('PostToolUse', { tool_name, tool_input, tool_response: {}, tool_use_id: 't' + input_tokens })
}
const prompt = readFileSync(0, 'utf8')
appendFileSync(process.env.HOME + '/prompts', JSON.stringify(prompt) + '\\n')
fire('SessionStart', { source: 'startup' })
say('user', { role: 'user', content: prompt })
fire('UserPromptSubmit', { prompt })
const todo = { content: 'Wire part ' + n, status: 'in_progress', activeForm: 'x' }
tool('TodoWrite', { todos: [todo] }, 9000)
for (const [tokens, then] of plan[n - 1] ?? []) {
  const file_path = process.cwd() + '/src/part' + n + '.ts'
  writeFileSync(file_path, String(tokens))
  tool('Write', { file_path, content: String(tokens) }, tokens)
  writeFileSync(process.env.HOME + '/reached', n + ' ' + tokens)
  if (then === 'hang') spawnSync('sleep', ['60'])
  else if (then === 'fail') process.exit(1)
  else if (then) console.log(then)
}
fire('Stop', {})
fire('SessionEnd', { reason: 'other' })
`

type Step = readonly [tokens: number, then?: string]

function scene() {
  const main = ledgerRepo()
  main.ledger('install', '--agent', 'claude', '--context')
  main.write('PROMPT.md', TASK)
  main.git('add', '-A')
  main.git('commit', '-qm', 'begin')
  const { sandbox } = main
  const repo = new Repo(sandbox, join(sandbox.folder, 'topic'))
  main.git('worktree', 'add', '-q', '-b', 'topic', repo.folder)
  const agent = join(sandbox.folder, 'agent.mjs')
  writeFileSync(agent, AGENT)
  const words = (options: readonly string[], plan: readonly (readonly Step[])[]) => [
    CLI,
    'ralph',
    'run',
    '--json',
    ...options,
    '--',
    process.execPath,
    agent,
    JSON.stringify(plan),
  ]
  const home = sandbox.env['HOME'] ?? ''
  const start = (plan: readonly (readonly Step[])[], ...options: string[]) => {
    const child = spawn(process.execPath, words(options, plan), {
      cwd: repo.folder,
      env: sandbox.env,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
    const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((end) => {
      child.on('close', (status) => end({ status, stdout, stderr }))
    })
    return { child, ended }
  }
  const prompts = () =>
    readFileSync(join(home, 'prompts'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as string)
  const reached = (n: number, tokens: number) =>
    vi.waitFor(
      () => expect(readFileSync(join(home, 'reached'), 'utf8')).toBe(`${n} ${tokens}`),
      60_000,
    )
  return { repo, start, prompts, reached }
}

/** The task comes first, followed by our block. */
function expectGoesOn(prompt: string | undefined, from: string, repo: Repo): void {
  expect(prompt?.startsWith(TASK)).toBe(true)
  expect(prompt).toContain('DO NOT restart the task from scratch')
  expect(prompt).toContain(from)
  const handoff = /\.claude\/handoffs\/\S+/.exec(prompt ?? '')?.[0] ?? ''
  expect(repo.read(handoff)).toContain(from)
}

test('hooks save a context that fills up, and the next iteration continues from it', async () => {
  const { repo, start, prompts } = scene()
  const plan: Step[][] = [[[30_000]], [[150_000], [160_000]], [[20_000, '<promise>DONE</promise>']]]
  const { status, stdout } = await start(plan).ended
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    ending: 'promise',
    promise: 'DONE',
    iterations: [
      { iteration: 1, peak_percent: 15, checkpoint: false },
      { iteration: 2, peak_percent: 80, checkpoint: true },
      { iteration: 3, peak_percent: 10, checkpoint: false },
    ],
  })
  const [first, second, third] = prompts()
  expect([first, second]).toEqual([TASK, TASK])
  expectGoesOn(third, 'Wire part 2', repo)
  expect(repo.read('PROMPT.md')).toBe(TASK)
  const subjects = repo.git('log', '--format=%s')
  expect(subjects).toContain('ralph: checkpoint iter 2 (L3 at 80%)')
  expect(subjects).not.toContain('[WIP]')
  // The loop's own state is never committed.
  expect(repo.git('status', '--porcelain')).not.toContain('ralph-state')
})

describe('the next run continues after an iteration is cut off', () => {
  const HANGS: Step[][] = [[[30_000, 'hang']], [[20_000, '<promise>DONE</promise>']]]

  longTest.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s', async (signal) => {
    const { repo, start, prompts, reached } = scene()
    const { child, ended } = start(HANGS)
    await reached(1, 30_000)
    child.kill(signal)
    expect((await ended).status).toBe(130)
    expect((await start(HANGS).ended).status).toBe(0)
    expectGoesOn(prompts()[1], 'Wire part 1', repo)
  })

  longTest(
    'by kill -9 of the loop: the next run refuses while the agent lives, then continues its work',
    async () => {
      const { repo, start, prompts, reached } = scene()
      const { child } = start(HANGS)
      await reached(1, 30_000)
      // Not the end of its output: the agent still has it open.
      const gone = new Promise((end) => child.on('exit', end))
      child.kill('SIGKILL')
      await gone
      const { status, stderr } = await start(HANGS).ended
      expect(status).toBe(1)
      const pid = Number(/still running here \(process (\d+)\)/.exec(stderr)?.[1])
      process.kill(-pid, 'SIGKILL')
      expect((await start(HANGS).ended).status).toBe(0)
      expectGoesOn(prompts()[1], 'Wire part 1', repo)
    },
  )

  longTest('by its time limit or its own failure', async () => {
    const { repo, start, prompts } = scene()
    const plan: Step[][] = [
      [[30_000, 'hang']],
      [[20_000, 'fail']],
      [[20_000, '<promise>D</promise>']],
    ]
    const { status, stderr } = await start(plan, '--time-limit', '8s').ended
    expect(stderr).toContain('iteration 1 was ended: it took longer than --time-limit')
    expect(stderr).toContain('iteration 2: the command ended with exit status 1')
    expect(status).toBe(0)
    expectGoesOn(prompts()[1], 'Wire part 1', repo)
    expectGoesOn(prompts()[2], 'Wire part 2', repo)
  })
})
