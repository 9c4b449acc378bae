/** Histories in which events were archived, and the law that holds for each of them. */

import { execFile } from 'node:child_process'
import { readCanonicalEvent } from '../../src/core/event/canonical-event.ts'
import { parseInstant } from '../../src/core/event/instant.ts'
import { foldLedger } from '../../src/core/ledger/join.ts'
import { ledgerToJson } from '../../src/core/ledger/ledger-json.ts'
import { renderLedger } from '../../src/core/ledger/render.ts'
import type { NewEvent } from '../../src/core/event/event.ts'
import { eventFileName, renderEvent } from '../../src/core/event/write-event.ts'
import type { Ran, Repo } from '../support/git-repo.ts'
import { EVENTS } from '../support/git-repo.ts'
import type { OracleFile, Snapshot } from '../support/oracle.ts'
import { oracleArchived } from '../support/oracle.ts'

export const SETTINGS = '.ledger-git.yaml'

/** The duration from an instant until now, for `--retention` with the test's own cut-off. */
export function since(ts: string): string {
  return `${Math.floor((Date.now() - Date.parse(ts)) / 1000)}s`
}

const PLANS = [
  'Ask the people who wrote the other tools for their files',
  'Read the files of the other tools, and name what cannot be read',
  'Write the release notes of the parser',
]

/** An event that did what others planned and plans nothing. */
export const DOING: Partial<NewEvent> = {
  next: undefined,
  thisSession: ['Write the release notes of the parser'],
}

/** Writes an event that differs from its neighbours in only a few digits; returns its file name. */
export function similarEvent(repo: Repo, ts: string, more: Partial<NewEvent> = {}): string {
  const number = ts.replace(/\D/g, '').slice(4, 14)
  const text = renderEvent({
    ts,
    agent: 'toast',
    branch: 'main',
    type: 'note',
    commit: 'f'.repeat(40),
    goal: 'Parse the front matter of every event, also of those that others wrote',
    test: 'npx vitest run test/core/event/parse-event.test.ts',
    now: `Fix bug ${number} of the parser`,
    thisSession: ['Looked at the parser of front matter', `Fixed bug ${number} of the parser`],
    next: [`Fix bug ${number} of the parser`, ...PLANS],
    decisions: [
      { key: 'last', value: `bug ${number}` },
      { key: `bug_${number}`, value: 'fixed in the parser' },
    ],
    openQuestions: [questionOf(number)],
    checkpoints: [{ phase: '1', status: 'validated', updated: ts }],
    ...more,
  })
  const instant = parseInstant(ts)?.instant
  if (instant === undefined) throw new Error(`${ts} is no instant`)
  const file = eventFileName(instant, more.agent ?? 'toast', text)
  repo.write(`${EVENTS}/${file}`, text)
  return file
}

/** The question that the event with this number asks. */
export function questionOf(number: string): string {
  return `Is bug ${number} in the parser?`
}

/** Deletes archived files older than a day; the setting stays out of git. */
export function purge(repo: Repo, ...args: string[]): void {
  repo.write(SETTINGS, 'archive:\n  keep: 1d\n')
  repo.ledger('archive', '--commit', ...args)
  repo.git('clean', '-fqx', SETTINGS)
}

/** What is wrong with a ledger whose histories added `all`; undefined if nothing is. */
export function lawBroken(all: readonly OracleFile[], held: Omit<Snapshot, 'commit'>) {
  const events = held.files.map(({ file, blobId, text }) => {
    const event = readCanonicalEvent({ file, id: blobId, text })
    if (event === undefined) throw new Error(`not canonical: ${file}`)
    return event
  })
  const ledger = foldLedger(events)
  const { meta, ...sections } = ledgerToJson(ledger, held.eventsTree)
  const live = new Set(held.files.map(({ file }) => file))
  const { event_count, ...expected } = oracleArchived(all, live)
  const wrong = Object.keys(expected).filter((section) => {
    const [is, shall] = [sections, expected].map((one) =>
      JSON.stringify(one[section as keyof typeof one]),
    )
    return is !== shall
  })
  if (meta.event_count !== event_count) wrong.push('event_count')
  if (held.current !== renderLedger(ledger, held.eventsTree)) wrong.push('current.md')
  return wrong.length === 0 ? undefined : wrong.join(', ')
}

/** Runs git beside other processes. */
export function startGit(repo: Repo, ...args: string[]): Promise<Ran> {
  const env = { ...repo.sandbox.env, ...repo.sandbox.tick() }
  return new Promise((resolve) => {
    execFile('git', args, { cwd: repo.folder, env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? 128), stdout, stderr }),
    )
  })
}

/** Does all jobs, as many at once as there are workers; returns results in the order of the jobs. */
export async function share<W, J, R>(
  workers: readonly W[],
  jobs: readonly J[],
  work: (worker: W, job: J) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const rest = [...jobs.entries()]
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        results[next[0]] = await work(worker, next[1])
      }
    }),
  )
  return results
}
