/** The issue tracker, if one is set up: can it be reached, and what has it rejected? */

import { shellWord } from '../../core/text/shell-word.ts'
import { KEY_VARIABLE } from '../../core/tracker/tracker-settings.ts'
import { readTracker } from '../tracker/read-tracker.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { ok, someOf, warning } from './finding.ts'

type Asked = Pick<Setup, 'repository' | 'env' | 'outbox'>

export async function checkTracker({ repository, env, outbox }: Asked): Promise<Finding[]> {
  const found = await readTracker({ repository, env })
  if (found.kind === 'off') return []
  const { items, damaged } = outbox.list()
  if (found.kind === 'wrong') return [warning('tracker', found.why, found.next)]
  const about = `linear gets updates on issues of ${found.settings.teams.join(', ')}`
  const hasKey = (env[KEY_VARIABLE] ?? '').trim() !== ''
  const waits = `${KEY_VARIABLE} is not set: updates wait (${items.length} texts)`
  const set = `set ${KEY_VARIABLE} in the environment that your agents and you work in`
  const rejected = items.filter((item) => item.rejected !== undefined)
  const why = rejected.map(({ issue, rejected: said = '' }) => `${issue}: ${said}`)
  const again = 'ledger-git tracker flush --again'
  return [
    hasKey ? ok('tracker', about) : warning('tracker', `${about}, and ${waits}`, set),
    ...(why.length === 0 ? [] : [warning('outbox', `the tracker rejected ${someOf(why)}`, again)]),
    ...damaged.map((path) =>
      warning('outbox', `cannot be read, so it is not sent: ${path}`, `rm ${shellWord(path)}`),
    ),
  ]
}
