/** Why git does not see a ledger that exists, in the words of `doctor`. */

import type { Finding } from '../../app/doctor/finding.ts'
import { isBroken } from '../../app/doctor/finding.ts'
import { ignored } from '../../app/doctor/ledger.ts'
import type { Input } from '../command/command.ts'

/** Undefined if git ignores nothing of the ledger. */
export async function hiddenLedger({ context }: Input): Promise<Finding | undefined> {
  const finding = await ignored(await context.setup())
  return isBroken(finding) ? finding : undefined
}
