/** `check` without the command-line library: its plain arguments, and its output. */

import type { CheckReport, CheckTarget } from '../../app/ledger/check.ts'
import { jsonText } from '../command/format.ts'

/** Undefined for arguments that need the full parser: help, ranges, anything that may be a mistake. */
export function parseCheckArgs(
  words: readonly string[],
): { target: CheckTarget; json: boolean } | undefined {
  const json = words.includes('--json')
  const [first, second, ...rest] = words.filter((word) => word !== '--json')
  if (rest.length > 0) return undefined
  if (first === '--rev' && second !== undefined && /^[^-]/.test(second.trim())) {
    return { target: { kind: 'rev', rev: second }, json }
  }
  if (second !== undefined) return undefined
  if (first === undefined || first === '--worktree') return { target: { kind: 'worktree' }, json }
  return first === '--staged' ? { target: { kind: 'staged' }, json } : undefined
}

/** `hidden`: why git does not see the ledger, and the step that helps. */
export function checkOutput(
  report: CheckReport,
  json: boolean,
  hidden?: { readonly message: string; readonly fix: string | null },
): { out: string; talk: string } {
  const { fresh, pending } = report
  const checked =
    hidden === undefined
      ? report.checked
      : report.checked.map((one) => ({ ...one, reason: hidden.message }))
  const damage = damageWarning(report.damaged)
  if (json) return { out: jsonText({ fresh, checked }), talk: damage }
  const lines = checked.map(({ rev, where, fresh, reason }) => {
    const name = rev === null ? where : rev.slice(0, 12)
    return `${name}: ${fresh ? 'fresh' : 'stale'}: ${reason}\n`
  })
  const isDone = checked.some(({ where }) => where === 'commit')
  const waiting = pending.length > 0 ? `${pending.length} pending (in no commit yet)\n` : ''
  const resolve = `ledger-git resolve${isDone ? ' --commit' : ''}`
  const next = fresh ? '' : `next: ${hidden?.fix ?? resolve}\n`
  return { out: lines.join(''), talk: waiting + damage + next }
}

/** History was rewritten, or changed without our hooks. It needs to be settled once, and is never a failure. */
function damageWarning(damaged: readonly string[]): string {
  const [first] = damaged
  if (first === undefined) return ''
  const more = damaged.length === 1 ? '' : ` (and ${damaged.length - 1} more)`
  const one = damaged.length === 1 ? first : '--all'
  return (
    `warning: ${first}${more} does not hold the content that its name was made from\n` +
    `  next: ledger-git event restore ${first} restores its original text; ` +
    `ledger-git event accept ${one} accepts it as it is\n`
  )
}
