/** `doctor`: does everything that ledger-git relies on really hold in this repository? */

import { checkAgents } from './agents.ts'
import type { DoctorContext } from './context.ts'
import { checkFormatters } from './formatters.ts'
import type { Finding } from './finding.ts'
import { broken } from './finding.ts'
import { checkHooks } from './hooks.ts'
import { checkLedgerFiles } from './ledger.ts'
import { checkMerging } from './merging.ts'
import { checkObjects } from './objects.ts'
import { checkPrograms } from './programs.ts'
import { LedgerError } from '../../core/errors.ts'

const CHECKS: Readonly<Record<string, (context: DoctorContext) => Promise<Finding[]>>> = {
  programs: checkPrograms,
  merging: checkMerging,
  hooks: checkHooks,
  agents: checkAgents,
  'ledger-files': checkLedgerFiles,
  formatters: checkFormatters,
  objects: checkObjects,
}

/** Every finding, good ones too. One that cannot be made is a finding itself. */
export async function examine(context: DoctorContext): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await check(context)))
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      findings.push(broken(name, error.message, error.next ?? 'see the message'))
    }
  }
  return findings
}
