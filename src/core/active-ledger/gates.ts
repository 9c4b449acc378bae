/** Validation gates: how a result changes the ledger, and whether it stops the work. */

import type { Validation } from './active-ledger.ts'

export const GATES = ['design', 'spec', 'plan-structure', 'plan-execution', 'completion'] as const
export type GateName = (typeof GATES)[number]

export const GATE_RESULTS = ['pass', 'warn', 'fail'] as const
export type GateResult = (typeof GATE_RESULTS)[number]

/** Gates that stop the work in a full run when they fail; the others only warn. */
const HALTS: ReadonlySet<string> = new Set<GateName>(['design', 'plan-execution', 'completion'])

/** Results as the history of gates shows them. */
export const STATUSES: Readonly<Record<GateResult, string>> = {
  pass: '✅ PASS',
  warn: '⚠️ WARN',
  fail: '❌ FAIL',
}

/** How often a failed gate is retried before a person decides. */
export const MAX_RETRIES = 2

export interface Judged {
  readonly validation: Validation
  /** True when the work must stop. */
  readonly isHalt: boolean
  /** True when the retries are used up. */
  readonly needsHuman: boolean
}

/** The new validation state after a gate's result. `isFull`: a full run, in which some gates stop the work. */
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
  // Retries are counted for the current gate only.
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
