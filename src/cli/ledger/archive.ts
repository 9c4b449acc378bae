/** `archive`: moves old events out of `events/`. */

import { archiveEvents } from '../../app/archive/archive.ts'
import type { ArchivePlan } from '../../app/archive/plan.ts'
import { changesGit, isEmptyPlan, planArchive } from '../../app/archive/plan.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { nameToText } from '../../core/git/objects.ts'
import { parseDuration, renderDuration } from '../../core/settings/settings.ts'
import type { Command, Input } from '../command/command.ts'
import { COMMIT, CONFIRM, flag, sentence } from '../command/command.ts'
import { count, members, safeText } from '../command/format.ts'

const MAX_NAMED = 10

export const archive: Command = {
  name: 'archive',
  busyWith: 'archiving events',
  writes: true,
  describe: 'Move old events out of events/; a snapshot keeps what they decided',
  examples: [
    ['ledger-git archive --commit', 'events older than archive.after (7d), as a commit'],
    ['ledger-git archive --retention 30d --dry-run', 'what would be archived; nothing is written'],
  ],
  options: {
    retention: sentence('keep events younger than this (default: archive.after)'),
    'dry-run': { ...flag('show what would be archived, write nothing'), conflicts: 'commit' },
    commit: COMMIT,
    confirm: CONFIRM,
  },
  run: async (input) => {
    const open = await input.openWorktree()
    const { repository, settings } = open
    const example = 'for example --retention 7d'
    const given = input.parsed('retention', parseDuration, ' is not a duration', example)
    const retention = given ?? settings.archiveAfterMillis
    const isDry = input.flag('dry-run')
    const makePlan = () => planArchive(repository, settings, input.context.clock.now(), retention)
    const carryOut = async () => {
      const plan = await makePlan()
      for (const { file, reason } of plan.staying) {
        input.say(`ledger-git: ${safeText(file)} stays: ${reason}`)
      }
      if (isDry || isEmptyPlan(plan)) return { plan, commit: undefined }
      return { plan, commit: await archiveEvents(open, plan, { commit: input.flag('commit') }) }
    }
    // The question comes before the lock, so that nobody else waits for the answer.
    if (!isDry && input.flag('confirm') && input.context.canAsk) {
      const plan = await makePlan()
      nameArchived(plan, input)
      if (!isEmptyPlan(plan) && !(await input.confirm(`${planWords(plan)}: go on?`))) {
        throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was archived')
      }
    }
    const { plan, commit } = await (isDry ? carryOut() : open.locked(carryOut))
    if (input.json) return input.print(planJson(plan, commit), [])
    if (isEmptyPlan(plan)) {
      const other = plan.staying.length === 0 ? '' : 'other '
      input.say(`no ${other}event is older than ${renderDuration(retention)}`)
    } else if (isDry) {
      nameArchived(plan, input)
      input.say(`${planWords(plan)}; nothing was written`)
    } else if (!changesGit(plan)) input.say(planWords(plan))
    else if (commit === undefined) input.say(`${planWords(plan)}; staged\nnext: git commit`)
    else input.say(`${planWords(plan)}\ncommitted ${commit.slice(0, 9)}`)
  },
}

/** Names the events that would leave, before anything is written. */
export function nameArchived({ archived }: ArchivePlan, input: Input): void {
  for (const { file } of archived.slice(0, MAX_NAMED)) input.say(`  ${safeText(file)}`)
  if (archived.length > MAX_NAMED) input.say(`  and ${archived.length - MAX_NAMED} more`)
}

function planWords({ archived, purged, leftBehind, leftArchived }: ArchivePlan): string {
  const old = purged.length === 0 ? '' : `, ${count(purged.length, 'archived file')} to delete`
  const left =
    leftBehind.length === 0
      ? ''
      : `, ${count(leftBehind.length, 'pending event')} to delete that the archive already has`
  const copies =
    leftArchived.length === 0
      ? ''
      : `, ${count(leftArchived.length, 'archived file')} to delete whose events still exist`
  return `${count(archived.length, 'event')} to archive${old}${left}${copies}`
}

function planJson(plan: ArchivePlan, commit: string | undefined) {
  return {
    archived: plan.archived.map(({ file, path }) => ({ file, path: nameToText(path) })),
    ...members(plan, 'staying', 'snapshots', 'folded'),
    purged: plan.purged.map(nameToText),
    left_behind: [...plan.leftBehind, ...plan.leftArchived].map(nameToText),
    commit,
  }
}
