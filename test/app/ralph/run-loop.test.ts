import { describe, expect, test } from 'vitest'
import type { AgentRun, ItemAhead, LoopWorld } from '../../../src/app/ralph/loop-world.ts'
import type { RunOptions } from '../../../src/app/ralph/run-loop.ts'
import { runLoop } from '../../../src/app/ralph/run-loop.ts'
import { readRalphState } from '../../../src/core/ralph/ralph-state.ts'
import { reportError } from '../../../src/entry/run-process.ts'
import { hasResume, takeResume } from '../../../src/core/ralph/resume-block.ts'
import { HANDOVER, POINT } from '../../core/ralph/points.ts'

const STATE = '.claude/ralph-state.json'
const TASK = '# Task: Sign in\n\nBuild it.\n'

/** What an iteration does: changes files, prints something, leaves a checkpoint. */
interface Step {
  readonly writes?: Readonly<Record<string, string>>
  readonly says?: string
  readonly checkpoint?: string
  readonly peak?: number
  readonly run?: Partial<AgentRun>
  /** The whole run dies here. */
  readonly dies?: boolean
}

class Died extends Error {}

function loop(
  steps: readonly Step[],
  files: Record<string, string> = { 'PROMPT.md': TASK },
  killed: Partial<Pick<LoopWorld, 'killedAt'>> = {},
  ahead: (prompt: string) => ItemAhead | undefined = () => undefined,
) {
  const prompts: string[] = []
  const said: string[] = []
  const cuts: (string | undefined)[] = []
  const step = () => steps[prompts.length - 1] ?? {}
  const world: LoopWorld = {
    worktree: {
      read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
      write: async (path, content) => {
        files[path] = Buffer.from(content).toString()
      },
      remove: async (path) => {
        delete files[path]
      },
    },
    foresee: async (prompt) => ahead(prompt),
    runAgent: async (prompt) => {
      prompts.push(prompt)
      Object.assign(files, step().writes)
      if (step().dies === true) throw new Died()
      return {
        status: 0,
        output: step().says ?? '',
        isInterrupted: false,
        isLate: false,
        ...step().run,
      }
    },
    watch: async () => async (cutOff) => {
      cuts.push(cutOff)
      const { peak, checkpoint } = step()
      if (checkpoint === undefined) return { peak, handover: undefined }
      const point = { ...POINT, handoffFile: checkpoint, percent: peak }
      return { peak, handover: { ...HANDOVER, point } }
    },
    mark: async () => ({ head: undefined, differing: new Map(Object.entries(files)) }),
    committed: async () => [],
    killedAt: async () => undefined,
    ...killed,
    isOurs: (path) => path === STATE || path.startsWith('.claude/handoffs/'),
    say: (line) => said.push(line),
  }
  const options: RunOptions = { prompt: 'PROMPT.md', max: undefined, promise: undefined }
  return {
    world,
    files,
    prompts,
    said,
    cuts,
    run: (about: Partial<RunOptions> = {}) => runLoop(world, { ...options, ...about }),
  }
}

const WORKS = (n: number): Step => ({ writes: { 'src/a.ts': `${n}` } })
const DONE: Step = { says: 'All done.\n<promise>COMPLETE</promise>\n' }

describe('a run of several iterations', () => {
  const steps = [
    { ...WORKS(1), peak: 45 },
    { ...WORKS(2), peak: 88, checkpoint: '.claude/handoffs/one.md' },
    { ...WORKS(3), peak: 86, checkpoint: '.claude/handoffs/two.md' },
    { ...WORKS(4), peak: 30 },
    { ...DONE, ...WORKS(5) },
  ]

  test('continues each iteration from the last checkpoint, with the task unchanged', async () => {
    const { run, prompts } = loop(steps)
    expect(await run()).toMatchObject({ ending: 'promise', promise: 'COMPLETE' })
    expect(prompts.map((prompt) => takeResume(prompt))).toEqual(steps.map(() => TASK))
    expect(prompts.map((prompt) => /handoffs\/\w+/.exec(prompt)?.[0])).toEqual([
      undefined,
      undefined,
      'handoffs/one',
      'handoffs/two',
      undefined,
    ])
  })

  test("records each context's peak and leaves the prompt as it was", async () => {
    const { run, files } = loop(steps)
    const { iterations } = await run()
    expect(files['PROMPT.md']).toBe(TASK)
    expect(iterations.map(({ peak_percent }) => peak_percent)).toEqual([45, 88, 86, 30, null])
    expect(readRalphState(files[STATE] ?? '')).toMatchObject({
      iteration: 5,
      checkpoint: undefined,
      history: iterations,
    })
  })

  test('continues the iteration count of an earlier run', async () => {
    const first = loop([DONE])
    await first.run()
    const second = loop([WORKS(1), DONE], first.files)
    await second.run()
    expect(readRalphState(second.files[STATE] ?? '')?.iteration).toBe(3)
  })
})

describe('the loop ends', () => {
  test('at its maximum', async () => {
    const { run, prompts } = loop([WORKS(1), WORKS(2), WORKS(3)])
    expect(await run({ max: 2 })).toMatchObject({ ending: 'maximum' })
    expect(prompts).toHaveLength(2)
  })

  test('after two iterations in a row that changed only our own files', async () => {
    const handoff = (name: string) => ({
      writes: { [`.claude/handoffs/${name}.md`]: name },
      checkpoint: `.claude/handoffs/${name}.md`,
      peak: 90,
    })
    const { run, prompts } = loop([WORKS(1), handoff('a'), WORKS(2), handoff('b'), handoff('c')])
    expect(await run({ max: 9 })).toMatchObject({ ending: 'no-change' })
    expect(prompts).toHaveLength(5)
  })

  test('later if the agent rewrote the prompt, which counts as a change', async () => {
    const rewritten = { writes: { 'PROMPT.md': '# Task: Sign out\n' } }
    const { run, prompts } = loop([{}, rewritten, {}, {}])
    await run({ max: 9 })
    expect(prompts).toHaveLength(4)
    expect(prompts.at(-1)).toBe('# Task: Sign out\n')
  })

  test('at once if the command cannot be started or is interrupted', async () => {
    const missing = loop([{ run: { status: undefined } }])
    expect(await missing.run()).toEqual({ ending: 'missing', promise: undefined, iterations: [] })
    expect(readRalphState(missing.files[STATE] ?? '')).toMatchObject({ iteration: 0, history: [] })
    const { run, prompts } = loop([{ ...WORKS(1), run: { status: 130, isInterrupted: true } }])
    expect(await run()).toMatchObject({ ending: 'interrupted' })
    expect(prompts).toHaveLength(1)
  })

  test('at no promise other than the wanted one', async () => {
    const { run } = loop([{ ...DONE, ...WORKS(1) }, WORKS(2)])
    expect(await run({ promise: 'SHIPPED', max: 2 })).toMatchObject({ ending: 'maximum' })
  })
})

describe('a checkpoint in the prompt', () => {
  const checkpoint = { ...WORKS(1), peak: 88, checkpoint: '.claude/handoffs/one.md' }
  const FAILS: Step = { run: { status: 1 } }

  test('stays after an iteration whose command failed', async () => {
    const { run, prompts, said, files } = loop([checkpoint, FAILS, WORKS(2), DONE])
    await run()
    const handoffs = prompts.map((prompt) => hasResume(prompt))
    expect(handoffs).toEqual([false, true, true, false])
    expect(said).toContain('iteration 2: the command ended with exit status 1')
    expect(readRalphState(files[STATE] ?? '')?.checkpoint).toBeUndefined()
  })

  test('is recorded in the state while it waits', async () => {
    const { run, files } = loop([checkpoint, FAILS, FAILS])
    await run({ max: 2 })
    expect(readRalphState(files[STATE] ?? '')?.checkpoint?.handoffFile).toContain('one.md')
  })

  test('is dropped if a person rewrote the prompt', async () => {
    const first = loop([checkpoint])
    await first.run({ max: 1 })
    first.files['PROMPT.md'] = '# Task: Sign out\n'
    const second = loop([{}], first.files)
    await second.run({ max: 1 })
    expect(second.prompts).toEqual(['# Task: Sign out\n'])
    expect(readRalphState(second.files[STATE] ?? '')?.checkpoint).toBeUndefined()
  })
})

test('the state says whether the loop is active, unless an older state never did', async () => {
  const active = (files: Record<string, string>) => readRalphState(files[STATE] ?? '')?.isActive
  const killed = loop([{ ...WORKS(1), dies: true }])
  await expect(killed.run()).rejects.toThrow(Died)
  expect(active(killed.files)).toBe(true)
  const next = loop([DONE], killed.files)
  await next.run()
  expect(active(next.files)).toBe(false)
  const again = loop([{ ...WORKS(1), dies: true }], next.files)
  await expect(again.run()).rejects.toThrow(Died)
  expect(active(again.files)).toBe(true)
  const silent = loop([DONE], { 'PROMPT.md': TASK, [STATE]: '{"iteration": 1}' })
  await silent.run()
  expect(silent.files[STATE]).not.toContain('"active"')
})

test('after a kill during an iteration, the next run continues from the same checkpoint', async () => {
  const killed = loop([
    { ...WORKS(1), peak: 88, checkpoint: '.claude/handoffs/one.md' },
    { ...WORKS(2), dies: true },
  ])
  await expect(killed.run()).rejects.toThrow(Died)
  const next = loop([DONE], killed.files)
  await next.run()
  expect(next.prompts[0]).toContain('.claude/handoffs/one.md')
  expect(takeResume(next.prompts[0] ?? '')).toBe(TASK)
})

describe('the run after a killed one', () => {
  const killedRun = async () => {
    const killed = loop([{ ...WORKS(1), dies: true }])
    await expect(killed.run()).rejects.toThrow(Died)
    return killed.files
  }
  const killedAt = async () => HANDOVER

  test('continues where the agent stopped', async () => {
    const next = loop([DONE], await killedRun(), { killedAt })
    await next.run()
    expect(next.prompts[0]).toContain(POINT.handoffFile)
    expect(takeResume(next.prompts[0] ?? '')).toBe(TASK)
  })

  test('starts another task from its beginning', async () => {
    const files = await killedRun()
    files['PROMPT.md'] = '# Task: Sign out\n'
    const next = loop([DONE], files, { killedAt })
    await next.run()
    expect(next.prompts).toEqual(['# Task: Sign out\n'])
  })

  test('starts from the prompt if the earlier run ended after all', async () => {
    const first = loop([WORKS(1)])
    await first.run({ max: 1 })
    const next = loop([DONE], first.files, { killedAt })
    await next.run()
    expect(next.prompts).toEqual([TASK])
  })
})

test('says why an iteration did not end by itself', async () => {
  const ends: Partial<AgentRun>[] = [
    {},
    { status: 1 },
    { status: 143, isLate: true },
    { status: 130, isInterrupted: true },
  ]
  const { run, cuts } = loop(ends.map((one, i) => ({ ...WORKS(i), run: one })))
  await run()
  expect(cuts).toEqual([undefined, 'the command failed', 'time limit', 'interrupted'])
})

test("leaves another program's state unchanged, and says so", async () => {
  const foreign = '{"iterations": 4}'
  const { run, files, said, prompts } = loop(
    [{ ...WORKS(1), checkpoint: '.claude/handoffs/one.md' }, DONE],
    { 'PROMPT.md': TASK, [STATE]: foreign },
  )
  await run()
  expect(files[STATE]).toBe(foreign)
  expect(said.join('\n')).toContain('is left unchanged')
  expect(hasResume(prompts[1] ?? '')).toBe(true)
})

test.each([{}, { 'PROMPT.md': ' \n' }])('does not start with the prompt %j', async (files) => {
  const { run, prompts } = loop([], files)
  await expect(run()).rejects.toMatchObject({ code: 'RALPH_PROMPT_MISSING' })
  expect(prompts).toEqual([])
})

test('warns the agent about an item that does not fit, without writing into the prompt', async () => {
  const ahead = (prompt: string) => ({
    said: '"Build it" takes about 190k tokens, 95% of the window',
    warning: prompt.includes('big') ? 'Ways: a subagent' : undefined,
  })
  const files = { 'PROMPT.md': `${TASK}big\n` }
  const { run, prompts, said } = loop([{ says: '<promise>done</promise>' }], files, {}, ahead)
  await run()
  expect(prompts).toEqual([`${TASK}big\n\nWays: a subagent\n`])
  expect(files['PROMPT.md']).toBe(`${TASK}big\n`)
  expect(said).toContain('iteration 1: "Build it" takes about 190k tokens, 95% of the window')
  const small = loop([{ says: '<promise>done</promise>' }], undefined, {}, ahead)
  await small.run()
  expect(small.prompts).toEqual([TASK])
})

test('stops on a full disk with advice, and leaves no file half written', async () => {
  const scene = loop([{ checkpoint: '.claude/handoffs/a.md', peak: 90 }])
  const error = new Error('ENOSPC: no space left on device, copyfile')
  const { runAgent } = scene.world
  let before = {}
  scene.world.runAgent = async (...given) => {
    before = { ...scene.files }
    scene.world.mark = () => Promise.reject(Object.assign(error, { code: 'ENOSPC' }))
    return runAgent(...given)
  }
  await expect(scene.run()).rejects.toBe(error)
  expect(scene.files).toEqual(before)
  let said = ''
  expect(reportError(error, (text) => (said += text))).toBe(3)
  expect(said).toBe(
    'ledger-git: the disk is full: ENOSPC: no space left on device, copyfile\n' +
      '  next: free some space, then run the command again\n',
  )
  // The next run continues where this one stopped.
  expect(readRalphState(scene.files[STATE] ?? '')).toMatchObject({ iteration: 1, isActive: true })
})
