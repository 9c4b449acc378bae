/**
 * Whether an ongoing session should report to the ledger: decided by the recent checkpoints, without reading the
 * others.
 */

import { expect, test } from 'vitest'
import { isCheckpointDue } from '../../../src/app/report/checkpoint-due.ts'
import type { SessionContext } from '../../../src/app/shadow/session-context.ts'
import { formatInstant, instantFromMillis } from '../../../src/core/event/instant.ts'
import { eventFileName, renderEvent } from '../../../src/core/event/write-event.ts'
import type { SessionState } from '../../../src/core/session/session-state.ts'
import type { Settings } from '../../../src/core/settings/settings.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import type { Repo } from '../../support/git-repo.ts'
import { EVENTS, ROOT, Sandbox } from '../../support/git-repo.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 10, 12, 0, 0, 400)

interface Written {
  readonly minutesAgo: number
  readonly type?: string
  /** A name other than the ones we give. */
  readonly name?: string
}

function addEvent(repo: Repo, { minutesAgo, type = 'checkpoint', name }: Written): void {
  const instant = instantFromMillis(NOW - minutesAgo * MINUTE)
  const text = renderEvent({ ts: formatInstant(instant), agent: 'claude', type, now: `at ${name}` })
  repo.write(`${EVENTS}/${name ?? eventFileName(instant, 'claude', text)}`, text)
}

async function ask({ folder, sandbox }: Repo, startedMinutesAgo: number, interval = 30) {
  const repository = await openRepository(folder, sandbox.env)
  let read = 0
  const { objects } = repository
  const counting = { read: (oid: string) => ((read += 1), objects.read(oid)) }
  const context = { clock: { now: () => NOW }, repository: { ...repository, objects: counting } }
  const startedAt = formatInstant(instantFromMillis(NOW - startedMinutesAgo * MINUTE))
  const settings = { root: ROOT, checkpointIntervalMillis: interval * MINUTE }
  const isDue = await isCheckpointDue(
    context as unknown as SessionContext,
    { startedAt } as SessionState,
    settings as Settings,
  )
  repository.close()
  return { isDue, read }
}

test('does not read old events, whatever the names of the new ones', async () => {
  const repo = new Sandbox().init('repo')
  for (let n = 31; n < 60; n++) addEvent(repo, { minutesAgo: n })
  addEvent(repo, { minutesAgo: 3, type: 'note' })
  repo.commit('old ones')
  expect(await ask(repo, 20)).toEqual({ isDue: false, read: 0 })
  expect(await ask(repo, 40)).toEqual({ isDue: true, read: 1 })
  expect(await ask(repo, 40, 32)).toMatchObject({ isDue: false })
  for (const about of [
    { minutesAgo: 30 - 1e-4 },
    { minutesAgo: -29 },
    { minutesAgo: 5, name: '2020-by-hand.md' },
  ]) {
    addEvent(repo, about)
    expect(await ask(repo, 40), JSON.stringify(about)).toMatchObject({ isDue: false })
    repo.git('clean', '-fdq')
  }
  for (const minutesAgo of [31, -31]) addEvent(repo, { minutesAgo })
  expect(await ask(repo, 40)).toMatchObject({ isDue: true })
})
