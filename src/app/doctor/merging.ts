/** The merge driver: configured, named by attributes in every worktree, and really merging. */

import { TREE_MODE, textToName } from '../../core/git/objects.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { DRIVER_COMMAND } from '../../core/setup/install-texts.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { isAdopted } from '../setup/adoption.ts'
import { readEventsTree } from '../ledger/ledger-tree.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import type { MergeAnswer, RepositoryPort, WorktreeInfo } from '../ports.ts'
import type { DoctorContext, SetupContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, warning } from './finding.ts'
import type { Installation } from './installation.ts'
import type { Seen } from './look.ts'

/** The first git with `merge-tree --write-tree`. */
const TRIAL_SINCE = '2.38'

export async function checkMerging(seen: Seen, context: DoctorContext): Promise<Finding[]> {
  return [...seen.driver, await attributesCommitted(context), await trialMerge(context)]
}

/** Nothing where the installation says that an older release wrote it. */
export async function driverConfig(
  { stale, writer }: Installation,
  { repository, settings, probes }: SetupContext,
): Promise<Finding[]> {
  const name = 'driver-config'
  const key = 'merge.ledger.driver'
  const driver = await repository.config(key)
  if (driver === DRIVER_COMMAND) return [ok(name, `${key} is ours`)]
  const { commonDir, top, gitDir } = repository.place
  const isOurs = stale.has(`${commonDir}/ledger-git/config`)
  if (driver === undefined) {
    const path = ledgerPaths(settings.root).current
    const isNamed = (await repository.attribute('merge', path)) === 'ledger'
    const what = isNamed
      ? `${path} has merge=ledger, but this clone has no such driver: git merges it as text`
      : `this clone has no ${key}`
    return [broken(name, what, INSTALL)]
  }
  if (isOurs && writer !== 'this') return []
  const options = { cwd: top ?? gitDir, env: { ...probes.env, GIT_DIR: gitDir } }
  const { said } = await probes.run('git', ['config', '--show-scope', '--get', key], options)
  const unset = `git config --${said.split('\t')[0]} --unset-all ${key} && ${INSTALL}`
  return [broken(name, `${key} is something else: ${driver}`, isOurs ? INSTALL : unset)]
}

/** Main, linked and sparse worktrees, bare repositories. */
export async function attributes(
  { repository, settings, probes, install }: SetupContext,
  worktrees: readonly WorktreeInfo[],
): Promise<Finding> {
  const name = 'attributes'
  const path = ledgerPaths(settings.root).current
  const without: string[] = []
  for (const worktree of worktrees) {
    const value = await probes.attributeIn(worktree, 'merge', path)
    if (value !== 'ledger') without.push(`${worktree.path} (merge: ${value})`)
  }
  if (without.length === 0)
    return ok(name, `merge=ledger in ${count(worktrees.length, 'worktree')}`)
  const own = `${repository.place.commonDir}/info/attributes`
  const { changes } = await install({ local: true, dryRun: true })
  const isOverruled = changes.every((change) => change.path !== own)
  return broken(
    name,
    `${path} has no merge=ledger in ${without.join(', ')}`,
    isOverruled ? `remove the line after ours that says otherwise, in ${own}` : INSTALL,
  )
}

async function attributesCommitted({ repository, files }: DoctorContext): Promise<Finding> {
  const name = 'attributes-committed'
  if (await isAdopted(repository)) {
    return ok(name, '.gitattributes is committed: other clones have it')
  }
  const { top } = repository.place
  const what = 'HEAD has no merge=ledger in .gitattributes: it holds in this clone only'
  if (top === undefined) {
    if ((await repository.history.head()).oid === undefined) return ok(name, 'no commit yet')
    return warning(name, what, `in a clone: ${INSTALL}, commit what it lists, and push`)
  }
  const isWritten = hasBlock(files.read(`${top}/.gitattributes`) ?? '')
  const commit = 'git add :/.gitattributes && git commit'
  return warning(name, what, isWritten ? commit : `${INSTALL} && ${commit}`)
}

/** Two branches with one event each, merged by the user's git with the user's configuration. */
async function trialMerge(context: DoctorContext): Promise<Finding> {
  const name = 'driver-merge'
  const { gits, probes, settings } = context
  if (!isAtLeast(gits.running, TRIAL_SINCE)) {
    return warning(
      name,
      `not tried: git ${gits.running} cannot merge without a worktree`,
      `install git ${TRIAL_SINCE} or newer`,
    )
  }
  const { answer, merged } = await probes.withScratchObjects((scratch) =>
    mergeTwoEvents(scratch, settings.root),
  )
  const isWhole = DONE.every((done) => merged.includes(`- [x] ${done}\n`))
  if (answer.isClean && isWhole && !merged.includes('<<<<<<<')) {
    return ok(name, 'a trial merge kept both sides')
  }
  const what = answer.isClean ? 'lost a side' : 'ended in a conflict'
  const said = answer.said === '' ? '' : `: ${answer.said}`
  return broken(name, `a trial merge ${what}${said}`, INSTALL)
}

const THEN = instantFromMillis(0)
const DONE = ['on one side', 'on the other side']

async function mergeTwoEvents(
  repository: RepositoryPort,
  root: string,
): Promise<{ answer: MergeAnswer; merged: string }> {
  const base = await commitWith(repository, root, [], undefined)
  const [ours, theirs] = [
    await commitWith(repository, root, [DONE[0] ?? ''], base),
    await commitWith(repository, root, [DONE[1] ?? ''], base),
  ]
  const answer = await repository.history.mergeWithDriver(ours, theirs)
  const blob =
    answer.tree === undefined
      ? undefined
      : await repository.objects.find(`${answer.tree}:${ledgerPaths(root).current}`)
  return { answer, merged: Buffer.from(blob?.content ?? []).toString('utf8') }
}

/** A commit that holds nothing but a fresh ledger with these events. */
async function commitWith(
  repository: RepositoryPort,
  root: string,
  done: readonly string[],
  parent: string | undefined,
): Promise<string> {
  const keep = { mode: '100644', name: '.gitkeep', oid: await repository.writeBlob('') }
  const events = []
  for (const text of done) {
    const event = renderEvent({ ts: formatInstant(THEN), agent: 'doctor', thisSession: [text] })
    const name = eventFileName(THEN, 'doctor', event)
    events.push({ mode: '100644', name, oid: await repository.writeBlob(event) })
  }
  const eventsTree = await repository.writeTree([keep, ...events])
  const rendering = renderEvents(await readEventsTree(repository.objects, eventsTree))
  let tree = await repository.writeTree([
    { mode: '100644', name: 'current.md', oid: await repository.writeBlob(rendering) },
    { mode: TREE_MODE, name: 'events', oid: eventsTree },
  ])
  for (const folder of root.split('/').toReversed()) {
    tree = await repository.writeTree([{ mode: TREE_MODE, name: textToName(folder), oid: tree }])
  }
  return repository.commits.create(tree, parent, 'ledger-git doctor')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
