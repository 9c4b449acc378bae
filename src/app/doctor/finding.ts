/** One answer of `doctor`, and which answers say nothing new. Pure. */

export interface Finding {
  /** Stable, because scripts select findings by name (docs/doctor.md lists all names). */
  readonly name: string
  readonly status: 'ok' | 'warning' | 'broken'
  /** For people. */
  readonly message: string
  /** The command or step that fixes it; null if there is nothing to fix. */
  readonly fix: string | null
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message, fix: null }
}

export function warning(name: string, message: string, fix: string): Finding {
  return { name, status: 'warning', message, fix }
}

export function broken(name: string, message: string, fix: string): Finding {
  return { name, status: 'broken', message, fix }
}

export function isBroken(finding: Finding | undefined): finding is Finding {
  return finding?.status === 'broken'
}

export const INSTALL = 'ledger-git install'
export const UPGRADE = 'npm install ledger-git@latest'

/** The first five names of a list, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return `${names.slice(0, 5).join(', ')}${more}`
}

/** If the cause has a problem, the effects say nothing new. Of two findings with the same status, the first counts. */
const FOLLOWS: readonly (readonly [cause: string, effects: RegExp, only?: Finding['status']])[] = [
  ['settings', /^(?:ignored|ledger|events|damage|clock|formatters|objects)$/],
  ['git-version', /^driver-merge$/],
  ['environment', /^(?:driver-merge|hook-.*|pending-events)$/],
  ['launcher', /^(?:launcher-without-path|driver-merge|installation|hook-.*|pending-events)$/],
  // A command other than the recorded one was found through a PATH that other callers do not have.
  ['launcher-without-path', /^(?:launcher|installation)$/],
  ['driver-config', /^(?:driver-merge|installation)$/],
  ['attributes', /^(?:driver-merge|attributes-committed|installation)$/],
  ['driver-merge', /^installation$/],
  ['installation', /^pending-events$/],
  ['hooks-folder', /^(?:hook-.*|pending-events)$/],
  ['hook-pre-commit', /^pending-events$/],
  ['pending-events', /^installation$/],
  // Only if broken: a warning means that git sees too much, and current.md may be stale as well.
  ['ignored', /^ledger$/, 'broken'],
  ['context', /^status-line$/],
  ['objects', /^unchecked$/],
]

/** Leaves out findings that only follow from another or repeat its message, so that each cause gives one finding. */
export function withoutEffects(findings: readonly Finding[]): Finding[] {
  const problems = findings.filter(({ status }) => status !== 'ok')
  const isSaid = ({ message }: Finding, at: number) =>
    problems.slice(0, at).some((other) => other.message === message)
  const isEffect = (effect: Finding, at: number) =>
    problems.some((cause, i) => {
      const follows = FOLLOWS.some(
        ([name, effects, only = cause.status]) =>
          name === cause.name && only === cause.status && effects.test(effect.name),
      )
      return follows && (cause.status === effect.status ? i < at : isBroken(cause))
    })
  const needless = new Set(problems.filter((each, at) => isSaid(each, at) || isEffect(each, at)))
  return findings.filter((finding) => !needless.has(finding))
}
