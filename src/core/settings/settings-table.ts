/**
 * Every setting of `.ledger-git.yaml`: its key, form, and meaning, and how it is read and shown.
 *
 * The parser, its messages, the command `config`, and the table in `docs/commands.md` are all derived from this table,
 * so they always cover the same settings.
 */

import { didYouMean, nearest } from '../text/did-you-mean.ts'
import type { SettingForm } from './setting-forms.ts'
import { choice, duration, folder, levels, limit, texts, truth } from './setting-forms.ts'

export interface Setting extends SettingForm {
  /** As written in the file, with dots: `ledger.root`. */
  readonly key: string
  /** The expected value in words, used in the documents and at the end of error messages. */
  readonly form: string
  /** Markdown, as in the documents. */
  readonly meaning: string
}

export const SETTINGS: readonly Setting[] = [
  {
    key: 'ledger.root',
    form: 'a folder below the top of the repository',
    meaning: 'where the ledger is; run `ledger-git install` after a change',
    ...folder('root'),
  },
  {
    key: 'mode',
    form: '`tracked` or `untracked`',
    meaning:
      '`untracked` keeps `current.md` out of git and renders it from hooks ' +
      '([its price](install.md#mode-untracked)); run `ledger-git install` after a change',
    ...choice('mode', ['tracked', 'untracked']),
  },
  {
    key: 'clock.max_drift',
    form: 'a duration such as `5m`',
    meaning:
      'how far an event may be ahead of the local clock and still count in the ' +
      '[time rule](data-model.md#time)',
    ...duration('maxDriftMillis'),
  },
  {
    key: 'commit.protected',
    form: 'a branch name or a list of branch names',
    meaning: 'branches that `ledger-git` itself never commits to',
    ...texts('protectedBranches'),
  },
  {
    key: 'synthesize.on_event',
    form: '`memory` or `file`',
    meaning: '`file`: `event add` also rewrites `current.md` in the worktree',
    ...choice('onEvent', ['memory', 'file']),
  },
  {
    key: 'archive.after',
    form: 'a duration such as `7d`',
    meaning: 'age at which an event may leave `events/` for the archive',
    ...duration('archiveAfterMillis'),
  },
  {
    key: 'archive.keep',
    form: '`forever`, or a duration such as `90d`',
    meaning: 'how long archived events are kept',
    ...duration('archiveKeepMillis', 'forever'),
  },
  {
    key: 'session.checkpoint_interval',
    form: '`never`, or a duration such as `30m`',
    meaning: "minimum time between a running session's reports to the ledger",
    ...duration('checkpointIntervalMillis', 'never'),
  },
  {
    key: 'session.ask',
    form: '`on` or `off`',
    meaning:
      'at the end of a turn, an agent that changed files and recorded nothing for ' +
      '`session.checkpoint_interval` [is asked to](sessions.md#in-the-agents-own-words), once',
    ...choice('ask', ['off', 'on']),
  },
  {
    key: 'session.push',
    form: '`true` or `false`',
    meaning:
      '`git push` also pushes [checkpoints](sessions.md#who-gets-the-checkpoints), to a remote that ' +
      'already has them',
    ...truth('pushCheckpoints'),
  },
  {
    key: 'session.push_timeout',
    form: 'a duration such as `10s`',
    meaning:
      'how long pushing checkpoints may take before it is abandoned; the push itself continues',
    ...duration('pushTimeoutMillis'),
  },
  {
    key: 'active_ledger',
    form: '`auto`, `on` or `off`',
    meaning:
      'whether agents keep an [active ledger](continuity.md); `auto`: where there is a `conductor/`',
    ...choice('activeLedger', ['auto', 'on', 'off']),
  },
  {
    key: 'active_ledger.share',
    form: '`true` or `false`',
    meaning: 'git sees archived active ledgers; run `ledger-git install` after a change',
    ...truth('shareActiveLedgers'),
  },
  {
    key: 'active_ledger.archive_retention',
    form: '`forever`, or a duration such as `30d`',
    meaning: 'how long archived active ledgers that git does not track are kept',
    ...duration('activeLedgerKeepMillis', 'forever'),
  },
  {
    key: 'context.wip',
    form: '`typed`, `commit` or `shadow`',
    meaning:
      'when a [context checkpoint](context.md) commits work in progress: only when a command asks for ' +
      'it, also when a hook does, or never',
    ...choice('contextWip', ['typed', 'commit', 'shadow']),
  },
  {
    key: 'context.handoffs',
    form: 'a folder below the top of the repository',
    meaning:
      'where the documents of [context checkpoints](context.md) are; run `ledger-git install` after a change',
    ...folder('handoffs'),
  },
  {
    key: 'context.commit',
    form: '`true` or `false`',
    meaning:
      'your next commit includes the documents of [context checkpoints](context.md), like pending ' +
      'events; run `ledger-git install` after a change',
    ...truth('commitsContext'),
  },
  {
    key: 'context.levels',
    form: 'three rising percentages such as `[70, 85, 95]`',
    meaning:
      'where the [levels](context.md#levels) L1, L2 and L3 begin, in percent of the effective limit',
    ...levels,
  },
  {
    key: 'context.limit',
    form: '`auto`, or a number of tokens such as `150000`',
    meaning: 'the effective limit that levels refer to; `auto`: where the agent would compact',
    ...limit,
  },
  {
    key: 'context.memory',
    form: '`off` or `claude-mem`',
    meaning: 'the memory tool that the next iteration of a [loop](ralph.md) is told to query first',
    ...choice('contextMemory', ['off', 'claude-mem']),
  },
  {
    key: 'context.memory_tools',
    form: 'a text or a list of texts',
    meaning: 'queries that replace those of the current release',
    ...texts('memoryTools'),
  },
]

export function findSetting(key: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.key === key)
}

/** The end of every message about an unknown key: `ledger.rot; did you mean ledger.root?` */
export function unknownSetting(key: string): string {
  const keys = SETTINGS.map((setting) => setting.key)
  return `${key}${didYouMean(nearest(key, keys))}`
}
