/** Tries out programs, launcher and merge driver: do they work here? */

import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { textToName } from '../../core/git/objects.ts'
import { isAtLeast } from '../../core/text/version.ts'
import { placeOfBlobs, putIntoTree } from '../commit/commit-tree.ts'
import { eventsOf, ledgerPaths } from '../ledger/ledger-sources.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, warning } from './finding.ts'

const OLDEST = { git: '2.34', node: '20.19' }
/** The first git with `merge-tree --write-tree`. */
const TRIAL_SINCE = '2.38'

export function versions({ gits, nodeVersion }: Setup): Finding[] {
  const others = gits.others.filter((version) => version !== gits.running)
  const also = others.length === 0 ? '' : `; also on this machine: ${others.join(', ')}`
  const install = (program: string, oldest: string) => `install ${program} ${oldest} or newer`
  const git = `git ${gits.running}`
  const node = `Node ${nodeVersion}`
  return [
    isAtLeast(gits.running, OLDEST.git)
      ? ok('git-version', git + also)
      : broken('git-version', `${git} is too old${also}`, install('git', OLDEST.git)),
    isAtLeast(nodeVersion, OLDEST.node)
      ? ok('node-version', node)
      : broken('node-version', `${node} is too old`, install('Node', OLDEST.node)),
  ]
}

/** Can the recorded Node and command still be started? */
export async function tryLauncher({ repository, files, probes, version }: Setup): Promise<Finding> {
  const name = 'launcher'
  const folder = `${repository.place.commonDir}/ledger-git`
  const [node = '', cli = ''] = (files.read(`${folder}/launch`) ?? '').split('\n')
  const gone = [node, cli].filter((path) => files.kind(path) === 'absent')
  const { status, said } = await probes.run(`${folder}/run`, ['--version'], probes.env)
  if (status !== 0) return broken(name, `it cannot start ledger-git: ${said}`, INSTALL)
  if (gone.length > 0) {
    return warning(name, `${gone.join(' and ')} is gone; another was found`, INSTALL)
  }
  return said === version
    ? ok(name, `starts ledger-git ${said}`)
    : warning(name, `hooks start ledger-git ${said}, you typed ${version}`, INSTALL)
}

/** Starts the launcher as a GUI client, cron or a service would: with a minimal PATH, without nvm. */
export async function tryWithoutPath({ repository, probes, env }: Setup): Promise<Finding> {
  const name = 'launcher-without-path'
  const program = `${repository.place.commonDir}/ledger-git/run`
  const bare = { HOME: env['HOME'], PATH: '/usr/bin:/bin' }
  const { status, said } = await probes.run(program, ['--version'], bare)
  return status === 0
    ? ok(name, 'starts as from a GUI client too')
    : broken(name, `cannot start with PATH=/usr/bin:/bin, as from a GUI client: ${said}`, INSTALL)
}

const TRIAL_TIME = instantFromMillis(0)
const SIDES = ['on one side', 'on the other side'] as const

/** Name of the trial handoff. */
const TRIAL = 'doctor'
const handoffText = (done: readonly string[]) =>
  `# Trial\n\n## Ledger\n\n### This Session\n${done.map((item) => `- [x] ${item}\n`).join('')}`

/**
 * Merges two branches with the user's git and configuration. Each branch has one event, and a handoff that says the
 * same.
 */
export async function tryMerge({ gits, probes, settings: { root } }: Setup): Promise<Finding> {
  const name = 'driver-merge'
  if (!isAtLeast(gits.running, TRIAL_SINCE)) {
    const what = `not tried: git ${gits.running} cannot merge without a worktree`
    return warning(name, what, `install git ${TRIAL_SINCE} or newer`)
  }
  return probes.withScratchObjects(async (repository) => {
    const base = await commitWith(repository, root, undefined)
    const ours = await commitWith(repository, root, base, SIDES[0])
    const theirs = await commitWith(repository, root, base, SIDES[1])
    const { tree, isClean, said } = await repository.history.mergeTrees(ours, theirs, {
      ledger: true,
    })
    const holdsBoth = async (path: string) => {
      const blob = tree === undefined ? undefined : await repository.objects.find(`${tree}:${path}`)
      const merged = Buffer.from(blob?.content ?? []).toString('utf8')
      const isWhole = SIDES.every((done) => merged.includes(`- [x] ${done}\n`))
      return isWhole && !merged.includes('<<<<<<<')
    }
    const isLedgerWhole = await holdsBoth(ledgerPaths(root).current)
    const isHandoffWhole = await holdsBoth(ledgerPaths(`${root}/${TRIAL}`).current)
    if (isClean && isLedgerWhole && isHandoffWhole) {
      return ok(name, 'a trial merge kept both sides, of the ledger and of a handoff')
    }
    const unwritten = /Unable to create temporary file '(.+)': (.+)/.exec(said)
    if (unwritten !== null) {
      const [, file = '', why = ''] = unwritten
      const folder = file.slice(0, file.lastIndexOf('/'))
      const what = `not tried: git cannot write into ${folder} (${why}), so it can merge nothing there`
      return broken(name, what, `make ${folder} writable for you`)
    }
    const of = isLedgerWhole && !isHandoffWhole ? ' of a handoff' : ''
    const what = isClean ? 'lost a side' : 'ended in a conflict'
    return broken(name, `a trial merge${of} ${what}${said === '' ? '' : `: ${said}`}`, INSTALL)
  })
}

/** Makes a commit with only a handoff and a fresh ledger, both of which say `done`. */
async function commitWith(
  repository: RepositoryPort,
  root: string,
  parent: string | undefined,
  done?: string,
): Promise<string> {
  const { commits, objects, place, writer } = repository
  const { current, events } = ledgerPaths(root)
  const thisSession = done === undefined ? [] : [done]
  const texts = new Map([
    [`${events}/.gitkeep`, ''],
    [ledgerPaths(`${root}/${TRIAL}`).current, handoffText(thisSession)],
  ])
  if (done !== undefined) {
    const event = renderEvent({ ts: formatInstant(TRIAL_TIME), agent: 'doctor', thisSession })
    texts.set(`${events}/${eventFileName(TRIAL_TIME, 'doctor', event)}`, event)
  }
  const blobs = new Map([...texts].map(([path, text]) => [textToName(path), blobOf(text)]))
  writer.flush()
  const rendering = renderEvents(await eventsOf(objects, placeOfBlobs(blobs, root, place.format)))
  blobs.set(textToName(current), blobOf(rendering))
  const entries = [...blobs].map(([path, after]) => ({ path, after }))
  const tree = (await putIntoTree(repository, undefined, entries)) ?? ''
  writer.flush()
  return commits.create(tree, parent, 'ledger-git doctor')

  function blobOf(text: string) {
    const [oid = ''] = writer.blobs([text])
    return { mode: '100644', oid }
  }
}
