/** `event validate`: finds what does not count in event files, and what helps. */

import { basename, resolve } from 'node:path'
import { ledgerPaths, placeOfWorktree } from '../../app/ledger/ledger-sources.ts'
import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { findDamage } from '../../app/repair/find-damage.ts'
import { findSecrets } from '../../app/secrets/find-secrets.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { eventsAhead, openProblems } from '../../core/event/event-set.ts'
import { integrityOf, isEmptied } from '../../core/event/event-integrity.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import type { DamageCode, Problem, Warning } from '../../core/event/problem.ts'
import { problemText } from '../../core/event/problem.ts'
import { DEFAULT_SETTINGS } from '../../core/settings/settings.ts'
import type { Command, Input } from '../command/command.ts'
import { count, safeText } from '../command/format.ts'

/** The most commands shown; further ones say the same about other files. */
const MAX_FIXES = 5

export const eventValidate: Command = {
  name: 'validate',
  words: { '[files..]': 'event files' },
  describe:
    'Check event files (all of the worktree by default); exit 1 when something does not count',
  examples: [
    ['ledger-git event validate', 'every event of the worktree'],
    ['ledger-git event validate draft.md', 'a file before it is added'],
  ],
  run: async (input) => {
    const files = input.texts('files')
    const read = await (files.length > 0 ? readFiles(files, input) : readWorktree(input))
    const { problems, fixes } = read
    const secrets = await secretsIn(read.texts(), input)
    const ahead = eventsAhead(read.events, input.context.clock.now(), read.maxDriftMillis)
    const future = ahead.map(({ file }) => ({ code: 'ts-in-future', file, ...NOWHERE }) as const)
    const warnings: Warning[] = [...read.warnings, ...future, ...secrets]
    const json = {
      valid: problems.length === 0,
      checked: read.checked,
      problems: problems.map(findingJson),
      warnings: warnings.map(findingJson),
    }
    const lines = warnings.map((warning) => `${findingLine(warning)} (warning)`)
    input.print(json, [...problems.map(findingLine), ...lines])
    if (!input.json) {
      const state = problems.length === 0 ? 'valid' : count(problems.length, 'problem')
      input.say(`checked ${count(read.checked, 'event file')}: ${state}`)
      for (const fix of fixes.slice(0, MAX_FIXES)) input.say(`next: ${fix}`)
      if (problems.length > fixes.length) input.say(FIX)
      if (secrets.length > 0) input.say(REPLACE)
    }
    return problems.length === 0 ? 0 : 1
  },
}

const FIX =
  'next: fix files that are not committed yet; retract others: ledger-git event retract FILE'
const REPLACE = 'next: replace a real secret at its provider, then ledger-git event redact FILE'
const NOWHERE = { line: undefined, section: undefined }

interface Findings {
  readonly checked: number
  readonly events: readonly LedgerEvent[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
  /** Commands that repair damaged files. */
  readonly fixes: readonly string[]
  readonly maxDriftMillis: number
  /** The texts of the files, one at a time: all of a long history at once would be too much. */
  readonly texts: () => Iterable<EventText>
}

interface EventText {
  readonly file: string
  readonly text: string
}

/** Event files written by hand were not scanned by `event add`. */
async function secretsIn(texts: Iterable<EventText>, { context }: Input): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const { file, text } of texts) {
    const found = await findSecrets(text, context.secrets)
    warnings.push(
      ...found.map((at) => ({ code: 'secret', file, section: undefined, ...at }) as const),
    )
  }
  return warnings
}

async function readWorktree(input: Input): Promise<Findings> {
  const { repository, settings, top } = await input.openWorktree()
  const set = await readLedgerEvents(repository, settings, undefined)
  const files = new Set([...set.events, ...set.problems].map(({ file }) => file))
  const place = await placeOfWorktree(repository, settings.root)
  const damage = await findDamage(repository, settings, place)
  const isUnread = ({ code }: Pick<Problem, 'code'>) =>
    code === 'too-large' || code === 'unreadable'
  const unread = new Set([...set.problems, ...damage].filter(isUnread).map(({ file }) => file))
  function* texts() {
    for (const file of files) {
      if (unread.has(file)) continue
      // Outside the cone of a sparse worktree there is no file, so there is nothing to redact.
      const text = input.context.files.read(`${top}/${ledgerPaths(settings.root).events}/${file}`)
      if (text !== undefined) yield { file, text }
    }
  }
  // An unreadable file is also reported as damage, which names the command that helps.
  const problems = openProblems(set).filter(({ code }) => code !== 'unreadable')
  return {
    ...set,
    maxDriftMillis: settings.maxDriftMillis,
    checked: files.size,
    problems: [...problems, ...damage.map(damageProblem)],
    fixes: damage.map(({ next }) => next),
    texts,
  }
}

function damageProblem({ file, code }: { file: string; code: DamageCode }): Problem {
  return { code, file, ...NOWHERE }
}

async function readFiles(files: readonly string[], { context }: Input): Promise<Findings> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const read = files.map((file) => {
    const text = context.files.read(resolve(context.cwd, file))
    if (text !== undefined) return { file: basename(file), text, bytes: Buffer.from(text) }
    const message = `${file} is not a readable file`
    throw new LedgerError('EVENT_NOT_FOUND', message, 'ledger-git event list')
  })
  const damage = read
    .filter(({ file, bytes }) => integrityOf(file, bytes) === 'damaged')
    .map(({ file, bytes }) => damageProblem({ file, code: isEmptied(bytes) ? 'empty' : 'torn' }))
  const parsed = read.map(({ file, bytes }) =>
    parseEvent({ file, id: '', text: decodeEventText(bytes) }),
  )
  return {
    checked: files.length,
    events: parsed.flatMap(({ event }) => event ?? []),
    problems: [...parsed.flatMap(({ problems }) => problems), ...damage],
    warnings: parsed.flatMap(({ warnings }) => warnings),
    fixes: damage.map(({ file }) => `ledger-git event restore ${safeText(file)}`),
    maxDriftMillis: DEFAULT_SETTINGS.maxDriftMillis,
    texts: () => read,
  }
}

/** `file:line: what`, the form that editors jump to. */
function findingLine(finding: Problem | Warning): string {
  const line = finding.line === undefined ? '' : `:${finding.line}`
  return `${safeText(finding.file)}${line}: ${safeText(findingJson(finding).message)}`
}

function findingJson(finding: Problem | Warning) {
  const { code, file, line, section } = finding
  return { code, file, line, section, message: problemText({ ...finding, line: undefined }) }
}
