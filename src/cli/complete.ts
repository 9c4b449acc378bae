/** `--complete WORDS…`: answers the shell's completion, also with values that only the repository knows. */

import { readLedgerEvents } from '../app/ledger/view-ledger.ts'
import { ledgerOf } from '../app/ledger/ledger-tree.ts'
import { LedgerError } from '../core/errors/errors.ts'
import type { LedgerEvent } from '../core/event/event.ts'
import type { Candidate, CommandTable, Source } from './completion-words.ts'
import { askedAt } from './completion-words.ts'
import type { CliContext, OpenRepository } from './command/context.ts'
import { eventFacts, safeText } from './command/format.ts'

/** Nobody reads through more suggestions than this. */
const MAX_EVENTS = 200

/** `words`: what follows the program's name, including the word being typed. */
export async function complete(
  words: readonly string[],
  table: CommandTable,
  context: CliContext,
): Promise<void> {
  const { candidates, source, before = '', behind = '' } = askedAt(words, table)
  const values = source === undefined ? [] : await valuesFrom(source, context)
  const all = [...candidates, ...values].map(({ value, about }) => {
    return { value: `${before}${value}${behind}`, about }
  })
  const lines = completionLines(all, words.at(-1) ?? '')
  context.stdout(lines.map((line) => `${line}\n`).join(''))
}

/** No values if there is no repository, or it cannot be read. */
async function valuesFrom(source: Source, context: CliContext): Promise<Candidate[]> {
  try {
    return await READERS[source](await context.open(), context)
  } catch (error) {
    if (error instanceof LedgerError) return []
    throw error
  }
}

type Reader = (open: OpenRepository, context: CliContext) => Promise<Candidate[]>

async function eventsHere({ repository, settings }: OpenRepository): Promise<LedgerEvent[]> {
  return (await readLedgerEvents(repository, settings, undefined)).events.toReversed()
}

const plain = (values: Iterable<string | undefined>): Candidate[] =>
  [...new Set(values)].flatMap((value) => (value === undefined ? [] : [{ value, about: '' }]))

const branches: Reader = async ({ repository }) => plain(await repository.history.branchNames())

const READERS: Readonly<Record<Source, Reader>> = {
  agents: async (open) => plain((await eventsHere(open)).map(({ agent }) => agent)),
  types: async (open) => plain((await eventsHere(open)).map(({ type }) => type)),
  branches,
  revisions: async (open, context) => [
    { value: 'HEAD', about: 'what is checked out' },
    ...(await branches(open, context)),
  ],
  events: async (open) =>
    (await eventsHere(open)).slice(0, MAX_EVENTS).map((event) => ({
      value: event.file,
      about: eventFacts(event)[0] ?? '',
    })),
  keys: async ({ repository, settings }) => {
    const { decisions } = ledgerOf(await readLedgerEvents(repository, settings, undefined))
    return decisions.map(({ value: { key, text } }) => ({ value: key, about: text }))
  },
  handoffs: async ({ repository, settings }) => {
    const { readHandoffs } = await import('../app/handoff/read-handoffs.ts')
    return plain((await readHandoffs(repository, settings.root)).map(({ name }) => name))
  },
  sessions: async (_open, context) => {
    const { sessions } = (await context.sessions()).sessions.look()
    return sessions.map(({ id, agent, phase }) => ({ value: id, about: `${agent}, ${phase}` }))
  },
  checkpoints: async ({ repository }) => {
    const { listCheckpoints } = await import('../app/checkpoint/read-checkpoints.ts')
    const found = await listCheckpoints(repository)
    return found.map(({ id, condensedAt = '' }) => ({ value: id, about: condensedAt }))
  },
  settings: async () => {
    const { SETTINGS } = await import('../core/settings/settings-table.ts')
    return SETTINGS.map(({ key, form }) => ({ value: key, about: form }))
  },
}

/** `value<TAB>about` for each candidate that begins with `word`, except those that a shell would split. */
export function completionLines(candidates: readonly Candidate[], word: string): string[] {
  return candidates
    .filter(({ value }) => value.startsWith(word) && /^[\w.@+:/=-]+$/.test(value))
    .map(({ value, about }) => `${value}\t${safeText(about, 60)}`)
}
