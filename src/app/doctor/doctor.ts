/** `doctor`: does everything that ledger-git relies on really hold in this repository? */

import { LedgerError } from '../../core/errors/errors.ts'
import { checkAgents } from './agents.ts'
import { withoutEffects } from './causes.ts'
import type { DoctorContext } from './context.ts'
import { checkFormatters } from './formatters.ts'
import type { Finding } from './finding.ts'
import { broken } from './finding.ts'
import { checkHooks } from './hooks.ts'
import { installationFinding, neverSetUp } from './installation.ts'
import { checkLedgerFiles } from './ledger.ts'
import { look } from './look.ts'
import { checkMerging } from './merging.ts'
import { checkObjects } from './objects.ts'
import { checkLauncher, checkPrograms } from './programs.ts'

/** Every finding, good ones too. */
export async function examine(context: DoctorContext): Promise<Finding[]> {
  const checks: (() => Promise<Finding[]> | Finding[])[] = [
    () => checkPrograms(context),
    () => checkSetUp(context),
    () => checkAgents(context),
    () => checkObjects(context),
    () => checkLedgerFiles(context),
    () => checkFormatters(context),
  ]
  const findings: Finding[] = []
  for (const check of checks) findings.push(...(await orWhyNot(check)))
  return withoutEffects(findings)
}

/** What `install` sets up. */
async function checkSetUp(context: DoctorContext): Promise<Finding[]> {
  // What cannot be read decides where the ledger is.
  if (context.settingsError !== undefined) return []
  const seen = await look(context, await context.probes.worktrees())
  if (seen === undefined) return [await neverSetUp(context)]
  return [
    ...(await checkLauncher(seen.launcher, context)),
    ...(await checkMerging(seen, context)),
    installationFinding(seen.installation, context),
    ...(await checkHooks(seen, context)),
  ]
}

/** A check that cannot be made is a finding itself. */
async function orWhyNot(check: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return [broken('unchecked', error.message, error.next ?? 'see the message')]
  }
}
