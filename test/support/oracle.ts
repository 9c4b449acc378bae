/**
 * A second, deliberately naive implementation of the ledger's rules (docs: data model) that shares no code with the
 * product. It is quadratic where that is simpler, has one function per rule, and handles plain text only (nothing
 * that would need escaping). If two independent implementations agree, the result is probably what the rules say.
 */

import { spawnSync } from 'node:child_process'
import { parse } from 'yaml'
import type { Repo } from './git-repo.ts'
import { ROOT } from './git-repo.ts'

export interface OracleFile {
  readonly file: string
  readonly blobId: string
  readonly text: string
}

interface Fields {
  title?: string
  goal?: string
  test?: string
  now?: string
  this_session?: string[]
  next?: string[]
  decisions?: Record<string, string | number | boolean | null>
  checkpoints?: { phase?: string | number; status?: string; updated?: string }[]
  open_questions?: string[]
  resolved_questions?: string[]
  retracts?: string[]
  supersedes?: string[]
}

interface OracleEvent extends Fields {
  file: string
  blobId: string
  instant: number
  ts: string
  agent: string
  branch: string | null
  stream: string | null
  type: string | undefined
}

interface Said {
  ts: string
  agent: string
  branch: string | null
}
interface Register extends Said {
  value: string
}

/** The shape of `show --json`. */
export interface OracleLedger {
  format: 1
  title: Register | null
  goal: Register | null
  test: Register | null
  now: Register | null
  this_session: (Said & { text: string })[]
  next: (Said & { text: string; stream: string | null; resting: boolean })[]
  decisions: Record<string, Said & { value: string | number | boolean }>
  checkpoints: { phase: string; status: string; updated: string; agent: string }[]
  open_questions: { text: string; ts: string; agent: string }[]
  agents: (Said & { now: string; stream: string | null; resting: boolean })[]
  meta: {
    event_count: number
    latest_ts: string | null
    events_tree: string
    skipped: never[]
  }
}

/** The content of a commit, as git itself reports it. */
export interface Snapshot {
  readonly commit: string
  readonly files: readonly OracleFile[]
  readonly eventsTree: string
  readonly current: string | undefined
}

export function oracleLedger(files: readonly OracleFile[], eventsTree: string): OracleLedger {
  const read = files.map(readEvent)
  const retracted = new Set(read.flatMap((event) => event.retracts ?? []))
  const events = read.filter(({ file }) => !retracted.has(file)).sort(inOrder)
  const latest = events.at(-1)
  return {
    format: 1,
    title: register(events, 'title'),
    goal: register(events, 'goal'),
    test: register(events, 'test'),
    now: register(events, 'now'),
    this_session: thisSession(events),
    next: next(events),
    decisions: decisions(events),
    checkpoints: checkpoints(events),
    open_questions: openQuestions(events),
    agents: agents(events),
    meta: {
      event_count: events.filter(({ type }) => type !== 'snapshot').length,
      latest_ts: latest === undefined ? null : latest.ts,
      events_tree: eventsTree,
      skipped: [],
    },
  }
}

/**
 * The ledger when, of `all` events ever added, only the `live` ones are in `events/`: their items and their Agents
 * rows, and every other section as if nothing had been archived.
 */
export function oracleArchived(
  all: readonly OracleFile[],
  live: ReadonlySet<string>,
): Omit<OracleLedger, 'meta'> & { event_count: number } {
  const retracted = new Set(all.map(readEvent).flatMap((event) => event.retracts ?? []))
  const left = all.filter(({ file }) => live.has(file) && !retracted.has(file))
  const rows = new Set(left.map(readEvent).map(({ ts, agent }) => `${ts} ${agent}`))
  const { meta: _, ...never } = oracleLedger(all, '')
  return {
    ...never,
    this_session: thisSession(left.map(readEvent).sort(inOrder)),
    agents: never.agents.filter(({ ts, agent }) => rows.has(`${ts} ${agent}`)),
    event_count: left.length,
  }
}

function readEvent({ file, blobId, text }: OracleFile): OracleEvent {
  const [, front = '', body = ''] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(text) ?? []
  const head = parse(front, { schema: 'core' }) as Record<string, string>
  const [first = '', ...lines] = body.trim().split('\n')
  const ticks = /^(```+)ledger$/.exec(first)?.[1]
  const isFenced = ticks !== undefined && lines.pop() === ticks
  const { agent, branch, stream, type, ...fields } = {
    ...(parse(isFenced ? lines.join('\n') : body) as (Fields & Record<string, string>) | null),
    ...head,
  }
  const instant = Date.parse(String(head['ts']))
  if (Number.isNaN(instant)) throw new Error(`the oracle cannot read ${file}`)
  return {
    ...fields,
    file,
    blobId,
    instant,
    ts: show(instant),
    agent: String(agent),
    // Without a branch, and if the event is not a handoff, the stream is the branch.
    branch: branch ?? (type === 'handoff' ? null : (stream ?? null)),
    stream: branch === undefined && type !== 'handoff' ? null : (stream ?? null),
    type,
  }
}

function show(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}

function inOrder(a: OracleEvent, b: OracleEvent): number {
  const byBytes = (x: string, y: string) => Buffer.compare(Buffer.from(x), Buffer.from(y))
  return (
    a.instant - b.instant ||
    byBytes(a.agent, b.agent) ||
    byBytes(a.blobId, b.blobId) ||
    byBytes(a.file, b.file)
  )
}

function said({ ts, agent, branch }: OracleEvent): Said {
  return { ts, agent, branch }
}

function register(
  events: OracleEvent[],
  field: 'title' | 'goal' | 'test' | 'now',
): Register | null {
  const saying = events.filter((event) => event[field] !== undefined)
  const isMade = ({ type = '' }: OracleEvent) => ['session_end', 'checkpoint'].includes(type)
  const best = [
    saying.filter((event) => !isMade(event) && event.stream === null),
    saying.filter((event) => !isMade(event)),
    saying.filter((event) => event.stream === null),
    saying,
  ].find((some) => some.length > 0)
  const by = (field === 'now' ? saying : best)?.at(-1)
  return by === undefined ? null : { value: String(by[field]), ...said(by) }
}

function unique<T>(items: T[], key: (item: T) => string): T[] {
  return items.filter((item, i) => items.findIndex((other) => key(other) === key(item)) === i)
}

/** The last entry for each key, in the order of these last entries. */
function lastOfEach<T>(items: T[], key: (item: T) => string): T[] {
  return unique(items.toReversed(), key).toReversed()
}

function thisSession(events: OracleEvent[]): OracleLedger['this_session'] {
  const all = events.flatMap((event) =>
    (event.this_session ?? []).map((text) => ({ text, ...said(event) })),
  )
  return unique(all, ({ text }) => text)
}

/** The newest event of every lane that has the field, and whether the lane rests. */
function lanes(events: OracleEvent[], field: 'next' | 'now') {
  const saying = events.filter((event) => event[field] !== undefined)
  const newest = lastOfEach(saying, ({ agent, branch, stream }) =>
    JSON.stringify([agent, branch, stream]),
  )
  const going = newest.filter(
    ({ agent, branch, ...lane }) =>
      !events
        .slice(events.findIndex(({ file }) => file === lane.file) + 1)
        .some((event) => event.branch === branch && event.supersedes?.includes(agent)),
  )
  const last = events.findLast(({ now, next }) => now !== undefined || next !== undefined)
  const isOld = ({ instant }: OracleEvent) => (last?.instant ?? 0) - instant > 14 * 86_400_000
  return going.map((event, i) => ({ event, isResting: i < going.length - 5 && isOld(event) }))
}

function next(events: OracleEvent[]): OracleLedger['next'] {
  const steps = lanes(events, 'next').flatMap(({ event, isResting }) => {
    const later = events.slice(events.indexOf(event))
    const done = new Set(later.flatMap((one) => one.this_session ?? []))
    return (event.next ?? [])
      .filter((text) => !done.has(text))
      .map((text) => ({ text, ...said(event), stream: event.stream, resting: isResting }))
  })
  const awake = unique(
    steps.filter(({ resting }) => !resting),
    ({ text }) => text,
  )
  const rest = unique(
    steps.filter(({ text }) => awake.every((step) => step.text !== text)),
    ({ text }) => text,
  )
  return [...rest, ...awake]
}

function decisions(events: OracleEvent[]): OracleLedger['decisions'] {
  const all = events.flatMap((event) =>
    Object.entries(event.decisions ?? {}).map(([key, value]) => ({ key, value, event })),
  )
  const kept = lastOfEach(all, ({ key }) => key).flatMap(({ key, value, event }) =>
    value === null ? [] : [[key, { value, ...said(event) }] as const],
  )
  return Object.fromEntries(kept)
}

function checkpoints(events: OracleEvent[]): OracleLedger['checkpoints'] {
  const all = events.flatMap((event) =>
    (event.checkpoints ?? []).map(({ phase, status, updated }) => ({
      phase: String(phase),
      status: String(status),
      updated: updated === undefined ? event.ts : show(Date.parse(updated)),
      agent: event.agent,
    })),
  )
  // The tests use only whole numbers as phases.
  return unique(all, ({ phase, status, updated }) => JSON.stringify([phase, status, updated])).sort(
    (a, b) => Date.parse(a.updated) - Date.parse(b.updated) || +a.phase - +b.phase,
  )
}

function openQuestions(events: OracleEvent[]): OracleLedger['open_questions'] {
  const asked = events.flatMap((event, place) =>
    (event.open_questions ?? []).map((text) => ({ text, place, event })),
  )
  return lastOfEach(asked, ({ text }) => text)
    .filter(
      ({ text, place }) =>
        !events.slice(place + 1).some((event) => event.resolved_questions?.includes(text)),
    )
    .map(({ text, event }) => ({ text, ts: event.ts, agent: event.agent }))
}

function agents(events: OracleEvent[]): OracleLedger['agents'] {
  return lanes(events, 'now').map(({ event, isResting }) => ({
    agent: event.agent,
    branch: event.branch,
    stream: event.stream,
    now: String(event.now),
    ts: event.ts,
    resting: isResting,
  }))
}

const ICONS: Record<string, string> = {
  pending: '○ ',
  in_progress: '→ ',
  validated: '✓ ',
  failed: '✗ ',
}

/** The bytes of `current.md`, format 1, for texts that need no escaping. */
export function oracleMarkdown(ledger: OracleLedger): string {
  const { title, goal, test, now, meta } = ledger
  const lines = [
    '<!-- markdownlint-disable-file -->',
    '',
    '<!-- prettier-ignore-start -->',
    '',
    `# Work Stream: ${title?.value ?? 'ledger'}`,
    '',
    '## Ledger',
    '<!-- generated from events/ by ledger-git: do not edit, add an event. Not set up in this clone? npx ledger-git install -->',
    ...(meta.latest_ts === null ? [] : [`**Updated:** ${meta.latest_ts}`]),
    ...(goal === null ? [] : [`**Goal:** ${goal.value}`]),
    ...(now === null || now.branch === null ? [] : [`**Branch:** ${now.branch}`]),
    ...(test === null ? [] : [`**Test:** ${test.value}`]),
    '',
  ]
  const section = (name: string, items: string[]) => {
    if (items.length > 0) lines.push(`### ${name}`, ...items, '')
  }
  section('Now', now === null ? [] : [`[->] ${now.value}`])
  const items = ledger.this_session
  const hidden = Math.max(0, items.length - 100)
  const more = `- … ${hidden} earlier item${hidden === 1 ? '' : 's'}: ledger-git show --all`
  section('This Session', [
    ...(hidden > 0 ? [more] : []),
    ...items.slice(hidden).map(({ text }) => `- [x] ${text}`),
  ])
  // The tests write fewer than 60 steps.
  const resting = ledger.next.filter((step) => step.resting)
  const streams = unique(resting, ({ ts, agent, stream, branch }) =>
    JSON.stringify([ts, agent, stream, branch]),
  ).length
  section('Next', [
    ...ledger.next.filter((step) => !step.resting).map(({ text }) => `- [ ] ${text}`),
    ...(streams === 0
      ? []
      : [
          `- … and ${resting.length} more from ${streams} earlier stream${streams === 1 ? '' : 's'}: ledger-git show --all`,
        ]),
  ])
  section(
    'Decisions',
    Object.entries(ledger.decisions).map(([key, { value }]) => `- **${key}:** ${value}`),
  )
  section(
    'Open Questions',
    ledger.open_questions.map(({ text }) => `- ${text}`),
  )
  section(
    'Checkpoints',
    ledger.checkpoints.map(
      ({ phase, status, updated }) =>
        `- ${ICONS[status] ?? ''}Phase ${phase}: ${status.toUpperCase()} (${updated})`,
    ),
  )
  const shown = ledger.agents.filter((row) => !row.resting)
  const quiet = ledger.agents.length - shown.length
  const rows = shown.map(
    ({ agent, branch, now, ts }) => `| ${agent} | ${branch ?? ''} | ${now} | ${ts} |`,
  )
  const head = ['| Agent | Branch | Now | Updated |', '| --- | --- | --- | --- |']
  section('Agents', [
    ...(rows.length === 0 ? [] : [...head, ...rows]),
    ...(quiet === 0 ? [] : ['', `… and ${quiet} more, at rest: ledger-git show --all`]),
  ])
  lines.push(
    '---',
    '_synthesized:',
    '  format: 1',
    `  event_count: ${meta.event_count}`,
    `  latest_ts: ${meta.latest_ts}`,
    `  generated_at: ${meta.latest_ts}`,
    `  events_tree: ${meta.events_tree}`,
    '  skipped: []',
    '---',
    '',
    '<!-- prettier-ignore-end -->',
    '',
  )
  return lines.join('\n')
}

/** The ledgers of many commits, through plain git. Commits with equal ledgers are computed only once. */
export function readSnapshots(
  repo: Repo,
  commits: readonly string[],
  root: string = ROOT,
): Snapshot[] {
  const folders = batch(
    repo,
    commits.map((commit) => `${commit}:${root}`),
    false,
  )
  const byTree = new Map<string, Omit<Snapshot, 'commit'>>()
  return commits.map((commit, i) => {
    const tree = folders[i]?.oid ?? ''
    const known = byTree.get(tree) ?? readFolder(repo, tree)
    byTree.set(tree, known)
    return { commit, ...known }
  })
}

/** Every event that a commit of these histories ever added, except snapshots. */
export function everAdded(
  repo: Repo,
  commits: readonly string[],
  root: string = ROOT,
): OracleFile[] {
  const log = repo.git(
    'log',
    '--format=',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--diff-filter=A',
    '-z',
    ...commits,
    '--',
    `${root}/events`,
  )
  const added = new Map<string, string>()
  for (const [, blob = '', path = ''] of log.matchAll(/:\S+ \S+ \S+ (\S+) A\0([^\0]+)/g)) {
    if (path.endsWith('.md')) added.set(path.slice(`${root}/events/`.length), blob)
  }
  const blobs = batch(repo, [...added.values()], true)
  const files = [...added].map(([file, blobId], i) => ({
    file,
    blobId,
    text: blobs[i]?.content ?? '',
  }))
  return files.filter(({ text }) => !/^type: snapshot$/m.test(text))
}

function readFolder(repo: Repo, tree: string): Omit<Snapshot, 'commit'> {
  if (tree === '') return { files: [], eventsTree: '', current: undefined }
  const listed = repo
    .git('ls-tree', '-rt', '-z', tree)
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [meta = '', path = ''] = line.split('\t')
      const [, type = '', oid = ''] = meta.split(' ')
      return { path, type, oid }
    })
  const named = listed.filter(({ path }) => /^events\/[^./][^/]*\.md$/.test(path))
  const current = listed.find(({ path }) => path === 'current.md')
  const wanted = [...named.map(({ oid }) => oid), ...(current === undefined ? [] : [current.oid])]
  const blobs = batch(repo, wanted, true)
  const files = named.map(({ path, oid }, i) => ({
    file: path.slice('events/'.length),
    blobId: oid,
    text: blobs[i]?.content ?? '',
  }))
  return {
    files,
    eventsTree: listed.find(({ path }) => path === 'events')?.oid ?? '',
    current: current === undefined ? undefined : (blobs.at(-1)?.content ?? ''),
  }
}

/** `git cat-file --batch` for a list of names; a missing object gives undefined. */
function batch(
  repo: Repo,
  names: readonly string[],
  contents: boolean,
): ({ oid: string; content: string } | undefined)[] {
  if (names.length === 0) return []
  const mode = contents ? '--batch' : '--batch-check'
  const { stdout } = spawnSync('git', ['cat-file', mode], {
    cwd: repo.folder,
    env: repo.sandbox.env,
    input: `${names.join('\n')}\n`,
    maxBuffer: 256 * 1024 * 1024,
  })
  let at = 0
  return names.map(() => {
    const end = stdout.indexOf('\n', at)
    const [oid = '', type = '', size = '0'] = stdout.subarray(at, end).toString().split(' ')
    at = end + 1
    if (!['blob', 'tree', 'commit'].includes(type)) return undefined
    if (!contents) return { oid, content: '' }
    const content = stdout.subarray(at, at + Number(size)).toString()
    at += Number(size) + 1
    return { oid, content }
  })
}
