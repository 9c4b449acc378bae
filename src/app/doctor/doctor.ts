/** `doctor`: does everything on which ledger-git relies really work in this repository? */

import { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { install } from '../setup/install.ts'
import type { Setup } from '../setup/setup.ts'
import { isAdopted } from '../setup/setup.ts'
import { agentsToFix, checkAgents } from './agents.ts'
import { attributesCommitted } from './attributes-committed.ts'
import { checkContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, withoutEffects } from './finding.ts'
import { checkFormatters, checkLedgerFiles, checkObjects, writtenPlaces } from './ledger.ts'
import { environment, installationFinding, look, neverSetUp } from './look.ts'
import { checkSessions, checkSummarizer, endSessions } from './sessions.ts'
import { checkTracker } from './tracker.ts'
import { tryLauncher, tryMerge, tryWithoutPath, versions } from './try-driver.ts'
import { hooksInWorktrees, tryCommit, tryHooks } from './try-hooks.ts'

/** Runs a check. If it cannot be made, that is itself a finding, and the other checks still run. */
type Attempt = (name: string, check: () => Findings) => Promise<Finding[]>
type Findings = Promise<Finding | Finding[]> | Finding[]
type Check = (setup: Setup, attempt: Attempt) => Findings

/** Each check has the name of a finding that is missing if the check cannot be made. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['environment', (setup) => [...versions(setup), environment(setup)]],
  ['worktrees', checkWorktrees],
  ['installation', checkSetUp],
  ['agent-hooks', checkAgents],
  ['context', checkContext],
  ['sessions', checkSessions],
  ['summarizer', checkSummarizer],
  ['tracker', checkTracker],
  ['objects', checkObjects],
  ['ledger', checkLedgerFiles],
  ['formatters', checkFormatters],
]

/** All findings, including the good ones. */
export async function examine(setup: Setup): Promise<Finding[]> {
  const unchecked = new Map<string, { readonly fix: string; readonly names: string[] }>()
  const attempt: Attempt = async (name, check) => {
    try {
      return [await check()].flat()
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      const { message, next: fix = 'see the message' } = error
      const names = [...(unchecked.get(message)?.names ?? []), name]
      unchecked.set(message, { fix, names })
      return []
    }
  }
  const findings: Finding[] = []
  for (const [name, check] of CHECKS) {
    findings.push(...(await attempt(name, () => check(setup, attempt))))
  }
  // These come after the findings that may be the cause.
  const others = [...unchecked].map(([message, { fix, names }]) =>
    broken('unchecked', `${message} (not checked: ${names.join(', ')})`, fix),
  )
  return withoutEffects([...findings, ...others])
}

/** Git does not check other worktrees, and from a damaged index it commits things that nobody staged. */
async function checkWorktrees({ probes }: Setup): Promise<Finding[]> {
  const name = 'worktrees'
  const damaged = await probes.damagedWorktrees()
  if (damaged.length === 0) return [ok(name, 'git can work in all of them')]
  const what = damaged.map(({ message }) => message).join('; ')
  return [broken(name, what, [...new Set(damaged.map(({ command }) => command))].join(' && '))]
}

/** Checks what `install` sets up. */
async function checkSetUp(setup: Setup, attempt: Attempt): Promise<Finding[]> {
  // The unreadable settings decide where the ledger is.
  if (setup.settingsError !== undefined) return []
  const seen = await look(setup, await setup.probes.worktrees())
  if (seen === undefined) return [await neverSetUp(setup)]
  const launcher =
    seen.launcher === undefined
      ? [await tryLauncher(setup), await tryWithoutPath(setup)]
      : [seen.launcher]
  return [
    ...launcher,
    ...seen.driver,
    ...(await attempt('attributes-committed', () => attributesCommitted(setup))),
    ...(await attempt('driver-merge', () => tryMerge(setup))),
    installationFinding(seen.installation, setup),
    seen.hooksFolder,
    ...(await tryHooks(seen, setup)),
    await hooksInWorktrees(setup),
    ...(await attempt('pending-events', () => tryCommit(setup))),
  ]
}

/**
 * `doctor --fix`: fixes what needs no decision by the user. Only our own files are touched, never history. Returns one
 * line for each thing that was done.
 */
export async function fixFindings(findings: readonly Finding[], setup: Setup): Promise<string[]> {
  const { probes, settingsError, repository, files } = setup
  const left = probes.removeLeftBehind(...(await writtenPlaces(setup)))
  const removed = left.map((path) => `removed ${path}`)
  // With broken settings, it is unknown where the ledger is.
  if (settingsError !== undefined) return removed
  const done = [...removed, ...(await endSessions(findings, setup))]
  if (!findings.some(({ fix }) => fix?.startsWith(INSTALL))) {
    return done
  }
  // A repair adds no tracked files to a repository that never adopted ledger-git.
  const { top } = repository.place
  const isWritten = top !== undefined && hasBlock(files.read(`${top}/.gitattributes`) ?? '')
  const local = !isWritten && !(await isAdopted(repository))
  const agents = local ? [] : agentsToFix(setup)
  const { changes } = await install(setup, { local, agents, dryRun: false })
  return [...done, ...changes.map(({ change, path }) => `${change} ${path}`)]
}
