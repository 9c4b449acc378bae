/**
 * The phases of sessions as a diagram and a table, made by asking `transition`: documents cannot drift
 * from it. `write-session-diagram.mjs` puts them between the markers in `docs/sessions.md`.
 */

import type { Facts, Phase, SessionEvent, Transition } from '../src/core/session/phase.ts'
import { PHASES, transition } from '../src/core/session/phase.ts'

const START = '<!-- made by scripts/write-session-diagram.mjs: do not edit -->'
const END = '<!-- end of what is made -->'

interface Column {
  readonly title: string
  readonly event: SessionEvent
  readonly facts?: Partial<Facts>
}

const NO_FILES = 'commit, no files'

/** Events, and the facts under which they have another answer somewhere. */
const COLUMNS: readonly Column[] = [
  { title: 'turn start', event: { type: 'turn_start' } },
  { title: 'turn goes on', event: { type: 'turn_goes_on' } },
  { title: 'turn end', event: { type: 'turn_end' } },
  { title: 'commit', event: { type: 'git_commit' }, facts: { touchedFiles: true } },
  { title: NO_FILES, event: { type: 'git_commit' } },
  {
    title: 'commit of others',
    event: { type: 'git_commit' },
    facts: { touchedFiles: true, isForeign: true },
  },
  { title: 'commit in a rebase', event: { type: 'git_commit' }, facts: { isSequence: true } },
  { title: 'startup or resume', event: { type: 'session_start', source: 'resume' } },
  { title: 'clear or compact', event: { type: 'session_start', source: 'compact' } },
  { title: 'session end', event: { type: 'session_end' } },
]

const FROM: readonly (Phase | undefined)[] = [undefined, ...PHASES]

/** The document with everything between the markers made anew. Throws when it has no markers. */
export function withSessionDiagram(document: string): string {
  const [start, end] = [document.indexOf(START), document.indexOf(END)]
  if (start === -1 || end < start) throw new Error(`expected ${START} and ${END}`)
  const made = `${START}\n\n${diagram()}\n\n${table()}\n\n`
  return document.slice(0, start) + made + document.slice(end)
}

function diagram(): string {
  const edges = new Map<string, string[]>()
  for (const from of FROM)
    for (const column of COLUMNS) {
      const { phase, actions } = answer(from, column)
      if (phase === from && actions.length === 0) continue
      const done = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
      const edge = `${from ?? '[*]'} --> ${phase ?? '[*]'}`
      const key = `${edge}|${done}`
      edges.set(key, [...(edges.get(key) ?? []), column.title])
    }
  const lines = [...edges].map(([key, titles]) => {
    const [edge, done] = key.split('|')
    // Where files make no difference, they are not mentioned.
    const named = titles.includes('commit') ? titles.filter((one) => one !== NO_FILES) : titles
    return `    ${edge}: ${named.join(' or ')}${done}`
  })
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

function table(): string {
  const head = [
    'event',
    ...FROM.map((phase) => (phase === undefined ? '*(none)*' : `\`${phase}\``)),
  ]
  const rows = COLUMNS.map((column) => [
    column.title,
    ...FROM.map((from) => cell(from, answer(from, column))),
  ])
  const rule = head.map(() => '---')
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cell(from: Phase | undefined, { phase, actions }: Transition): string {
  const done = actions.map((action) => `\`${action}\``).join(', ')
  if (phase === from) return done === '' ? '–' : done
  return done === '' ? `→ ${phase}` : `${done} → ${phase}`
}

function answer(from: Phase | undefined, { event, facts }: Column): Transition {
  return transition(from, event, { touchedFiles: false, isSequence: false, ...facts })
}
