/**
 * One ref, locked by git while the caller decides whether to move it.
 *
 * Git gives the lock back by itself when this process dies.
 */

import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Git } from '../process/exec.ts'

export class RefTransaction {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: AsyncIterator<string>
  #isOpen = true

  constructor(git: Git, reason: string) {
    const { spawn } = process.getBuiltinModule('node:child_process')
    this.#child = spawn('git', ['update-ref', '-m', reason, '--stdin'], {
      cwd: git.cwd,
      env: git.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    // A git that ended says so by what it did not answer.
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', () => {})
    this.#lines = linesOf(this.#child.stdout)
  }

  /** True when the ref is locked and has the value that `update` expects. */
  async prepare(update: string): Promise<boolean> {
    this.#child.stdin.write(`start\n${update}\nprepare\n`)
    return (await this.#answer()) === 'start: ok' && (await this.#answer()) === 'prepare: ok'
  }

  async commit(): Promise<boolean> {
    this.#child.stdin.write('commit\n')
    return (await this.#answer()) === 'commit: ok'
  }

  /** Leaves the ref as it is, unless it was moved. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    // All that was sent is answered: closed, not half-closed (`child-input.ts`).
    this.#child.stdin.destroy()
  }

  async #answer(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next()
    return done === true ? undefined : value
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
