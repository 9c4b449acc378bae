/**
 * Runs a command of the user's with the shell: a text in, a text out, within bounds. It has a process group of its
 * own, and whatever is left of that is killed: when it is done, when it takes too long or says too much.
 */

import { killWithUs, startGroup } from './process-group.ts'

/** `failed`: why, for a log. */
export type Filtered = { readonly text: string } | { readonly failed: string }

export interface FilterBounds {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds. */
  readonly timeout: number
  /** Bytes. */
  readonly maxOutput?: number
  /** Killed as well where this process is told to end meanwhile. */
  readonly endsWithUs?: boolean
}

export function runFilter(
  command: string,
  input: string,
  { folder, env, timeout, maxOutput = 64 * 1024, endsWithUs }: FilterBounds,
): Promise<Filtered> {
  return new Promise((resolve) => {
    const words = ['sh', '-c', command]
    const group = startGroup({ words, folder, env, input }, 'ignore')
    const { child } = group
    const stopWatching = endsWithUs === true ? killWithUs(group) : undefined
    const parts: Buffer[] = []
    let length = 0
    const killAll = () => group.signal('SIGKILL')
    const end = (result: Filtered) => {
      clearTimeout(timer)
      stopWatching?.()
      killAll()
      child.stdout?.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => end({ failed: `took longer than ${timeout} ms` }), timeout)
    child.on('error', () => end({ failed: 'could not be started' }))
    child.stdout?.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length > maxOutput) end({ failed: `said more than ${maxOutput} bytes` })
    })
    // What it left running would keep its output open.
    child.on('exit', killAll)
    child.on('close', (status, signal) => {
      if (status !== 0) return end({ failed: `ended with ${signal ?? `status ${status}`}` })
      return end({ text: Buffer.concat(parts).toString('utf8') })
    })
  })
}
