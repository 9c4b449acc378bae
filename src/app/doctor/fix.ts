/** `doctor --fix`: what can be mended without a decision. Files of ours only; never history. */

import { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { isAdopted } from '../setup/adoption.ts'
import { agentsToMend } from './agents.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { INSTALL } from './finding.ts'
import { foldersOf, lockFiles } from './ledger.ts'

/** Says what was done, a line each. */
export async function mend(
  findings: readonly Finding[],
  context: DoctorContext,
): Promise<string[]> {
  const done: string[] = []
  for (const path of lockFiles(context)) if (unlock(path, context)) done.push(`removed ${path}`)
  const left = context.probes.removeLeftBehind(await foldersOf(context))
  done.push(...left.map((path) => `removed ${path}`))
  // With broken settings nobody knows where the ledger is.
  const isMendable = context.settingsError === undefined
  if (isMendable && findings.some(({ fix }) => fix?.startsWith(INSTALL) === true)) {
    const local = !(await isTakenUp(context))
    const agents = local ? [] : agentsToMend(context)
    const { changes } = await context.install({ local, agents, dryRun: false })
    done.push(...changes.map(({ change, path }) => `${change} ${path}`))
  }
  return done
}

/** False also for a lock that another user has to remove: the next look names it. */
function unlock(path: string, { probes }: DoctorContext): boolean {
  try {
    if (probes.lockState(path) !== 'stale') return false
    probes.removeDeadLock(path)
    return true
  } catch (error) {
    if (error instanceof LedgerError) return false
    throw error
  }
}

/** A repository that never took ledger-git up gets no tracked files from a repair. */
async function isTakenUp({ repository, files }: DoctorContext): Promise<boolean> {
  const { top } = repository.place
  if (top !== undefined && hasBlock(files.read(`${top}/.gitattributes`) ?? '')) return true
  return isAdopted(repository)
}
