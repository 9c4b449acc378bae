/** Sessions of coding agents: has each one an end whose agent is gone, and who summarizes them? */

import { shellWord } from '../../core/text/shell-word.ts'
import { SUMMARIZER } from '../report/summaries.ts'
import type { BrokenRef } from '../shadow/session-ports.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, ok, someOf, warning } from './finding.ts'

export async function checkSessions({ sessions }: Setup): Promise<Finding[]> {
  const name = 'sessions'
  const damaged = (await sessions.damaged()).map(({ file, reason, keptAs }) =>
    broken(
      name,
      `${file} ${reason}`,
      keptAs === undefined ? 'ledger-git session list' : `rm ${shellWord(keptAs)}`,
    ),
  )
  damaged.push(...(await sessions.brokenRefs()).map(brokenRef))
  const unended = await sessions.unended()
  if (unended.length === 0 && damaged.length > 0) return damaged
  if (unended.length === 0) return [ok(name, 'none is open whose agent is gone')]
  const what = `open, and their agents are gone: ${someOf(unended)}`
  return [...damaged, warning(name, what, 'ledger-git doctor --fix')]
}

/** Git does not remove such a ref itself. */
function brokenRef({ name, file, last }: BrokenRef): Finding {
  const what = `${name} says nothing, as a loss of power leaves it: git gc fails, and what it held is in no ref`
  const back = last === undefined ? '' : ` && git update-ref ${name} ${last}`
  return broken('sessions', what, `rm ${shellWord(file)}${back}`)
}

/** A line for each session that ended. */
export async function endSessions(
  findings: readonly Finding[],
  { sessions }: Setup,
): Promise<string[]> {
  if (!findings.some(({ name, status }) => name === 'sessions' && status !== 'ok')) return []
  return (await sessions.end()).map((id) => `ended session ${id}; its event is pending`)
}

/** A setting that names a command: used, or refused and why. */
export async function checkSummarizer({ repository }: Setup): Promise<Finding[]> {
  const found = await repository.personalConfig(SUMMARIZER)
  if (found === undefined) return []
  if (found.kind === 'value')
    return [ok('summarizer', `sessions are summarized by: ${found.value}`)]
  const why = `${SUMMARIZER} is not used: it is set in ${found.origin}, which a commit can change`
  const fix = `take ${SUMMARIZER} out of ${found.origin}; git config --global ${SUMMARIZER} COMMAND sets yours`
  return [warning('summarizer', why, fix)]
}
