/** What changed, or would change, in the ledger: `diff` and `preview`. */

import { ledgerOf } from '../../app/ledger/ledger-tree.ts'
import { diffRevisions, previewMerge } from '../../app/ledger/view-ledger.ts'
import type { HandoffChange } from '../../app/ledger/preview-handoffs.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { DecidedTwice } from '../../core/ledger/decided-twice.ts'
import { twiceLine } from '../../core/ledger/decided-twice.ts'
import type { AttributedChange } from '../../core/ledger/diff-ledgers.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import type { Command } from '../command/command.ts'
import { attributedLine, changeLine } from '../command/event-lines.ts'
import { safeText } from '../command/format.ts'

export const diff: Command = {
  name: 'diff',
  isLong: true,
  words: { '<before>': 'a commit', '[after]': 'a commit (default: the worktree)' },
  describe: 'Show what changed in the ledger between two commits (or up to the worktree)',
  examples: [
    ['ledger-git diff main~5 main', 'between two commits; main~5..main is the same'],
    ['ledger-git diff HEAD', 'from HEAD to the worktree, pending events included'],
  ],
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const [before, after] = revisionsIn(input.word('before'), input.text('after'))
    const changes = await diffRevisions(repository, settings, before, after)
    const lines = changes.map((change) => attributedLine(change, input))
    input.print(changes.map(changeJson), lines)
  },
}

/** `A..B`, as in git's own commands: the name of a commit cannot contain two dots. */
function revisionsIn(before: string, after: string | undefined): [string, string | undefined] {
  const [, from = '', to = ''] =
    (after === undefined && /^(.*[^.]|)\.\.([^.].*|)$/.exec(before)) || []
  return from + to === '' ? [before, after] : [from || 'HEAD', to || 'HEAD']
}

function changeJson({ by, ...change }: AttributedChange) {
  const { agent, branch } = by ?? {}
  return { ...change, agent, branch, ts: by === null ? null : formatInstant(by.ts) }
}

function twiceJson(values: DecidedTwice) {
  const [{ decision }] = values
  const said = values.map(({ decision: { value }, by: { agent, branch, ts } }, i) => {
    return { value, agent, branch, ts: formatInstant(ts), holds: i === 0 }
  })
  return { key: decision.key, values: said }
}

/** What a merge does to a handoff, in words. */
const HANDOFF_WORDS: Record<HandoffChange['change'], string> = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  conflict: 'conflict, a person has to settle it',
}

export const preview: Command = {
  name: 'preview',
  isLong: true,
  words: { '<branch>': 'a branch or commit' },
  describe: 'Show what merging BRANCH would do to the ledger and the handoffs; nothing is written',
  examples: [['ledger-git preview feature/login', 'before git merge feature/login']],
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const { set, changes, twice, handoffs } = await previewMerge(
      repository,
      settings,
      input.word('branch'),
    )
    const ledger = ledgerToJson(ledgerOf(set), set.eventsTree)
    const json = {
      changes: changes.map(changeJson),
      ledger,
      decisions_differ: twice.map(twiceJson),
      handoffs,
    }
    const lines = [
      ...(changes.length === 0 ? ['no change in the ledger'] : []),
      ...changes.map((change) => changeLine(change, input)),
      ...twice.map(twiceLine),
      ...handoffs.map(({ name, change }) => `handoff ${safeText(name)}: ${HANDOFF_WORDS[change]}`),
    ]
    input.print(json, lines)
  },
}
