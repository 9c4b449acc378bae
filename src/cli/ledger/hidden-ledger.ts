/** Why git sees nothing of a ledger that is there, in the words of `doctor`. */

import type { Finding } from '../../app/doctor/finding.ts'
import { isBroken } from '../../app/doctor/finding.ts'
import { ignored } from '../../app/doctor/ledger.ts'
import type { Input } from '../command/command.ts'

/** Undefined where git ignores nothing of it. */
export async function hiddenLedger({ context }: Input): Promise<Finding | undefined> {
  const finding = await ignored(await context.setup())
  return isBroken(finding) ? finding : undefined
}
