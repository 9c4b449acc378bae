/** A real program that writes the event at the end of a session (`ledger.summarizer`). */

import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import type { Repo } from '../support/git-repo.ts'
import { EVENTS } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { scene, turn } from './commit-scene.ts'

builtFrom(() => import('../../src/entry/summarize.ts'))

async function until<T>(look: () => T | undefined): Promise<T> {
  for (let i = 0; i < 1000; i++) {
    const found = look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('it never came')
}

/** The only event, once nobody is working on it any more. */
function theEvent(repo: Repo): Promise<string> {
  return until(() => {
    const [name, ...more] = readdirSync(join(repo.folder, EVENTS)).filter((one) =>
      one.endsWith('.md'),
    )
    const isDone = readdirSync(join(repo.folder, '.git/ledger-git/summaries')).length === 0
    if (name === undefined || !isDone) return undefined
    expect(more).toEqual([])
    return repo.read(`${EVENTS}/${name}`)
  })
}

function summarizer(repo: Repo, script: string): string {
  const file = join(repo.sandbox.folder, 'summarize')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  repo.git('config', '--global', 'ledger.summarizer', `'${file}'`)
  return file
}

test('the summarizer’s answer becomes the event, committed without delaying the session’s end', async () => {
  const { repo, agent } = scene('session-a')
  const [go, seen] = ['go', 'seen'].map((name) => join(repo.sandbox.folder, name))
  const script = `cat >'${seen}'; pwd >>'${seen}'; echo "hooks: $LEDGER_GIT" >>'${seen}'
    while [ ! -e '${go}' ]; do sleep 0.1; done; printf '%s\\n' '\`\`\`yaml' 'now: "the parser reads dates"' 'agent: mallory' '\`\`\`'`
  summarizer(repo, script)
  await turn(agent, { 'parser.ts': 'export {}\n' })
  await agent.end()
  // The summary is still running, and cannot be done yet.
  expect(existsSync(join(repo.folder, '.git/ledger-git/summaries/session-a.json'))).toBe(true)
  writeFileSync(go ?? '', '')
  const event = await theEvent(repo)
  expect(event).toContain('now: the parser reads dates')
  expect(event).toMatch(/^agent: claude$[^]*^session: session-a$/m)
  await until(() => (repo.status().includes('events') ? undefined : true))
  expect(repo.git('log', '-1', '--format=%s')).toBe('chore(ledger): session_end by claude')
  const given = readFileSync(seen ?? '', 'utf8')
  expect(given).toContain('Write parser.ts')
  expect(given).toContain(`${repo.folder}/.git/ledger-git\nhooks: 0\n`)
})

longTest('ledger-git writes the event when the summarizer fails', async () => {
  const { repo, agent } = scene('session-a')
  summarizer(repo, 'echo "now: half of it"; exit 1')
  await turn(agent, { 'parser.ts': 'export {}\n' })
  await agent.end()
  const event = await theEvent(repo)
  expect(event).toContain('session: session-a')
  expect(event).not.toContain('half of it')
})
