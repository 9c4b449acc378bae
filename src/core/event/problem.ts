/**
 * Problems in event files.
 *
 * The sentences are part of rendering format 1 (they are in the footer of `current.md`), so they never quote a
 * library's message, which changes with the library.
 */

/** Not in the footer: reading an event does not compare it with its name. */
const DAMAGES = {
  empty: 'is empty',
  torn: 'does not match the hash in its name: torn, or edited before it was committed',
  changed: 'is not what was committed',
  rewritten: 'is committed, but does not match the hash in its name: the history was rewritten',
  unreadable: 'may not be read: no commit takes it',
  missing: 'is gone, and no commit has it; a copy is kept',
} as const

const PROBLEMS = {
  'not-a-file': 'not a regular file',
  'too-large': 'larger than 16 MiB',
  'no-front-matter': 'no front matter (expected --- on the first line)',
  'unclosed-front-matter': 'front matter is not closed (expected a line ---)',
  'front-matter-language': 'only YAML front matter is read',
  'front-matter-yaml': 'front matter is not a YAML map',
  'missing-ts': 'no ts in the front matter',
  'bad-ts': 'ts is not an ISO 8601 time',
  'missing-agent': 'no agent in the front matter',
  'body-not-a-map': 'body is a list (expected keys such as now: or this_session:)',
  'section-unreadable': 'cannot be read as YAML',
  'checkpoint-unreadable': 'expected phase:, status: and updated:',
  ...DAMAGES,
} as const

const WARNINGS = {
  salvaged: 'not valid YAML, read line by line',
  'ts-without-offset': 'ts has no offset, read as UTC',
  'duplicate-key': 'key occurs twice, the last one counts',
  'ts-in-future': 'ts is ahead of the clock',
  secret: 'seems to hold a secret',
} as const

export const SENTENCES = { ...PROBLEMS, ...WARNINGS }

export type DamageCode = keyof typeof DAMAGES
export type ProblemCode = keyof typeof PROBLEMS
export type WarningCode = keyof typeof WARNINGS

/** A part of a file, or all of it, does not count. */
export interface Problem {
  readonly code: ProblemCode
  readonly file: string
  /** 1-based line in the file. */
  readonly line: number | undefined
  /** The section with the problem, if it is in a section. */
  readonly section: string | undefined
}

/** An irregularity that loses nothing: shown by `event validate`, not in the footer. */
export interface Warning {
  readonly code: WarningCode
  readonly file: string
  readonly line: number | undefined
  readonly section: string | undefined
  /** The kind of a secret. */
  readonly kind?: string
}

/** `line 7: next: cannot be read as YAML`. Must not change, because rendered ledgers contain it. */
export function problemText(problem: Problem | Warning): string {
  const line = problem.line === undefined ? '' : `line ${problem.line}: `
  const section = problem.section === undefined ? '' : `${problem.section}: `
  const kind = 'kind' in problem ? ` (${problem.kind})` : ''
  return `${line}${section}${SENTENCES[problem.code]}${kind}`
}
