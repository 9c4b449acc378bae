/** Giving a checkpoint to a memory tool: its title, and that only the user's own setting can enable it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeContextCheckpoint } from '../../../src/app/context/write-checkpoint.ts'
import type { MemoryText } from '../../../src/app/shadow/session-ports.ts'
import { newRecord, observe } from '../../../src/core/context/record.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/settings/settings.ts'
import type { Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { chance } from '../../support/secrets.ts'
import { sessionContext } from '../../support/session-context.ts'

const about = { session: 'a', agent: 'claude', startedAt: '2026-01-10T12:00:00Z' }
const record = observe(
  { ...newRecord(about), window: 200_000, limit: 167_000 },
  { at: 0, tokens: 150_000, source: 'transcript' },
)

async function checkpoint(repo: Repo, answer?: string) {
  const saved: MemoryText[] = []
  const said: string[] = []
  const context = await sessionContext(repo.folder, repo.sandbox.env, {
    log: (line) => void said.push(line),
    saveMemory: async (memory) => {
      saved.push(memory)
      return answer
    },
  })
  const { isRemembered, path } = await writeContextCheckpoint(context, undefined, {
    by: 'typed',
    reason: 'manual',
    settings: { ...DEFAULT_SETTINGS, contextMemory: 'claude-mem' },
    issue: 'ANV-123',
    record,
    words: { now: `wire the form with ghp_${chance(36)}`, next: ['validate'] },
  })
  return { saved, said, isRemembered, document: repo.read(path) }
}

test("saves the document without secrets, under a title that the tool's search finds", async () => {
  const repo = ledgerRepo()
  repo.git('config', 'ledger.memory', 'claude-mem')
  const { saved, isRemembered, document } = await checkpoint(repo)
  expect(isRemembered).toBe(true)
  expect(saved).toEqual([
    {
      title: 'Context Checkpoint L2 at 75% - ANV-123',
      text: document,
      project: repo.folder.split('/').at(-1),
    },
  ])
  expect(saved[0]?.text).not.toContain('ghp_')
})

test('logs that the tool does not answer, and still writes the document', async () => {
  const repo = ledgerRepo()
  repo.git('config', 'ledger.memory', 'claude-mem')
  const { said, isRemembered, document } = await checkpoint(repo, 'ECONNREFUSED')
  expect(isRemembered).toBe(false)
  expect(said).toContain('checkpoint not given to claude-mem: ECONNREFUSED')
  expect(document).toContain('wire the form')
})

test.each([
  ['the setting is missing', () => {}],
  [
    'the setting names another tool',
    (repo: Repo) => void repo.git('config', 'ledger.memory', 'other'),
  ],
  [
    'the setting is in a file that a commit can bring',
    (repo: Repo) => {
      writeFileSync(join(repo.folder, 'theirs'), '[ledger]\n\tmemory = claude-mem\n')
      repo.git('config', 'include.path', '../theirs')
    },
  ],
])('saves nothing if %s', async (_, prepare) => {
  const repo = ledgerRepo()
  prepare(repo)
  expect(await checkpoint(repo)).toMatchObject({ saved: [], isRemembered: false })
})
