/**
 * Redraws lines on the terminal's alternate screen while somebody watches, writing only the rows that changed.
 * However it ends, the terminal is restored.
 */

import { ENDINGS } from '../process/process-group.ts'

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** Alternate screen, cursor hidden, long lines cut off; and back. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'

/** What a key means: the status to leave with. Control-C and Control-D arrive as characters while keys are read. */
const KEYS: Readonly<Record<string, number>> = { q: 0, Q: 0, '\u0003': 130, '\u0004': 130 }
/** Control-Z, likewise. */
const STOP = '\u001a'

/**
 * Shows what `frame` returns, every `interval` milliseconds and when the size changes, until a key or a signal ends
 * it. Returns the exit status.
 */
export async function watchScreen(
  frame: (size: ScreenSize) => Promise<readonly string[]>,
  interval: number,
  { stdin, stdout } = process,
): Promise<number> {
  let shown: readonly string[] = []
  let isOver = false
  const setRaw = (isRaw: boolean) => {
    try {
      if (stdin.isTTY) stdin.setRawMode(isRaw)
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
  }
  const enter = () => {
    shown = []
    stdout.write(ENTER)
    // A shell may have changed the mode meanwhile, without Node knowing.
    setRaw(false)
    setRaw(true)
  }
  const restore = () => {
    setRaw(false)
    stdout.write(LEAVE)
  }
  const leave = () => {
    if (isOver) return
    isOver = true
    restore()
    stdin.pause()
  }
  let wake = () => {}
  let end = (_status: number) => {}
  const ended = new Promise<number>((resolve) => {
    end = (status) => {
      resolve(status)
      wake()
    }
  })
  const onKey = (typed: Buffer) => {
    const keys = [...typed.toString('latin1')]
    const status = keys.map((key) => KEYS[key]).find((one) => one !== undefined)
    if (status !== undefined) end(status)
    // Everything that was started with us stops, too, as it would without raw mode.
    else if (keys.includes(STOP)) process.kill(0, 'SIGTSTP')
  }
  const onResize = () => {
    shown = []
    stdout.write('\u001b[2J')
    wake()
  }
  const listeners: [NodeJS.Signals, () => void][] = ENDINGS.map((signal) => [
    signal,
    () => {
      leave()
      // Ends by the signal itself: a normal exit of Node aborts if the terminal was closed.
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    },
  ])
  const onStop = () => {
    restore()
    // Stops by the signal itself: if no shell could resume us, the system ignores it.
    process.off('SIGTSTP', onStop)
    process.kill(process.pid, 'SIGTSTP')
    process.prependListener('SIGTSTP', onStop)
    enter()
    wake()
  }
  const onContinued = () => {
    // SIGCONT also follows the signal of a closed terminal.
    if (isOver) return
    enter()
    wake()
  }
  listeners.push(['SIGTSTP', onStop], ['SIGCONT', onContinued])
  // Other listeners end the process at once, so the screen is restored first.
  for (const [signal, listener] of listeners) process.prependListener(signal, listener)
  // Called by whichever stream fails first.
  const onLost = () => process.kill(process.pid, 'SIGHUP')
  process.on('exit', leave)
  for (const stream of [stdin, stdout]) stream.on('error', onLost)
  enter()
  if (stdin.isTTY) {
    stdin.on('data', onKey)
    stdin.resume()
  }
  stdout.on('resize', onResize)
  const draw = async () => {
    // A terminal of unknown size reports 0.
    const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 }
    const lines = fitRows(await frame(size), size.rows)
    if (isOver) return
    stdout.write(changedRows(shown, lines))
    shown = lines
  }
  const loop = async () => {
    for (;;) {
      await draw()
      if (isOver) return ended
      await new Promise<void>((done) => {
        const timer = setTimeout(done, interval)
        wake = () => {
          clearTimeout(timer)
          done()
        }
      })
      if (isOver) return ended
    }
  }
  const looking = loop()
  try {
    return await Promise.race([ended, looking])
  } finally {
    leave()
    wake()
    process.off('exit', leave)
    for (const stream of [stdin, stdout]) stream.off('error', onLost)
    stdin.off('data', onKey)
    stdout.off('resize', onResize)
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/** Lines that do not fit are counted in the last row. */
export function fitRows(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines
  const kept = lines.slice(0, Math.max(0, rows - 1))
  return [...kept, `… ${lines.length - kept.length} more lines`]
}

/** What a terminal that shows `before` must be sent to show `after`: each changed row, whole. */
export function changedRows(before: readonly string[], after: readonly string[]): string {
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i)
  return rows
    .filter((i) => before[i] !== after[i])
    .map((i) => `\u001b[${i + 1};1H\u001b[2K${after[i] ?? ''}`)
    .join('')
}
