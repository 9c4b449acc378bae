/** The semantic difference between two ledgers: what a person would say has changed. */

import { whoOf } from '../event/event.ts'
import { formatInstant } from '../event/instant.ts'
import type { Ledger } from './join.ts'
import type { Attributed, Origin } from './join-state.ts'
import { itemKey } from '../event/item-text.ts'

const ORDER = [
  'title',
  'goal',
  'test',
  'now',
  'this_session',
  'next',
  'decisions',
  'open_questions',
  'checkpoints',
  'agents',
] as const

export interface LedgerChange {
  readonly section: (typeof ORDER)[number]
  readonly change: 'added' | 'removed' | 'changed'
  /** The decision, agent, or checkpoint that changed; null in sections of plain texts. */
  readonly key: string | null
  readonly from: string | null
  readonly to: string | null
}

export interface AttributedChange extends LedgerChange {
  /** The event behind the new value; null if the entry was removed, because no event says so. */
  readonly by: Pick<Origin, 'agent' | 'branch' | 'ts'> | null
}

/** Lists the changes from `before` to `after` in the order of the rendered sections. */
export function diffLedgers(before: Ledger, after: Ledger): AttributedChange[] {
  const sections = [facts(before), facts(after)]
  const keys = new Set(sections.flatMap((section) => [...section.keys()]))
  const changes = [...keys].flatMap((id): AttributedChange[] => {
    const [from, to] = sections.map((section) => section.get(id))
    const fact = to ?? from
    if (fact === undefined || from?.text === to?.text) return []
    const change = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed'
    const { section, key } = fact
    const texts = { from: from?.text ?? null, to: to?.text ?? null }
    return [{ section, change, key, ...texts, by: to?.by ?? null }]
  })
  return ORDER.flatMap((section) => changes.filter((change) => change.section === section))
}

interface Fact {
  readonly section: LedgerChange['section']
  readonly key: string | null
  readonly text: string
  readonly by: Origin
}

function facts(ledger: Ledger): Map<string, Fact> {
  const registers = (['title', 'goal', 'test', 'now'] as const).flatMap((section): Fact[] => {
    const said = ledger[section]
    return said === undefined ? [] : [{ section, key: null, text: said.value, by: said.by }]
  })
  const all: Fact[] = [
    ...registers,
    ...texts('this_session', ledger.thisSession),
    ...texts('next', ledger.next),
    ...ledger.decisions.map(({ value, by }) => keyed('decisions', value.key, value.text, by)),
    ...texts('open_questions', ledger.openQuestions),
    ...ledger.checkpoints.map(({ value, by }) =>
      keyed(
        'checkpoints',
        `${value.phase} ${formatInstant(value.updated)}`,
        `phase ${value.phase} ${value.status}`,
        by,
      ),
    ),
    ...ledger.agents.map(({ value, by }) => keyed('agents', laneName(by), value, by)),
  ]
  return new Map(all.map((fact) => [factId(fact), fact]))
}

function laneName({ agent, branch, stream }: Attributed<unknown>['by']): string {
  const where = whoOf({ agent, branch })
  return stream === undefined ? where : `${where} (${stream})`
}

function texts(section: Fact['section'], items: readonly Attributed<string>[]): Fact[] {
  return items.map(({ value, by }) => ({ section, key: null, text: value, by }))
}

function keyed(section: Fact['section'], key: string, text: string, by: Origin): Fact {
  return { section, key, text, by }
}

/** Sections that are sets: their texts are added or removed. Registers and keyed facts change instead. */
const SETS = new Set<Fact['section']>(['this_session', 'next', 'open_questions', 'checkpoints'])

function factId({ section, key, text }: Fact): string {
  const isSet = SETS.has(section)
  return JSON.stringify([section, key, isSet ? itemKey(text) : null])
}
