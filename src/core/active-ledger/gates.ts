/** Validation gates: what a result makes of the ledger, and whether it stops the work. */

import type { Validation } from './active-ledger.ts'

export const GATES = ['design', 'spec', 'plan-structure', 'plan-execution', 'completion'] as const
export type GateName = (typeof GATES)[number]

export const GATE_RESULTS = ['pass', 'warn', 'fail'] as const
export type GateResult = (typeof GATE_RESULTS)[number]

/** Those that stop the work in a full run; the others only warn. */
const HALTS: ReadonlySet<string> = new Set<GateName>(['design', 'plan-execution', 'completion'])

/** As the history of gates shows it. */
export const STATUSES: Readonly<Record<GateResult, string>> = {
  pass: '✅ PASS',
  warn: '⚠️ WARN',
  fail: '❌ FAIL',
}

/** A failed gate is tried again so often; then a person decides. */
export const MAX_RETRIES = 2

export interface Judged {
  readonly validation: Validation
  /** The work must not go on as it is. */
  readonly isHalt: boolean
  /** It was tried as often as it may be. */
  readonly needsHuman: boolean
}

export function judgeGate(
  before: Validation,
  gate: GateName,
  { result, isFull, notes }: { result: GateResult; isFull: boolean; notes: string | undefined },
): Judged {
  const { gates_passed: passed } = before
  const goesOn = { isHalt: false, needsHuman: false }
  if (result === 'pass') {
    const gates_passed = passed.includes(gate) ? passed : [...passed, gate]
    return {
      ...goesOn,
      validation: { gates_passed, current_gate: null, retries: 0, last_failure: null },
    }
  }
  // Retries are those of the current gate.
  const retries = before.current_gate === gate ? before.retries : 0
  if (result === 'warn') {
    return { ...goesOn, validation: { ...before, current_gate: null, retries: 0 } }
  }
  const last_failure = notes ?? `${gate} failed`
  const failed = {
    ...before,
    gates_passed: passed.filter((one) => one !== gate),
    current_gate: gate,
    last_failure,
  }
  if (!isFull || !HALTS.has(gate)) return { ...goesOn, validation: { ...failed, retries } }
  const needsHuman = retries >= MAX_RETRIES
  return {
    isHalt: true,
    needsHuman,
    validation: { ...failed, retries: Math.min(retries + 1, MAX_RETRIES) },
  }
}
