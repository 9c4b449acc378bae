/**
 * Every setting of `.ledger-git.yaml`: its key and form, and how it is read and shown.
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
  /** The expected value in words, used in the documents and at the end of error messages. */
  readonly form: string
}

export const SETTINGS: readonly Setting[] = [
  { key: 'ledger.root', form: 'a folder below the top of the repository', ...folder('root') },
  { key: 'mode', form: '`tracked` or `untracked`', ...choice('mode', ['tracked', 'untracked']) },
  { key: 'clock.max_drift', form: 'a duration such as `5m`', ...duration('maxDriftMillis') },
  {
    key: 'commit.protected',
    form: 'a branch name or a list of branch names',
    ...texts('protectedBranches'),
  },
  {
    key: 'synthesize.on_event',
    form: '`memory` or `file`',
    ...choice('onEvent', ['memory', 'file']),
  },
  { key: 'archive.after', form: 'a duration such as `7d`', ...duration('archiveAfterMillis') },
  {
    key: 'archive.keep',
    form: '`forever`, or a duration such as `90d`',
    ...duration('archiveKeepMillis', 'forever'),
  },
  {
    key: 'session.checkpoint_interval',
    form: '`never`, or a duration such as `30m`',
    ...duration('checkpointIntervalMillis', 'never'),
  },
  { key: 'session.ask', form: '`on` or `off`', ...choice('ask', ['off', 'on']) },
  { key: 'session.push', form: '`true` or `false`', ...truth('pushCheckpoints') },
  {
    key: 'session.push_timeout',
    form: 'a duration such as `10s`',
    ...duration('pushTimeoutMillis'),
  },
  {
    key: 'active_ledger',
    form: '`auto`, `on` or `off`',
    ...choice('activeLedger', ['auto', 'on', 'off']),
  },
  { key: 'active_ledger.share', form: '`true` or `false`', ...truth('shareActiveLedgers') },
  {
    key: 'active_ledger.archive_retention',
    form: '`forever`, or a duration such as `30d`',
    ...duration('activeLedgerKeepMillis', 'forever'),
  },
  {
    key: 'context.wip',
    form: '`typed`, `commit` or `shadow`',
    ...choice('contextWip', ['typed', 'commit', 'shadow']),
  },
  {
    key: 'context.handoffs',
    form: 'a folder below the top of the repository',
    ...folder('handoffs'),
  },
  { key: 'context.commit', form: '`true` or `false`', ...truth('commitsContext') },
  { key: 'context.levels', form: 'three rising percentages such as `[70, 85, 95]`', ...levels },
  { key: 'context.limit', form: '`auto`, or a number of tokens such as `150000`', ...limit },
  {
    key: 'context.memory',
    form: '`off` or `claude-mem`',
    ...choice('contextMemory', ['off', 'claude-mem']),
  },
  { key: 'context.memory_tools', form: 'a text or a list of texts', ...texts('memoryTools') },
]

export function findSetting(key: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.key === key)
}

/** The end of every message about an unknown key: `ledger.rot; did you mean ledger.root?` */
export function unknownSetting(key: string): string {
  const keys = SETTINGS.map((setting) => setting.key)
  return `${key}${didYouMean(nearest(key, keys))}`
}
