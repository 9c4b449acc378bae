/**
 * Runs one of the user's commands in a shell: a text in, a text out, within bounds. It runs as a separate process
 * group, of which everything left is killed when the command is done, takes too long or prints too much.
 */

import { killOnSignal, startGroup } from './process-group.ts'

/** `failed`: the reason, for a log. */
export type Filtered = { readonly text: string } | { readonly failed: string }

export interface FilterBounds {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds. */
  readonly timeout: number
  /** Bytes. */
  readonly maxOutput?: number
  /** Also killed if this process is told to end meanwhile. */
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
    const stopWatching = endsWithUs === true ? killOnSignal(group) : undefined
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
    // Processes that it left running would keep its output open.
    child.on('exit', killAll)
    child.on('close', (status, signal) => {
      if (status !== 0) return end({ failed: `ended with ${signal ?? `status ${status}`}` })
      return end({ text: Buffer.concat(parts).toString('utf8') })
    })
  })
}
