/** Sessions of coding agents: has every session whose agent is gone been ended, and what summarizes them? */

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
  for (const { message, next } of await sessions.blocked())
    damaged.push(broken(name, `no checkpoint is written: ${message}`, next))
  const unended = await sessions.unended()
  if (unended.length === 0 && damaged.length > 0) return damaged
  if (unended.length === 0) return [ok(name, 'no session is open whose agent is gone')]
  const what = `open although their agents are gone: ${someOf(unended)}`
  return [...damaged, warning(name, what, 'ledger-git doctor --fix')]
}

/** Git does not remove a broken ref by itself. */
function brokenRef({ name, file, last }: BrokenRef): Finding {
  const what = `${name} is broken, as after a power failure: git gc fails, and no ref holds what it held`
  const back = last === undefined ? '' : ` && git update-ref ${name} ${last}`
  return broken('sessions', what, `rm ${shellWord(file)}${back}`)
}

/** Ends the sessions whose agents are gone; returns a line for each. */
export async function endSessions(
  findings: readonly Finding[],
  { sessions }: Setup,
): Promise<string[]> {
  if (!findings.some(({ name, status }) => name === 'sessions' && status !== 'ok')) return []
  return (await sessions.end()).map((id) => `ended session ${id}; its event is pending`)
}

/** Checks the setting that names the summarizer command: whether it is used, or why it is refused. */
export async function checkSummarizer({ repository }: Setup): Promise<Finding[]> {
  const found = await repository.personalConfig(SUMMARIZER)
  if (found === undefined) return []
  if (found.kind === 'value')
    return [ok('summarizer', `sessions are summarized by: ${found.value}`)]
  const why = `${SUMMARIZER} is not used: it is set in ${found.origin}, which a commit can change`
  const fix = `remove ${SUMMARIZER} from ${found.origin}; git config --global ${SUMMARIZER} COMMAND sets yours`
  return [warning('summarizer', why, fix)]
}
