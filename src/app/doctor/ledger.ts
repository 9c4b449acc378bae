/** The ledger's own files: settings, events, freshness, locks, what .gitignore hides. */

import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { eventsAhead } from '../commit/add-event.ts'
import { checkLedger } from '../ledger/check.ts'
import type { DamagedEvent } from '../repair/find-damage.ts'
import { findDamage } from '../repair/find-damage.ts'
import type { HandKept } from '../ledger/unmanaged-ledger.ts'
import { findHandKept } from '../ledger/unmanaged-ledger.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { installLock } from '../setup/install-record.ts'
import { writtenFolders } from '../setup/written-folders.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, ok, warning } from './finding.ts'

export async function checkLedgerFiles(context: DoctorContext): Promise<Finding[]> {
  const findings = [settingsFile(context), await leftBehind(context)]
  // A bare repository has no worktree whose files could be looked at.
  if (context.repository.place.top === undefined) return findings
  return [...findings, await ignored(context), await freshness(context), ...(await events(context))]
}

function settingsFile({ settingsError, settings }: DoctorContext): Finding {
  return settingsError === undefined
    ? ok('settings', `the ledger is ${settings.root} (mode: ${settings.mode})`)
    : broken('settings', settingsError.message, settingsError.next ?? `edit ${SETTINGS_FILE}`)
}

/** Lock files of ours, by path. */
export function lockFiles({ repository, settings }: DoctorContext): string[] {
  const { top, commonDir } = repository.place
  const synthesis = top === undefined ? [] : [`${top}/${settings.root}/.synth.lock`]
  return [installLock(commonDir), ...synthesis]
}

/** The folders of every worktree that half-written files can be in. */
export async function foldersOf(context: DoctorContext): Promise<string[]> {
  const { files, probes, repository, settings } = context
  const worktrees = await probes.worktrees()
  const folders = worktrees.flatMap(({ path, gitDir, isBare }) => {
    const place = { commonDir: repository.place.commonDir, gitDir }
    return writtenFolders(files, place, isBare ? undefined : path, settings.root)
  })
  return [...new Set(folders)]
}

async function leftBehind(context: DoctorContext): Promise<Finding> {
  const stale = lockFiles(context).filter((path) => context.probes.lockState(path) === 'stale')
  const left = [...stale, ...context.probes.leftBehind(await foldersOf(context))]
  const more = left.length > 5 ? ` and ${left.length - 5} more` : ''
  return left.length === 0
    ? ok('locks', 'none left behind')
    : warning(
        'locks',
        `left behind by a process that died: ${left.slice(0, 5).join(', ')}${more}`,
        'ledger-git doctor --fix',
      )
}

/** A rule such as `*.md` or `thoughts/` would keep events out of every commit. */
async function ignored({ probes, settings }: DoctorContext): Promise<Finding> {
  const { events, current } = ledgerPaths(settings.root)
  const event = `${events}/2026-01-01T00-00-00Z_doctor_00000000.md`
  const folderRule = await probes.ignoredBy(events)
  if (folderRule !== undefined) {
    const what = `git ignores events (${folderRule}): they would never be committed`
    return broken('ignored', what, `remove that rule: nothing below an ignored folder can be named`)
  }
  const rule = await probes.ignoredBy(event)
  if (rule !== undefined) {
    return broken(
      'ignored',
      `git ignores events (${rule}): they would never be committed`,
      `change that rule, or add !/${events}/*.md after it`,
    )
  }
  const currentRule = await probes.ignoredBy(current)
  const wanted = settings.mode === 'untracked'
  if ((currentRule !== undefined) === wanted) return ok('ignored', 'git sees the ledger')
  return wanted
    ? warning(
        'ignored',
        `mode: untracked, but git does not ignore ${current}`,
        'ledger-git install',
      )
    : broken('ignored', `git ignores ${current} (${currentRule})`, 'change that rule')
}

async function freshness({ repository, settings }: DoctorContext): Promise<Finding> {
  const { fresh, checked } = await checkLedger(repository, settings, { kind: 'worktree' })
  const reason = checked[0]?.reason ?? ''
  const handKept = await findHandKept(repository, settings.root)
  if (handKept !== undefined) return handKeptFinding(handKept)
  return fresh ? ok('ledger', reason) : warning('ledger', reason, 'ledger-git resolve')
}

/** Not amiss, until an event is there that the next commit will render in its place. */
function handKeptFinding({ isMigrated, hasPending }: HandKept): Finding {
  if (isMigrated) return ok('ledger', 'current.md is kept by hand; your next commit renders it')
  if (hasPending) {
    const what = 'current.md is kept by hand, and your next commit replaces it'
    return warning('ledger', what, 'ledger-git migrate')
  }
  return ok(
    'ledger',
    'current.md is kept by hand (no events/); ledger-git migrate makes an event of it',
  )
}

async function events({ repository, settings, clock }: DoctorContext): Promise<Finding[]> {
  const place = await placeOfWorktree(repository, settings.root)
  const set = await eventsOf(repository.objects, place)
  const ahead = eventsAhead(set.events, clock.now(), settings.maxDriftMillis)
  const names = ahead.map(({ file }) => file)
  const damage = await findDamage(repository, settings)
  // What is damaged has a command of its own.
  const damaged = new Set(damage.map(({ file }) => file))
  const skipped = set.problems.map(({ file }) => file).filter((file) => !damaged.has(file))
  return [
    skipped.length === 0
      ? ok('events', `${set.events.length} read, none skipped`)
      : warning(
          'events',
          `skipped: ${skipped.join(', ')}`,
          'ledger-git event validate says why; mend each file, or delete it',
        ),
    damageFinding(damage),
    names.length === 0
      ? ok('clock', 'no event is ahead of the clock')
      : warning(
          'clock',
          `ahead of the clock: ${names.join(', ')}`,
          names.map((file) => `ledger-git event retract ${shellWord(file)}`).join(' && '),
        ),
  ]
}

/** One fix at a time: each command is about one event. */
function damageFinding(damage: readonly DamagedEvent[]): Finding {
  const [first] = damage
  if (first === undefined) return ok('damage', 'every event is as it was written')
  const names = damage.slice(0, 5).map(({ file }) => file)
  const more = damage.length > names.length ? `, and ${damage.length - names.length} more` : ''
  return warning('damage', `not as they were written: ${names.join(', ')}${more}`, first.next)
}
