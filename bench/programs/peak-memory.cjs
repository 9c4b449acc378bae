/**
 * Preloaded into a Node process: writes its peak memory, in kilobytes, to `BENCH_PEAK_FILE` when it ends.
 *
 * `maxRSS` alone would not do: on Linux a process inherits the peak of the one that started it.
 */

const { appendFileSync, readFileSync } = require('node:fs')

function peakKilobytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

process.on('exit', () => appendFileSync(process.env.BENCH_PEAK_FILE, `${peakKilobytes()}\n`))
