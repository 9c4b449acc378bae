/**
 * One ref, locked by git while the caller decides whether to move it.
 *
 * Git gives the lock back by itself when this process dies.
 */

import type { Readable } from 'node:stream'
import type { Git } from '../process/exec.ts'
import { MOVED } from '../../app/ports/history.ts'

/** Once the ref is locked, `prepare` decides. Returns the reason why the ref was not moved. */
export async function moveLocked(
  git: Git,
  update: string,
  reason: string,
  prepare: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { cwd, env } = git
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  const child = spawn('git', ['update-ref', '-m', reason, '--stdin'], { cwd, env, stdio })
  // A git that ended says so by what it did not answer.
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  const lines = linesOf(child.stdout)
  const isDone = async (command: string) => (await lines.next()).value === `${command}: ok`
  try {
    child.stdin.write(`start\n${update}\nprepare\n`)
    if (!(await isDone('start')) || !(await isDone('prepare'))) return MOVED
    const obstacle = await prepare()
    if (obstacle !== undefined) return obstacle
    child.stdin.write('commit\n')
    return (await isDone('commit')) ? undefined : 'the branch could not be moved'
  } finally {
    // All that was sent is answered: closed, not half-closed (`child-input.ts`).
    child.stdin.destroy()
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
