import { basename, resolve } from 'node:path'
import { eventsAhead } from '../../app/commit/add-event.ts'
import type { DamagedEvent } from '../../app/repair/find-damage.ts'
import { findDamage } from '../../app/repair/find-damage.ts'
import { findSecrets } from '../../app/secrets/find-secrets.ts'
import { ledgerPaths } from '../../app/ledger/ledger-sources.ts'
import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { integrityOf, isEmptied } from '../../core/event/event-integrity.ts'
import type { Problem, Warning } from '../../core/event/problem.ts'
import { problemText } from '../../core/event/problem.ts'
import type { Command } from '../command.ts'
import { flag, texts } from '../command.ts'
import type { CliContext } from '../context.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const eventValidate: Command = {
  name: 'validate',
  words: '[files..]',
  describe:
    'Check event files (all of the worktree by default); exit 1 when something does not count',
  examples: [
    ['ledger-git event validate', 'every event of the worktree'],
    ['ledger-git event validate draft.md', 'a file before it is added'],
  ],
  options: (yargs) => yargs.positional('files', { type: 'string', describe: 'event files' }),
  run: async (args, context) => {
    const files = texts(args, 'files')
    const read = await (files.length > 0 ? readFiles(files, context) : readWorktree(context))
    const { settings } = files.length > 0 ? { settings: undefined } : await context.open()
    const drift = settings?.maxDriftMillis ?? 5 * 60_000
    const ahead = eventsAhead(read.events, context.clock.now(), drift).map((event): Warning => ({
      code: 'ts-in-future',
      file: event.file,
      line: undefined,
      section: undefined,
    }))
    const secrets = await secretsIn(read.texts(), context)
    const warnings = [...read.warnings, ...ahead, ...secrets]
    if (flag(args, 'json')) {
      printJson(context, {
        valid: read.problems.length === 0,
        checked: read.checked,
        problems: read.problems.map(findingJson),
        warnings: warnings.map(findingJson),
      })
    } else {
      for (const problem of read.problems) context.stdout(`${findingLine(problem)}\n`)
      for (const warning of warnings) context.stdout(`${findingLine(warning)} (warning)\n`)
      const state = read.problems.length === 0 ? 'valid' : `with ${read.problems.length} problems`
      context.stderr(`${read.checked} event files checked: ${state}\n`)
      for (const way of read.ways.slice(0, MOST_WAYS)) context.stderr(`next: ${way}\n`)
      if (read.problems.length > read.ways.length) {
        context.stderr(
          'next: mend files that are not committed yet; retract others: ledger-git event retract FILE\n',
        )
      }
      if (secrets.length > 0) {
        context.stderr(
          'next: replace a real secret at its provider, then ledger-git event redact FILE\n',
        )
      }
    }
    return read.problems.length === 0 ? 0 : 1
  },
}

/** Commands shown; more of them say the same of other files. */
const MOST_WAYS = 5

interface Findings {
  readonly checked: number
  readonly events: readonly LedgerEvent[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
  /** Commands that help with damaged files. */
  readonly ways: readonly string[]
  /** What the files say, one at a time: all of a long history at once is too much. */
  readonly texts: () => Iterable<EventText>
}

interface EventText {
  readonly file: string
  readonly text: string
}

/** Event files written by hand did not pass `event add`. */
async function secretsIn(texts: Iterable<EventText>, { secrets }: CliContext): Promise<Warning[]> {
  const warnings: Warning[] = []
  for (const { file, text } of texts) {
    const found = await findSecrets(text, secrets)
    const known = { code: 'secret', file, section: undefined } as const
    warnings.push(...found.map((place) => ({ ...known, ...place })))
  }
  return warnings
}

async function readWorktree(context: CliContext): Promise<Findings> {
  const { repository, settings, top } = await openWorktree(context)
  const set = await readLedgerEvents(repository, settings, undefined)
  const skipped = new Set(
    set.problems
      .map(({ file }) => file)
      .filter((file) => set.events.every((event) => event.file !== file)),
  )
  const tooLarge = new Set(
    set.problems.filter(({ code }) => code === 'too-large').map(({ file }) => file),
  )
  const folder = `${top}/${ledgerPaths(settings.root).events}`
  function* texts() {
    for (const file of new Set([...set.events.map(({ file }) => file), ...skipped])) {
      // Outside the cone of a sparse worktree there is no file, and nothing to take out of it.
      const text = tooLarge.has(file) ? undefined : context.files.read(`${folder}/${file}`)
      if (text !== undefined) yield { file, text }
    }
  }
  const damage = await findDamage(repository, settings)
  const files = new Set([...set.events.map(({ file }) => file), ...skipped])
  return {
    ...set,
    checked: files.size,
    problems: [...set.problems, ...damage.map(damageProblem)],
    ways: damage.map(({ next }) => next),
    texts,
  }
}

function damageProblem({ file, code }: Pick<DamagedEvent, 'file' | 'code'>): Problem {
  return { code, file, line: undefined, section: undefined }
}

async function readFiles(files: readonly string[], context: CliContext): Promise<Findings> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const read = files.map((file) => {
    const content = context.files.read(resolve(context.cwd, file))
    if (content === undefined) {
      throw new LedgerError(
        'EVENT_NOT_FOUND',
        `${file} is not a readable file`,
        'ledger-git event list',
      )
    }
    return { file: basename(file), text: content }
  })
  // Lone surrogates are bytes that are not UTF-8, which no file of ours has.
  const damage = read
    .filter(({ file, text }) => integrityOf(file, Buffer.from(text)) === 'damaged')
    .map(({ file, text }) => {
      const code = isEmptied(Buffer.from(text)) ? ('empty' as const) : ('torn' as const)
      return damageProblem({ file, code })
    })
  const parsed = read.map(({ file, text }) =>
    parseEvent({ file, id: '', text: decodeEventText(Buffer.from(text)) }),
  )
  return {
    checked: files.length,
    events: parsed.flatMap(({ event }) => event ?? []),
    problems: [...parsed.flatMap(({ problems }) => problems), ...damage],
    warnings: parsed.flatMap(({ warnings }) => warnings),
    ways: damage.map(({ file }) => `ledger-git event restore ${safeText(file)}`),
    texts: () => read,
  }
}

/** `file:line: what`, the form that editors jump to. */
function findingLine(finding: Problem | Warning): string {
  const line = finding.line === undefined ? '' : `:${finding.line}`
  return `${safeText(finding.file)}${line}: ${safeText(problemText({ ...finding, line: undefined }))}`
}

function findingJson(finding: Problem | Warning) {
  const { code, file, line = null, section = null } = finding
  return { code, file, line, section, message: problemText({ ...finding, line: undefined }) }
}
