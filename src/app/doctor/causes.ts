/** One cause is one finding: what only follows from another finding is not listed. Pure. */

import type { Finding } from './finding.ts'
import { isAmiss } from './finding.ts'

/** Where the first is amiss, the second says nothing new. Of two alike, the one that comes first counts. */
const FOLLOWS: readonly (readonly [cause: string, effects: RegExp])[] = [
  ['settings', /^(?:ignored|ledger|events|damage|clock|formatters|objects)$/],
  ['git-version', /^driver-merge$/],
  ['environment', /^(?:driver-merge|hook-.*|pending-events)$/],
  ['launcher', /^(?:launcher-without-path|driver-merge|installation|hook-.*|pending-events)$/],
  // Another command than the recorded one was found, by a PATH that others do not have.
  ['launcher-without-path', /^(?:launcher|installation)$/],
  ['driver-config', /^(?:driver-merge|installation)$/],
  ['attributes', /^(?:driver-merge|attributes-committed|installation)$/],
  ['driver-merge', /^installation$/],
  ['installation', /^pending-events$/],
  ['hooks-folder', /^(?:hook-.*|pending-events)$/],
  ['hook-pre-commit', /^pending-events$/],
  ['pending-events', /^installation$/],
  ['objects', /^unchecked$/],
]

export function withoutEffects(findings: readonly Finding[]): Finding[] {
  const amiss = distinct(findings.filter(isAmiss))
  const isEffect = (effect: Finding, at: number) => {
    const causes = new Set(
      FOLLOWS.flatMap(([cause, effects]) => (effects.test(effect.name) ? cause : [])),
    )
    return amiss.some(
      (cause, i) => causes.has(cause.name) && weight(cause, -i) > weight(effect, -at),
    )
  }
  const effects = new Set(amiss.filter(isEffect))
  return findings.filter(
    (finding) => !isAmiss(finding) || (amiss.includes(finding) && !effects.has(finding)),
  )
}

/** What is broken outweighs a warning; of two alike, the first. */
function weight({ status }: Finding, place: number): number {
  return (status === 'broken' ? 1e6 : 0) + place
}

/** Several checks may fail in the same words. */
function distinct(findings: readonly Finding[]): Finding[] {
  const said = new Set<string>()
  return findings.filter(({ name, message }) => {
    const key = `${name} ${message}`
    return !said.has(key) && said.add(key)
  })
}
