/** The event of a session whose log is longer than what is read of it. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent as says, call, user } from '../../core/report/endings.ts'
import { EVENTS } from '../../support/git-repo.ts'
import { SECRETS } from '../../support/secrets.ts'
import { Actor, Stage } from '../session/actors.ts'

test('names the requests before the part that was read, without secrets, and gives no answer to a wrong one', async () => {
  const stage = new Stage()
  const actor = new Actor(stage, 'one')
  const transcript = join(stage.repo.sandbox.folder, 'log.jsonl')
  const edit = call('Edit', { file_path: join(stage.repo.folder, 'old.txt') }, { content: 'ok' })
  const long = call('Read', { file_path: 'big.txt' }, { content: 'words '.repeat(500_000) })
  const { secret } = SECRETS.find(({ kind }) => kind === 'github-token') ?? { secret: '' }
  const [first, second, third] = [
    `Write a limit for the token ${secret}`,
    'Count the requests of each user',
    'Show the counts on a page',
  ]
  const log = [
    user(first),
    ...edit,
    says('The limit is there.'),
    user(second),
    ...long,
    ...edit,
    says('Each user has a counter now.'),
    user(third),
    ...edit,
    says('The page shows the counts.'),
  ]
  for (const prompt of [first, second, third]) {
    await actor.signal('turn_start', { prompt, transcript })
    writeFileSync(transcript, `${log.join('\n')}\n`)
    await actor.signal('turn_end', { transcript })
  }
  await actor.signal('session_end', { transcript })
  const folder = join(stage.repo.folder, EVENTS)
  const name = readdirSync(folder).find((one) => one.endsWith('.md')) ?? ''
  const event = readFileSync(join(folder, name), 'utf8')
  expect(event).toContain('“Count the requests of each user”: Each user has a counter now.')
  expect(event).toMatch(/In brief: “Write a limit for the token \[redacted: [\w-]+\]”\./)
  expect(event).not.toContain(secret)
})
