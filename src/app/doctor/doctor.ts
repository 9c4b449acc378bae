/** `doctor`: does everything that ledger-git relies on really hold in this repository? */

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

/** Makes a check; one that cannot be made is a finding itself, and keeps no other from being made. */
type Attempt = (name: string, check: () => Findings) => Promise<Finding[]>
type Findings = Promise<Finding | Finding[]> | Finding[]
type Check = (setup: Setup, attempt: Attempt) => Findings

/** By a finding that is missing where the check cannot be made. */
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

/** Every finding, good ones too. */
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
  // Behind what may be the cause.
  const others = [...unchecked].map(([message, { fix, names }]) =>
    broken('unchecked', `${message} (not checked: ${names.join(', ')})`, fix),
  )
  return withoutEffects([...findings, ...others])
}

/** Git does not look at the others, and commits from a damaged index what nobody put in. */
async function checkWorktrees({ probes }: Setup): Promise<Finding[]> {
  const name = 'worktrees'
  const damaged = await probes.damagedWorktrees()
  if (damaged.length === 0) return [ok(name, 'git can work in all that are there')]
  const what = damaged.map(({ message }) => message).join('; ')
  return [broken(name, what, [...new Set(damaged.map(({ command }) => command))].join(' && '))]
}

/** What `install` sets up. */
async function checkSetUp(setup: Setup, attempt: Attempt): Promise<Finding[]> {
  // What cannot be read decides where the ledger is.
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
 * `doctor --fix`: what can be fixed without a decision. Files of ours only; never history. Says what was
 * done, a line each.
 */
export async function fixFindings(findings: readonly Finding[], setup: Setup): Promise<string[]> {
  const { probes, settingsError, repository, files } = setup
  const left = probes.removeLeftBehind(...(await writtenPlaces(setup)))
  const removed = left.map((path) => `removed ${path}`)
  // With broken settings nobody knows where the ledger is.
  if (settingsError !== undefined) return removed
  const done = [...removed, ...(await endSessions(findings, setup))]
  if (!findings.some(({ fix }) => fix?.startsWith(INSTALL))) {
    return done
  }
  // A repository that never took ledger-git up gets no tracked files from a repair.
  const { top } = repository.place
  const isWritten = top !== undefined && hasBlock(files.read(`${top}/.gitattributes`) ?? '')
  const local = !isWritten && !(await isAdopted(repository))
  const agents = local ? [] : agentsToFix(setup)
  const { changes } = await install(setup, { local, agents, dryRun: false })
  return [...done, ...changes.map(({ change, path }) => `${change} ${path}`)]
}
