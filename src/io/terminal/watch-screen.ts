/**
 * Lines that are shown anew while somebody looks: in the terminal's second screen, only the rows that changed.
 * On every way out the terminal is as it was.
 */

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** Second screen, cursor hidden; and back. */
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'

/** Exit statuses of signals, as a shell has them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** What a key means: the status to leave with. Control-C arrives as a character while keys are read. */
const KEYS: Readonly<Record<string, number>> = { q: 0, Q: 0, '\u0003': 130, '\u0004': 0 }

/**
 * Shows what `frame` gives, every `interval` milliseconds and when the size changes, until a key or a signal ends
 * it. Returns the exit status.
 */
export async function watchScreen(
  frame: (size: ScreenSize) => Promise<readonly string[]>,
  interval: number,
  { stdin, stdout } = process,
): Promise<number> {
  let shown: readonly string[] = []
  let isOver = false
  const leave = () => {
    if (isOver) return
    isOver = true
    if (stdin.isTTY) stdin.setRawMode(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
  let wake = () => {}
  let end = (_status: number) => {}
  const ended = new Promise<number>((resolve) => {
    end = (status) => {
      resolve(status)
      wake()
    }
  })
  const onKey = (key: Buffer) => {
    const status = [...key.toString('latin1')]
      .map((one) => KEYS[one])
      .find((one) => one !== undefined)
    if (status !== undefined) end(status)
  }
  const onResize = () => {
    shown = []
    stdout.write('\u001b[2J')
    wake()
  }
  // Others have listeners that end the process at once: the screen goes first.
  const listeners = Object.entries(SIGNALS).map(([signal, status]) => {
    const listener = () => {
      leave()
      end(status)
    }
    process.prependListener(signal as keyof typeof SIGNALS, listener)
    return [signal, listener] as const
  })
  process.on('exit', leave)
  stdout.write(ENTER)
  if (stdin.isTTY) {
    stdin.setRawMode(true)
    stdin.on('data', onKey)
    stdin.resume()
  }
  stdout.on('resize', onResize)
  const draw = async () => {
    // A terminal that was told no size says 0.
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
    }
  }
  const looking = loop()
  try {
    return await Promise.race([ended, looking])
  } finally {
    leave()
    // A look that has begun still uses what the caller is about to close.
    wake()
    await looking.catch(() => {})
    process.off('exit', leave)
    stdin.off('data', onKey)
    stdout.off('resize', onResize)
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

/** What does not fit is counted in the last row. */
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
