/**
 * What could not be read in an event file.
 *
 * The sentences are part of rendering format 1 (they stand in `current.md`'s footer), so they never
 * quote a library's message, which changes with the library.
 */

/** Found by `event validate` alone: reading an event does not compare it with its name. */
const DAMAGES = {
  empty: 'is empty',
  torn: 'is not what its name was made of: torn, or edited before it was committed',
  changed: 'is not what was committed',
  rewritten: 'is committed, and is not what its name was made of: the history was rewritten',
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
  'duplicate-key': 'key stands twice, the last one counts',
  'ts-in-future': 'ts is ahead of the clock',
  secret: 'seems to hold a secret',
} as const

export const SENTENCES = { ...PROBLEMS, ...WARNINGS }

export type DamageCode = keyof typeof DAMAGES
export type ProblemCode = keyof typeof PROBLEMS
export type WarningCode = keyof typeof WARNINGS

/** `lost`: something of the file does not count and is named in the footer. */
export interface Problem {
  readonly code: ProblemCode
  readonly file: string
  /** 1-based line in the file. */
  readonly line: number | undefined
  /** The section it happened in, where there is one. */
  readonly section: string | undefined
}

/** Something odd that lost nothing: shown by `event validate`, not in the footer. */
export interface Warning {
  readonly code: WarningCode
  readonly file: string
  readonly line: number | undefined
  readonly section: string | undefined
  /** The kind of a secret. */
  readonly kind?: string
}

/** `line 7: next: cannot be read as YAML`. Stable: its bytes are in rendered ledgers. */
export function problemText(problem: Problem | Warning): string {
  const line = problem.line === undefined ? '' : `line ${problem.line}: `
  const section = problem.section === undefined ? '' : `${problem.section}: `
  const kind = 'kind' in problem ? ` (${problem.kind})` : ''
  return `${line}${section}${SENTENCES[problem.code]}${kind}`
}
