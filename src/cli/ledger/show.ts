/** `show`: the ledger, for people or as data. */

import type { EventSet } from '../../app/ledger/ledger-tree.ts'
import type { NotedEvent } from '../../app/ledger/read-notes.ts'
import { KEPT_BY_HAND } from '../../app/ledger/unmanaged-ledger.ts'
import { filterLedger, readLedger } from '../../app/ledger/view-ledger.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { ErrorFact } from '../../core/fleet/fleet-facts.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, nonEmpty } from '../command/command.ts'
import { noteLines, safePath, safeText } from '../command/format.ts'
import type { Paint } from '../command/paint.ts'
import { FILTER_OPTIONS, readFilter, sayWhyNoEvents } from '../command/shared-options.ts'

export const show: Command = {
  name: 'show',
  isLong: true,
  describe: 'Show the ledger of the worktree, with its pending events',
  examples: [
    ['ledger-git show --rev main --json', 'the ledger of a commit, as data'],
    ['ledger-git show --agent toast --since 2d', 'what one agent says'],
    ['ledger-git show --all-worktrees', 'what all worktrees say together'],
  ],
  options: {
    ...FILTER_OPTIONS,
    rev: nonEmpty('show the ledger of this commit'),
    'all-worktrees': {
      ...flag('show the ledgers of all worktrees together, with their pending events'),
      conflicts: ['rev', 'notes'],
    },
    all: flag('also show what current.md only counts: resting streams, older items'),
    notes: flag(
      'then show the notes of events: text that fits no field (--all: also of archived events)',
    ),
  },
  run: async (input) => {
    const { set, unmanaged, leftOut = [] } = await readShown(input)
    if (unmanaged !== undefined) return showUnmanaged(unmanaged, set, input)
    const filter = readFilter(input)
    const isWhole = input.flag('all')
    const ledger = filterLedger(set, filter)
    // Archived events are left out of the event count, but they still count here.
    if (ledger.latest === undefined) sayWhyNoEvents(set, input)
    const markdown = renderLedger(ledger, set.eventsTree, { isWhole })
    const json = withLeftOut(ledgerToJson(ledger, set.eventsTree), leftOut)
    const text = painted(readable(markdown), input.paint)
    if (!input.flag('notes')) {
      input.print(json, text)
      for (const line of leftOut.map(leftOutLine)) input.say(line)
      return leftOut.length === 0 ? 0 : 1
    }
    const { readNotes } = await import('../../app/ledger/read-notes.ts')
    const { repository, settings } = await input.context.open()
    const request = { revision: input.text('rev'), filter, withArchive: isWhole }
    const notes = await readNotes(repository, settings, request)
    input.print({ ...json, notes: notes.map(noteJson) }, [
      text,
      '',
      '### Notes',
      ...(notes.length === 0 ? ['none'] : notes.flatMap(noteText)),
    ])
  },
}

type Shown = Awaited<ReturnType<typeof readLedger>> & { readonly leftOut?: readonly ErrorFact[] }

async function readShown(input: Input): Promise<Shown> {
  if (input.flag('all-worktrees')) {
    const { eventsOfAllWorktrees } = await import('../../app/fleet/all-worktrees.ts')
    return { ...(await eventsOfAllWorktrees(await input.context.fleet())), unmanaged: undefined }
  }
  const { repository, settings } = await input.context.open()
  return readLedger(repository, settings, input.text('rev'))
}

/** Scripts that read all worktrees need to know which ones are missing. */
function withLeftOut(json: ReturnType<typeof ledgerToJson>, leftOut: readonly ErrorFact[]) {
  if (leftOut.length === 0) return json
  const problems = leftOut.map(({ subject, message }) => ({ worktree: subject, problem: message }))
  return { ...json, meta: { ...json.meta, left_out: problems } }
}

function leftOutLine({ subject, message, command }: ErrorFact): string {
  const next = command === undefined ? '' : `; next: ${command}`
  return `left out: ${safeText(subject)}: ${safeText(message)}${next}`
}

function noteJson({ event, source, text }: NotedEvent) {
  const { file, ts, agent } = event
  return { event: file, source, ts: formatInstant(ts), agent, note: text }
}

function noteText({ event, source, text }: NotedEvent): string[] {
  const where = source === undefined ? '' : `, of ${safePath(source)}`
  return ['', `${safeText(event.file)}${where}:`, ...noteLines(text)]
}

/** None of the text is an event: filters have nothing to select, and the JSON data has no entries. */
export function showUnmanaged(
  markdown: string,
  { eventsTree }: Pick<EventSet, 'eventsTree'>,
  input: Input,
): void {
  input.say(KEPT_BY_HAND)
  if (input.json) {
    const empty = ledgerToJson(foldLedger([]), eventsTree)
    input.print({ ...empty, meta: { ...empty.meta, kept_by_hand: true } }, [])
  } else {
    input.context.stdout(input.context.isStdoutTty ? stripControlChars(markdown) : markdown)
  }
}

/** Headings are bold, done items are dimmed, and current work is highlighted. */
function painted(text: string, { bold, dim, yellow }: Paint): string {
  const lines = text.split('\n').map((line) => {
    if (/^(?:#+ |\*\*)/.test(line)) return bold(line)
    if (line.startsWith('- [x] ')) return dim(line)
    return /^(?:- )?\[->\] /.test(line) ? yellow(line) : line
  })
  return lines.join('\n')
}

/** The rendering without comments and footer, which are meant for tools and for people who open the file. */
function readable(markdown: string): string {
  const body = markdown.slice(0, markdown.lastIndexOf('\n---\n_synthesized:'))
  const text = body.replace(/^(?:<!-- .*-->\n+)+/, '').replace(/^<!-- generated.*-->\n/m, '')
  return text.trimEnd()
}
