/** Settings of git's configuration that name a command: used, or refused and why. */

import { SUMMARIZER } from '../report/summaries.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { ok, warning } from './finding.ts'

export async function checkPersonal({ repository }: Setup): Promise<Finding[]> {
  const found = await repository.personalConfig(SUMMARIZER)
  if (found === undefined) return []
  if (found.kind === 'value')
    return [ok('summarizer', `sessions are summarized by: ${found.value}`)]
  const why = `${SUMMARIZER} is not used: it is set in ${found.origin}, which a commit can change`
  const fix = `take ${SUMMARIZER} out of ${found.origin}; git config --global ${SUMMARIZER} COMMAND sets yours`
  return [warning('summarizer', why, fix)]
}
