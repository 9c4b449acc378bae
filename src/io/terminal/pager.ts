/** Long output through the user's pager, as git does it. */

import { spawn } from 'node:child_process'

/** Undefined if nothing is to be paged. */
export function pagerOf({ GIT_PAGER, PAGER, TERM }: NodeJS.ProcessEnv): string | undefined {
  const pager = GIT_PAGER ?? PAGER ?? 'less'
  return pager === '' || pager === 'cat' || TERM === 'dumb' ? undefined : pager
}

/** True if the pager took the text; if it cannot be started, the text still has to be printed. */
export async function page(text: string, pager: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // less: quit if everything fits on one screen, keep colours, leave the text on the screen.
  const settings = { LESS: 'FRX', LV: '-c', ...env }
  // Control-C is for the pager, which ends when it likes.
  const listeners = process.listeners('SIGINT')
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', ignore)
  try {
    return await new Promise((resolve) => {
      const child = spawn('sh', ['-c', pager], { env: settings, stdio: ['pipe', 1, 2] })
      child.on('error', () => resolve(false))
      // 126 and 127: the shell found no such program.
      child.on('close', (status) => resolve(status !== 126 && status !== 127))
      // A user who has seen enough closes the pager.
      child.stdin?.on('error', ignore)
      child.stdin?.end(text)
    })
  } finally {
    process.off('SIGINT', ignore)
    for (const listener of listeners) process.on('SIGINT', listener)
  }
}

function ignore(): void {}
