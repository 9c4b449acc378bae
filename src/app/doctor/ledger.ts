/** Checks the ledger's own files and objects: settings, events, freshness, locks, and what could harm them. */

import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import { fileInTheWay } from '../../core/errors/errors.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { eventsAhead, openProblems } from '../../core/event/event-set.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isFencedEvent } from '../../core/event/fence.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { decodeTree, isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { usedFormatters } from '../../core/setup/formatters.ts'
import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { leftArchived } from '../archive/left-archived.ts'
import { checkLedger } from '../ledger/check.ts'
import { eventsOf, ledgerPaths, placeOfIndex, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { passedOver } from '../ledger/passed-over.ts'
import { findUnmanaged } from '../ledger/unmanaged-ledger.ts'
import { findDamage, nextForAll } from '../repair/find-damage.ts'
import { ignoredLedger, leftLedger, outsideLedger } from '../setup/hidden-paths.ts'
import { installLock, writtenFolders } from '../setup/install-record.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, someOf, warning } from './finding.ts'

export async function checkLedgerFiles(setup: Setup): Promise<Finding[]> {
  const findings = [settingsFile(setup), await leftBehind(setup)]
  // A bare repository has no worktree whose files could be checked.
  if (setup.repository.place.top === undefined) return findings
  return [
    ...findings,
    await ignored(setup),
    await activeLedger(setup),
    await freshness(setup),
    await archive(setup),
    ...(await events(setup)),
  ]
}

function settingsFile({ settingsError, settings }: Setup): Finding {
  return settingsError === undefined
    ? ok('settings', `the ledger is ${settings.root} (mode: ${settings.mode})`)
    : broken('settings', settingsError.message, settingsError.next ?? `edit ${SETTINGS_FILE}`)
}

/** Our lock files, and the folders of every worktree that may contain half-written files. */
export async function writtenPlaces({ files, probes, repository, settings }: Setup) {
  const { top, commonDir } = repository.place
  const synthesis = top === undefined ? [] : [`${top}/${settings.root}/.synth.lock`]
  const worktrees = await probes.worktrees()
  const folders = worktrees.flatMap(({ path, gitDir, isBare }) => {
    const place = { commonDir, gitDir, top: isBare ? undefined : path }
    return writtenFolders(files, place, settings.root)
  })
  return [[installLock(commonDir), ...synthesis], [...new Set(folders)]] as const
}

async function leftBehind(setup: Setup): Promise<Finding> {
  const [locks, folders] = await writtenPlaces(setup)
  const file = locks.find((path) => setup.files.kind(path) === 'file')
  if (file !== undefined) {
    const { message, next = INSTALL } = fileInTheWay(file)
    return broken('locks', message, next)
  }
  const left = setup.probes.leftBehind(locks, folders)
  if (left.length === 0) return ok('locks', 'none left behind')
  const what = `left behind by a process that died: ${someOf(left)}`
  return warning('locks', what, 'ledger-git doctor --fix')
}

/** Reports if git ignores what it should see, or sees what it should ignore. */
export async function ignored(setup: Setup): Promise<Finding> {
  const { probes, settings } = setup
  const name = 'ignored'
  const outside = await outsideLedger(setup, settings.root)
  if (outside !== undefined) return broken(name, outside.what, outside.fix)
  const left = await leftLedger(setup, settings.root)
  if (left !== undefined) return (left.hasEvents ? broken : warning)(name, left.what, left.fix)
  const { events: hidden, currentRule } = await ignoredLedger(probes, settings.root)
  if (hidden !== undefined) return broken(name, hidden.what, hidden.fix)
  const { current } = ledgerPaths(settings.root)
  const isWanted = settings.mode === 'untracked'
  if ((currentRule !== undefined) === isWanted) return ok(name, 'git sees the ledger')
  return isWanted
    ? warning(name, `mode: untracked, but git does not ignore ${current}`, INSTALL)
    : broken(name, `git ignores ${current} (${currentRule})`, 'change that rule')
}

/** The active ledger belongs to one person; in git, it would be shared with everybody. */
async function activeLedger({ repository }: Setup): Promise<Finding> {
  const name = 'active-ledger'
  const tracked = await repository.index.list(ACTIVE_FILE)
  if (tracked.length === 0) return ok(name, `git does not track ${ACTIVE_FILE}`)
  const what = `git tracks ${ACTIVE_FILE}, which is one person's`
  return warning(name, what, `git rm --cached ${ACTIVE_FILE}, and commit that`)
}

async function freshness({ repository, settings }: Setup): Promise<Finding> {
  const name = 'ledger'
  const { fresh, checked } = await checkLedger(repository, settings, { kind: 'worktree' })
  const unmanaged = await findUnmanaged(repository, settings.root)
  if (unmanaged === undefined) {
    const reason = checked[0]?.reason ?? ''
    if (fresh) return ok(name, reason)
    const passed = await passedOver(repository, settings.root)
    return warning(name, passed?.message ?? reason, passed?.fix ?? 'ledger-git resolve')
  }
  // Not a problem until there is an event: then the next commit replaces the file with a rendering.
  const { isMigrated, hasPending } = unmanaged
  if (isMigrated) return ok(name, 'current.md is kept by hand; your next commit renders it')
  if (hasPending) {
    const what = 'current.md is kept by hand, and your next commit replaces it'
    return warning(name, what, 'ledger-git migrate')
  }
  return ok(
    name,
    'current.md is kept by hand (no events/); ledger-git migrate makes an event of it',
  )
}

/** Files that a killed run of `archive` has written; no commit includes them. */
async function archive({ repository, settings }: Setup): Promise<Finding> {
  const name = 'archive'
  const { entries = [] } = await placeOfIndex(repository, settings.root)
  const left = await leftArchived(repository, settings.root, entries)
  if (left.length === 0) return ok(name, 'no interrupted run has left files in it')
  const what = `archive was interrupted, and left ${someOf(left.map(nameToText))}`
  return warning(name, what, 'ledger-git archive')
}

async function events({ repository, settings, clock }: Setup): Promise<Finding[]> {
  const place = await placeOfWorktree(repository, settings.root)
  const set = await eventsOf(repository.objects, place)
  const ahead = eventsAhead(set.events, clock.now(), settings.maxDriftMillis)
  const late = ahead.map(({ file }) => file)
  const damage = await findDamage(repository, settings, place)
  const damaged = damage.map(({ file }) => file)
  const skipped = openProblems(set)
    .map(({ file }) => file)
    .filter((file) => !damaged.includes(file))
  const validate = 'ledger-git event validate says why; correct each file, or delete it'
  const retract = late.map((file) => `ledger-git event retract ${shellWord(file)}`).join(' && ')
  return [
    skipped.length === 0
      ? ok('events', `${set.events.length} read, none skipped`)
      : warning('events', `skipped: ${skipped.join(', ')}`, validate),
    damage.length === 0
      ? ok('damage', 'every event is as it was written')
      : warning('damage', `not as they were written: ${someOf(damaged)}`, nextForAll(damage)),
    late.length === 0
      ? ok('clock', 'no event is ahead of the clock')
      : warning('clock', `ahead of the clock: ${late.join(', ')}`, retract),
  ]
}

export async function checkFormatters(setup: Setup): Promise<Finding[]> {
  const name = 'formatters'
  const { files, repository, settings } = setup
  const { top } = repository.place
  if (top === undefined) return []
  const used = usedFormatters((file) => files.read(`${top}/${file}`), settings.root)
  const open = used.filter(({ isThere }) => !isThere)
  const needsBare = open.some(({ changes }) => changes === 'bare events')
  const hasBare = needsBare && (await hasBareEvent(setup))
  const harmed = open.filter(({ changes }) => hasBare || changes !== 'bare events')
  if (harmed.length > 0) {
    const said = harmed.map((each) => `${each.name} (${each.changes})`).join(', ')
    // First what install can do; a manual step is suggested only if nothing else is left.
    const byHand = harmed.every(({ advice }) => advice !== undefined) && harmed[0]?.advice
    const what = `not kept away from files that they would change: ${said}`
    return [warning(name, what, byHand || INSTALL)]
  }
  const names = used.map((each) => each.name).join(', ')
  return [ok(name, names === '' ? 'none is set up at the top' : `harm none of our files: ${names}`)]
}

/** True if there is an event without a fence, as other tools write them. */
async function hasBareEvent({ repository, settings }: Setup): Promise<boolean> {
  const { entries = [], overlay } = await placeOfWorktree(repository, settings.root)
  for (const { name, mode, oid } of entries) {
    if (!isRegularFile(mode) || !isEventFileName(nameToText(name))) continue
    const bytes = overlay.get(oid) ?? (await repository.objects.read(oid))?.content
    if (bytes !== undefined && !isFencedEvent(decodeEventText(bytes))) return true
  }
  return false
}

/** How many objects are compared: enough to include loose and packed ones. */
const MAX_COMPARED = 50

export async function checkObjects(setup: Setup): Promise<Finding[]> {
  const { repository, settings, probes } = setup
  const name = 'objects'
  const { events } = ledgerPaths(settings.root)
  const tree = await repository.objects.find(`HEAD:${events}`)
  if (tree?.type !== 'tree') return [ok(name, 'no commit holds events yet')]
  if (probes.inProcess === undefined) {
    return [ok(name, 'read by git alone: packs are large, or only git knows how they are stored')]
  }
  const blobs = decodeTree(tree.content, repository.place.format).slice(-MAX_COMPARED)
  for (const blob of blobs) {
    // Each reader fails in its own way for an object that does not match its id.
    const readers = [repository.objects, probes.inProcess]
    const read = readers.map((reader) => reader.read(blob.oid).catch(() => undefined))
    const [mine, other] = await Promise.all(read)
    if (mine === undefined || other === undefined) return [await damaged(blob, setup)]
    if (mine.type === other.type && Buffer.from(mine.content).equals(other.content)) continue
    return [broken(name, `git and isomorphic-git read ${blob.oid} differently`, REFETCH)]
  }
  return [ok(name, `git and isomorphic-git read the same ${blobs.length} objects`)]
}

const REFETCH = 'git fetch --refetch'

/** The same bytes are usually in the worktree, otherwise in another clone. */
async function damaged(
  { name, oid }: TreeEntry,
  { repository, settings }: Setup,
): Promise<Finding> {
  const { top, commonDir } = repository.place
  const path = `${ledgerPaths(settings.root).events}/${nameToText(name)}`
  const what = `${path} cannot be read from the repository: object ${oid} is damaged or missing`
  const isHere = top !== undefined && (await repository.worktree.read(path)) !== undefined
  const [here] = isHere ? await repository.worktree.hashFiles([textToName(path)], false) : []
  if (here !== oid) return broken('objects', what, REFETCH)
  const file = shellWord(`${commonDir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`)
  // Git does not write an object that it believes to have, so the damaged file must be removed first.
  return broken(
    'objects',
    what,
    `rm -f ${file} && git hash-object -w ${shellWord(`${top}/${path}`)}`,
  )
}
