/**
 * A loop over a real worktree, with an agent that fills its context: what each iteration leaves behind and what it
 * finds.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentRun, LoopWorld } from '../../../src/app/ralph/loop-world.ts'
import { runLoop } from '../../../src/app/ralph/run-loop.ts'
import { loopWorld } from '../../../src/app/ralph/watch-work.ts'
import { putResume, takeResume } from '../../../src/core/ralph/resume-block.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { AT, sessionContext, sessionHere } from '../../support/session-context.ts'

const TASK = '# Task: Sign in\n\nBuild it.\n'
const OPTIONS = { prompt: 'PROMPT.md', max: 9, promise: undefined }

/** Opens the context anew for each question, as separate processes do, because HEAD moves. */
async function worldOf(
  repo: Repo,
  agent: (iteration: number) => Promise<string>,
  run: Partial<AgentRun> = {},
) {
  const open = () => sessionContext(repo.folder, repo.sandbox.env)
  const prompts: string[] = []
  const context = await open()
  const world: LoopWorld = loopWorld(context, {
    settings: DEFAULT_SETTINGS,
    issue: undefined,
    prompt: 'PROMPT.md',
    runAgent: async (prompt, iteration) => {
      prompts.push(prompt)
      return {
        status: 0,
        output: await agent(iteration),
        isInterrupted: false,
        isLate: false,
        ...run,
      }
    },
  })
  return { world, prompts, context }
}

function scene() {
  const repo = ledgerRepo()
  mkdirSync(join(repo.folder, 'src'))
  writeFileSync(join(repo.folder, 'PROMPT.md'), TASK)
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'begin')
  return repo
}

/** A transcript whose newest response used this many input tokens. */
function transcript(repo: Repo, name: string, tokens: number) {
  const path = join(repo.sandbox.folder, `${name}.jsonl`)
  const message = {
    id: 'm1',
    model: 'claude-opus-4-6',
    usage: { input_tokens: tokens },
    content: [],
  }
  writeFileSync(
    path,
    `${JSON.stringify({ type: 'assistant', uuid: name, timestamp: AT, message })}\n`,
  )
  return { path, offset: 0 }
}

test('takes a checkpoint when the context is full, and the next iteration continues from it', async () => {
  const repo = scene()
  const tokens = [60_000, 150_000, 40_000]
  const { world, prompts, context } = await worldOf(repo, async (n) => {
    writeFileSync(join(repo.folder, 'src', 'a.ts'), `${n}\n`)
    // A checkpoint that the agent took earlier, with a command.
    if (n === 2) writeFileSync(join(repo.folder, 'PROMPT.md'), putResume(TASK, ['x']))
    await sessionHere(context, `s${n}`, {
      lastSignOfLife: AT,
      turn: 1,
      mayHaveWritten: true,
      filesTouched: ['src/a.ts', 'PROMPT.md'],
      todos: [{ id: '1', text: 'Wire the form', status: 'in_progress' }],
      transcript: transcript(repo, `s${n}`, tokens[n - 1] ?? 0),
    })
    return n === 3 ? '<promise>COMPLETE</promise>\n' : ''
  })
  const report = await runLoop(world, OPTIONS)
  expect(report).toMatchObject({
    ending: 'promise',
    iterations: [
      { iteration: 1, peak_percent: 30, checkpoint: false },
      { iteration: 2, peak_percent: 75, checkpoint: true },
      { iteration: 3, peak_percent: 20, checkpoint: false },
    ],
  })
  expect(prompts.map((prompt) => takeResume(prompt))).toEqual([TASK, TASK, TASK])
  expect(prompts[1]).toBe(TASK)
  expect(prompts[2]).toContain('Previous session hit 75% context (L2 threshold).')
  expect(prompts[2]).toContain('src/a.ts')
  expect(prompts[2]).toContain('Wire the form')
  const handoff = /\.claude\/handoffs\/\S+/.exec(prompts[2] ?? '')?.[0] ?? ''
  expect(existsSync(join(repo.folder, handoff))).toBe(true)
  expect(readFileSync(join(repo.folder, 'PROMPT.md'), 'utf8')).toBe(TASK)
  expect(repo.git('log', '--format=%s')).toContain('ralph: checkpoint iter 2 (L2 at 75%)')
  const wip = repo.git('log', '-1', '--grep', 'ralph: checkpoint', '--format=', '--name-only')
  expect(wip.trim()).toBe('src/a.ts')
})

test.each([
  ['failed', { status: 1 }, true],
  ['ended by itself', {}, false],
])(
  'an iteration whose command %s during short work is continued only if it failed',
  async (_, run, isGoneOnFrom) => {
    const repo = scene()
    const agent = async (n: number) => {
      writeFileSync(join(repo.folder, 'src', 'a.ts'), `${n}\n`)
      await sessionHere(context, `s${n}`, {
        lastSignOfLife: AT,
        turn: 1,
        mayHaveWritten: true,
        filesTouched: ['src/a.ts'],
        todos: [{ id: '1', text: 'Wire the form', status: 'in_progress' }],
        transcript: transcript(repo, `s${n}`, 10_000),
      })
      return ''
    }
    const { world, prompts, context } = await worldOf(repo, agent, run)
    await runLoop(world, { ...OPTIONS, max: 2 })
    expect(prompts[1]?.includes('Wire the form')).toBe(isGoneOnFrom)
    expect(repo.git('log', '--format=%s')).not.toContain('checkpoint')
  },
)

test('commits of the agent count as work, and files that ledger-git writes do not', async () => {
  const repo = scene()
  const { world, prompts } = await worldOf(repo, async (n) => {
    if (n === 1) {
      writeFileSync(join(repo.folder, 'src', 'a.ts'), '1\n')
      repo.git('add', 'src')
      repo.git('commit', '-qm', 'work')
    } else if (n === 2) {
      mkdirSync(join(repo.folder, '.claude', 'handoffs'), { recursive: true })
      writeFileSync(join(repo.folder, '.claude', 'handoffs', '2026-01-10-1200-0000.md'), 'x\n')
    }
    return ''
  })
  expect(await runLoop(world, OPTIONS)).toMatchObject({ ending: 'no-change' })
  expect(prompts).toHaveLength(3)
})
