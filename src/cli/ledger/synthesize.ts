/** `synthesize`: rewrites `current.md` from the worktree's events. */

import { basename } from 'node:path'
import { archiveEvents, requireArchivable } from '../../app/archive/archive.ts'
import { isEmptyPlan, planArchive } from '../../app/archive/plan.ts'
import { commitLedger } from '../../app/commit/commit-ledger.ts'
import { checkLedger } from '../../app/ledger/check.ts'
import { ledgerPaths } from '../../app/ledger/ledger-sources.ts'
import { ledgerOf, readEvents } from '../../app/ledger/ledger-tree.ts'
import { renderEvents } from '../../app/ledger/render-tree.ts'
import type { Synthesis } from '../../app/commit/synthesize.ts'
import { previewWorktree, writeSynthesis } from '../../app/commit/synthesize.ts'
import { findUnmanaged, KEPT_BY_HAND } from '../../app/ledger/unmanaged-ledger.ts'
import { readLedger } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import { diffLedgers } from '../../core/ledger/diff-ledgers.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import { changeText } from '../../core/ledger/change-text.ts'
import type { Command, Input, OpenWorktree } from '../command/command.ts'
import { CONFIRM, flag, nonEmpty } from '../command/command.ts'
import { count } from '../command/format.ts'
import { nameArchived } from './archive.ts'
import { showUnmanaged } from './show.ts'
import { writeContext } from '../command/shared-options.ts'

export const synthesize: Command = {
  name: 'synthesize',
  busyWith: 'joining events',
  writes: true,
  describe: "Rewrite current.md from the worktree's events",
  examples: [
    ['ledger-git synthesize', 'shows what will change and asks (on a terminal)'],
    ['ledger-git synthesize --no-confirm --commit', 'without a question, and commit the ledger'],
    ['ledger-git synthesize --check', 'CI: exit 1 when stale'],
    ['ledger-git synthesize --stdout --input "notes/*.md"', 'print the ledger of other files'],
  ],
  options: {
    stdout: {
      ...flag('print the ledger, write nothing'),
      conflicts: ['check', 'commit', 'archive'],
    },
    check: {
      ...flag('write nothing; exit 1 when current.md is stale'),
      conflicts: ['commit', 'archive', 'input'],
    },
    archive: flag('first move old events out of events/'),
    commit: flag('then make a separate commit for the ledger'),
    confirm: CONFIRM,
    input: nonEmpty('glob of the event files to read instead of events/'),
  },
  run: async (input) => {
    const open = await input.openWorktree()
    const { repository, settings } = open
    if (input.flag('check')) return checkOnly(open, input)
    const glob = input.text('input')
    const unmanaged = glob === undefined && (await findUnmanaged(repository, settings.root))
    if (unmanaged && !unmanaged.hasPending && !unmanaged.isMigrated)
      return leaveUnmanaged(open, input)
    const path = ledgerPaths(settings.root).current
    if (input.flag('archive')) await open.locked(() => archiveOld(open, input))
    const synthesis = await readSynthesis(glob, open, input)
    const json = () => ledgerToJson(synthesis.ledger, synthesis.eventsTree)
    if (input.flag('stdout')) {
      return input.json ? input.print(json(), []) : input.context.stdout(synthesis.text)
    }
    if (!(await isConfirmed(synthesis, path, open, input))) {
      throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was written')
    }
    const commit = await open.locked(async () => {
      await writeSynthesis(open, synthesis)
      if (!input.flag('commit')) return undefined
      return commitLedger(writeContext(open, input), 'synthesize')
    })
    if (input.json) return input.print(json(), [])
    const { eventCount, skipped } = synthesis.ledger
    const unread = skipped.length + synthesis.unreadable
    const rest = unread === 0 ? '' : `, ${unread} unreadable (ledger-git event validate)`
    input.say(`${path}: ${count(eventCount, 'event')}${rest}`)
    if (commit !== undefined) input.say(`committed ${commit.slice(0, 9)}`)
  },
}

async function checkOnly({ repository, settings }: OpenWorktree, input: Input): Promise<number> {
  const { fresh, checked } = await checkLedger(repository, settings, { kind: 'worktree' })
  if (input.json) input.print({ fresh, checked }, [])
  else if (fresh) input.say('current.md is fresh')
  else input.say('current.md is stale\nnext: ledger-git synthesize')
  return fresh ? 0 : 1
}

/** There is an unmanaged `current.md` and no event, so there is nothing to write in its place. */
async function leaveUnmanaged({ repository, settings }: OpenWorktree, input: Input): Promise<void> {
  const { set, unmanaged = '' } = await readLedger(repository, settings, undefined)
  if (input.flag('stdout') || input.json) showUnmanaged(unmanaged, set, input)
  else input.say(KEPT_BY_HAND)
}

/** Archives old events, staged or committed, unless the answer is no. */
async function archiveOld(open: OpenWorktree, input: Input): Promise<void> {
  const { repository, settings } = open
  const now = input.context.clock.now()
  const plan = await planArchive(repository, settings, now, settings.archiveAfterMillis)
  if (isEmptyPlan(plan)) return
  const events = count(plan.archived.length, 'event')
  await requireArchivable(open, input.flag('commit'))
  if (input.flag('confirm') && input.context.canAsk) nameArchived(plan, input)
  if (!(await input.confirm(`${events} to archive: go on?`))) return
  await archiveEvents(open, plan, { commit: input.flag('commit') })
  input.say(`${events} archived`)
}

async function readSynthesis(
  glob: string | undefined,
  { repository, settings }: OpenWorktree,
  input: Input,
): Promise<Synthesis> {
  const { context } = input
  const write = !input.flag('stdout')
  const synthesis = await previewWorktree(repository, settings.root, { write })
  if (glob === undefined) return synthesis
  const files = await context.expandGlob(glob)
  if (files.length === 0) {
    const next = 'quote the glob: --input "events/*.md"'
    throw new LedgerError('EVENT_NOT_FOUND', `no file matches ${glob}`, next)
  }
  const entries = await Promise.all(
    files.map(async (file) => {
      const oid = await repository.writeBlob(context.files.read(file) ?? '')
      return { mode: '100644', name: textToName(basename(file)), oid } as const
    }),
  )
  // Stored, like the worktree's own tree, so that a merge that meets this text finds the tree it names.
  const tree = await repository.writeTree(entries)
  const set = await readEvents(repository.objects, tree, entries)
  return { ...synthesis, eventsTree: tree, ledger: ledgerOf(set), text: renderEvents(set) }
}

/** Shows what will change, and asks if somebody can answer. */
async function isConfirmed(
  { before, text, ledger }: Synthesis,
  path: string,
  { repository, settings }: OpenWorktree,
  input: Input,
): Promise<boolean> {
  if (!input.flag('confirm') || !input.context.canAsk || before === text) return true
  const { fresh } = await checkLedger(repository, settings, { kind: 'worktree' })
  const changes = diffLedgers(foldLedger([]), ledger)
  const state = fresh ? 'fresh, but older than these events' : 'stale'
  input.say(`${path} is ${state}; it will say:`)
  for (const change of changes.slice(0, 40)) input.say(`  ${changeText(change)}`)
  if (changes.length > 40) input.say(`  … and ${changes.length - 40} more`)
  return input.context.ask('Write it?')
}
