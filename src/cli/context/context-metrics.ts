/** `context metrics`: how well work carries over between sessions, measured in this repository. */

import { measureSessions } from '../../app/estimate/measure-sessions.ts'
import type { Metric } from '../../core/estimate/metrics.ts'
import type { Command } from '../command/command.ts'
import { thousands } from './context-words.ts'
import { count } from '../command/format.ts'

export const contextMetrics: Command = {
  name: 'metrics',
  describe: 'Measure how well work carries over between the sessions of this repository',
  examples: [['ledger-git context metrics', 'each measure with its target']],
  run: async (input) => {
    const { sessions, metrics, rates } = await measureSessions(await input.context.sessions())
    input.print(
      { sessions, metrics, estimates: { comparedTasks: rates.compared, ratio: rates.ratio } },
      [
        ...metrics.map(line),
        `estimates: times ${rates.ratio}, from ${count(rates.compared, 'compared task')}`,
      ],
    )
    if (sessions === 0) {
      input.say('no session has a transcript that says how full its context was (Claude Code only)')
    }
  },
}

function line({ name, meaning, target, value, older, newer }: Metric): string {
  if (value === undefined) return `${name}: not known (${meaning}; target: ${target})`
  const change =
    older === undefined || newer === undefined
      ? ''
      : `, older half ${shown(older)}, newer half ${shown(newer)}`
  return `${name}: ${shown(value)} (${meaning}; target: ${target}${change})`
}

function shown(value: number): string {
  return value < 1000 ? String(value) : thousands(Math.round(value))
}
