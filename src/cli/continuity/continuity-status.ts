/** Reading the active ledger: `continuity status` and `continuity search`. */

import { livingOwner, nowOf, readActive } from '../../app/active-ledger/active-file.ts'
import { searchActive } from '../../app/active-ledger/search-active.ts'
import type { ActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { isStaleLedger, isStaleSession } from '../../core/active-ledger/active-ledger.ts'
import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import { safeText } from '../command/format.ts'
import { continuityCommand } from './continuity.ts'

export const continuityStatus = continuityCommand({
  name: 'status',
  describe: 'Show what the active ledger is bound to, how old it is, and the state of its gates',
  examples: [['ledger-git continuity status', 'the state of this worktree']],
  run: async (input, { open, active }) => {
    const path = open.fromHere(ACTIVE_FILE)
    const found = await readActive(active)
    const ledger = found?.ledger
    const now = nowOf(active)
    const about = {
      path,
      exists: ledger !== undefined,
      stale: ledger !== undefined && isStaleLedger(ledger, now),
      session_stale: ledger !== undefined && isStaleSession(ledger, now),
      owner_alive: ledger !== undefined && livingOwner(active, ledger) !== undefined,
      ledger,
    }
    const none = [input.context.named('no active ledger; next: ledger-git continuity load')]
    const said = ledger === undefined ? none : lines(ledger, about)
    input.print(
      about,
      said.map((line) => safeText(line, 400)),
    )
  },
})

function lines(
  ledger: ActiveLedger,
  { path, stale, session_stale }: { path: string; stale: boolean; session_stale: boolean },
): string[] {
  const { validation } = ledger
  const { current_gate: gate, retries, last_failure: failure } = validation
  return [
    `${path}: updated ${ledger.updated ?? 'at an unknown time'}${stale ? ' (stale: the next load archives it)' : ''}`,
    `session ${ledger.session_id ?? 'unknown'} (${ledger.platform ?? 'unknown'}), heartbeat ${ledger.heartbeat ?? 'none'}${session_stale ? ' (stale)' : ''}`,
    `track ${ledger.bound_track ?? 'none'}, bead ${ledger.bound_bead ?? 'none'}, mode ${ledger.mode ?? 'none'}, tdd ${ledger.tdd_phase ?? 'none'}`,
    `gates passed: ${validation.gates_passed.join(', ') || 'none'}`,
    ...(gate === null
      ? []
      : [`gate ${gate}: retry ${retries}, last failure: ${failure ?? 'unknown'}`]),
    ...(ledger.goal === null ? [] : [`goal: ${ledger.goal}`]),
    ...ledger.now.map((item) => `now: ${item}`),
  ]
}

export const continuitySearch = continuityCommand({
  name: 'search',
  words: { '<text>': 'what to look for, in upper or lower case' },
  describe: 'Search the active ledger, its archive, handoffs and events',
  examples: [['ledger-git continuity search "refresh token"', 'what was said about it']],
  run: async (input, { open, active }) => {
    const text = input.word('text')
    const matches = text.trim() === '' ? [] : await searchActive(active, text)
    const found = matches.map((match) => ({ ...match, path: open.fromHere(match.path) }))
    if (found.length === 0) input.say('ledger-git: nothing was found')
    input.print(
      { text, matches: found },
      found.map(({ path, line, text }) => safeText(`${path}:${line}: ${text}`, 400)),
    )
  },
})
