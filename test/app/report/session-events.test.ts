/**
 * Finds the events of one session among many: the same events that reading all of them finds, without reading the
 * others.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsHere, placeOfWorktree } from '../../../src/app/ledger/ledger-sources.ts'
import { eventsOfSession } from '../../../src/app/report/session-events.ts'
import { instantFromMillis } from '../../../src/core/event/instant.ts'
import { eventFileName, renderEvent } from '../../../src/core/event/write-event.ts'
import type { ObjectReader } from '../../../src/app/ports.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { EVENTS, ROOT, Sandbox } from '../../support/git-repo.ts'

const SESSIONS = ['a', 'a.b', '0-1', '-e']

function addEvents(repo: Repo, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    const instant = instantFromMillis(Date.UTC(2026, 0, 1) + n * 1000)
    const session = SESSIONS[n % (SESSIONS.length + 1)]
    const about = { ts: new Date(instant).toISOString(), agent: 'claude', branch: 'main' }
    const text = renderEvent({ ...about, session, now: `part ${n} of a.b` })
    repo.write(`${EVENTS}/${eventFileName(instant, 'claude', text)}`, text)
  }
}

/** For each session: the events found, the events that reading all texts finds, and the number of texts read. */
async function look({ folder, sandbox }: Repo, helpers: Pick<ObjectReader, 'prefetch'> = {}) {
  const repository = await openRepository(folder, sandbox.env)
  const { events } = await eventsHere(repository, ROOT)
  const found = []
  for (const session of [...SESSIONS, 'none']) {
    let read = 0
    const { objects, index } = repository
    const counting = { ...helpers, read: (oid: string) => ((read += 1), objects.read(oid)) }
    const seen = { index, objects: counting } as unknown as typeof repository
    const here = placeOfWorktree(repository, ROOT, { isRead: true })
    const own = await eventsOfSession(seen, here, { root: ROOT, session })
    found.push({ session, own, all: events.filter((one) => one.session === session), read })
  }
  repository.close()
  return found
}

test("finds a session's events among committed, staged, deleted and pending ones, with any git settings", async () => {
  const repo = new Sandbox().init('repo')
  addEvents(repo, 0, 20)
  repo.commit('few')
  for (const { own, all } of await look(repo)) expect(own).toEqual(all)

  addEvents(repo, 20, 70)
  repo.commit('many')
  addEvents(repo, 70, 77)
  repo.git('add', EVENTS)
  addEvents(repo, 77, 84)
  repo
    .git('ls-files', '--', EVENTS)
    .split('\n')
    .slice(0, 5)
    .forEach((path) => rmSync(join(repo.folder, path)))
  repo.write('.gitattributes', '*.md binary\n')
  for (const [key, value] of [
    ['color.ui', 'always'],
    ['grep.patternType', 'perl'],
  ]) {
    repo.git('config', key ?? '', value ?? '')
  }
  for (const { session, own, all, read } of await look(repo)) {
    expect(own, session).toEqual(all)
    expect(own.length, session).toBe(session === 'none' ? 0 : 17)
    // Pending events are read from their files.
    if (session === '0-1') expect(read).toBe(15)
  }
  // A partial clone fetches them together, and all are read.
  for (const { own, all, read } of await look(repo, { prefetch: async () => {} })) {
    expect(own).toEqual(all)
    expect(read).toBe(77)
  }
})
