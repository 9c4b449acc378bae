/** `doctor`: does everything that ledger-git relies on really hold in this repository? */

import { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { install } from '../setup/install.ts'
import type { Setup } from '../setup/setup.ts'
import { isAdopted } from '../setup/setup.ts'
import { agentsToFix, checkAgents } from './agents.ts'
import { checkContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, withoutEffects } from './finding.ts'
import { checkFormatters, checkLedgerFiles, checkObjects, writtenPlaces } from './ledger.ts'
import { environment, installationFinding, look, neverSetUp } from './look.ts'
import { checkSessions, checkSummarizer, endSessions } from './sessions.ts'
import { checkTracker } from './tracker.ts'
import {
  attributesCommitted,
  tryLauncher,
  tryMerge,
  tryWithoutPath,
  versions,
} from './try-driver.ts'
import { hooksInWorktrees, tryCommit, tryHooks } from './try-hooks.ts'

type Check = (setup: Setup) => Promise<Finding[]> | Finding[]

const CHECKS: readonly Check[] = [
  (setup) => [...versions(setup), environment(setup)],
  checkWorktrees,
  checkSetUp,
  checkAgents,
  checkContext,
  checkSessions,
  checkSummarizer,
  checkTracker,
  checkObjects,
  checkLedgerFiles,
  checkFormatters,
]

/** Every finding, good ones too. */
export async function examine(setup: Setup): Promise<Finding[]> {
  const findings: Finding[] = []
  const unchecked: Finding[] = []
  for (const check of CHECKS) {
    try {
      findings.push(...(await check(setup)))
    } catch (error) {
      // A check that cannot be made is a finding itself, behind what may be the cause.
      if (!(error instanceof LedgerError)) throw error
      unchecked.push(broken('unchecked', error.message, error.next ?? 'see the message'))
    }
  }
  return withoutEffects([...findings, ...unchecked])
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
async function checkSetUp(setup: Setup): Promise<Finding[]> {
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
    await attributesCommitted(setup),
    await tryMerge(setup),
    installationFinding(seen.installation, setup),
    seen.hooksFolder,
    ...(await tryHooks(seen, setup)),
    await hooksInWorktrees(setup),
    ...(await tryCommit(setup)),
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
