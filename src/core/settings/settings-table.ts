/**
 * Every setting of `.ledger-git.yaml`: its key, and the form of its value.
 *
 * The parser, its messages and the command `config` are derived from this table, and `docs/commands.md` has a row with
 * the meaning of each setting.
 */

import { didYouMean, nearest } from '../text/did-you-mean.ts'
import type { SettingForm } from './setting-forms.ts'
import { choice, duration, folder, levels, limit, texts, truth } from './setting-forms.ts'

export interface Setting extends SettingForm {
  /** As written in the file, with dots: `ledger.root`. */
  readonly key: string
}

export const SETTINGS: readonly Setting[] = [
  { key: 'ledger.root', ...folder('root') },
  { key: 'mode', ...choice('mode', ['tracked', 'untracked']) },
  { key: 'clock.max_drift', ...duration('maxDriftMillis', '5m') },
  { key: 'commit.protected', ...texts('protectedBranches', 'branch name') },
  { key: 'synthesize.on_event', ...choice('onEvent', ['memory', 'file']) },
  { key: 'archive.after', ...duration('archiveAfterMillis', '7d') },
  { key: 'archive.keep', ...duration('archiveKeepMillis', '90d', 'forever') },
  { key: 'session.checkpoint_interval', ...duration('checkpointIntervalMillis', '30m', 'never') },
  { key: 'session.ask', ...choice('ask', ['on', 'off']) },
  { key: 'session.push', ...truth('pushCheckpoints') },
  { key: 'session.push_timeout', ...duration('pushTimeoutMillis', '10s') },
  { key: 'active_ledger', ...choice('activeLedger', ['auto', 'on', 'off']) },
  { key: 'active_ledger.share', ...truth('shareActiveLedgers') },
  {
    key: 'active_ledger.archive_retention',
    ...duration('activeLedgerKeepMillis', '30d', 'forever'),
  },
  { key: 'context.wip', ...choice('contextWip', ['typed', 'commit', 'shadow']) },
  { key: 'context.handoffs', ...folder('handoffs') },
  { key: 'context.commit', ...truth('commitsContext') },
  { key: 'context.levels', ...levels },
  { key: 'context.limit', ...limit },
  { key: 'context.memory', ...choice('contextMemory', ['off', 'claude-mem']) },
  { key: 'context.memory_tools', ...texts('memoryTools', 'text') },
]

export function findSetting(key: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.key === key)
}

/** The end of every message about an unknown key: `ledger.rot; did you mean ledger.root?` */
export function unknownSetting(key: string): string {
  const keys = SETTINGS.map((setting) => setting.key)
  return `${key}${didYouMean(nearest(key, keys))}`
}
