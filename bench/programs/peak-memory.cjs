/**
 * Preloaded into a Node process: appends the peak memory of the process, in kilobytes, to `BENCH_PEAK_FILE`
 * when it ends.
 *
 * `maxRSS` alone is not enough: on Linux a process inherits the peak of its parent.
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
