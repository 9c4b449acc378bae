/** Real processes write to one chain at the same time, and nobody's part is lost. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { expect } from 'vitest'
import { recover } from '../../../src/app/shadow/recover.ts'
import { EVENTS, Sandbox } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'
import {
  contextOf,
  eventName,
  eventText,
  shadowPaths,
  shadowRefs,
  shadowSteps,
  shadowText,
} from './shadow-repo.ts'
import { longTest } from '../../support/long.ts'

const STEPS = 5

async function program(sandbox: Sandbox): Promise<string> {
  const outDir = join(sandbox.folder, 'program')
  await build({
    entry: [fileURLToPath(new URL('step-writer.ts', import.meta.url))],
    outDir,
    config: false,
    logLevel: 'silent',
    format: 'esm',
    outExtensions: () => ({ js: '.mjs' }),
    dts: false,
    deps: { alwaysBundle: [/^(?!node:)/] },
  })
  return join(outDir, 'step-writer.mjs')
}

function run(repo: Repo, file: string, ...words: string[]): Promise<string> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [file, repo.folder, ...words], { env: repo.sandbox.env })
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += text.toString()))
    child.on('close', (status) => done(status === 0 ? '' : `${status}: ${said}`))
  })
}

longTest('concurrent sessions, one of which leaves, keep everything that they wrote', async () => {
  const repo = new Sandbox().init()
  repo.commit('first', { 'a.txt': 'a\n' })
  repo.write(`${EVENTS}/${eventName(1)}`, eventText(1))
  const file = await program(repo.sandbox)
  const ids = ['s1', 's2', 's3']
  const steps = await Promise.all(ids.map((id) => run(repo, file, id, String(STEPS))))
  expect(steps).toEqual(['', '', ''])
  // A write that overwrote another one would lose a commit.
  expect(shadowSteps(repo)).toBe(ids.length * STEPS)
  const ends = await Promise.all([
    run(repo, file, 's4', String(STEPS)),
    run(repo, file, 'leaver', '2', 'leaves'),
  ])
  ids.push('s4')
  expect(ends).toEqual(['', ''])
  expect(shadowRefs(repo)).toHaveLength(1)
  const ref = shadowRefs(repo)[0] ?? ''
  expect(repo.git('ls-tree', '--name-only', `${ref}:sessions`).split('\n')).toEqual(ids)
  for (const id of ids) {
    const all = Array.from({ length: STEPS }, (_, n) => `${id}-${n + 1}.txt`)
    const kept = shadowPaths(repo, `sessions/${id}/files`)
    expect(kept.filter((path) => path.startsWith(`${id}-`))).toEqual(all)
    expect(shadowText(repo, `sessions/${id}/files/${id}-1.txt`)).toBe(`${id}-1.txt`)
  }
  expect(shadowPaths(repo, 'events')).toEqual([eventName(1)])
  repo.git('clean', '-fdxq')
  await recover(await contextOf(repo))
  expect(repo.read(`${EVENTS}/${eventName(1)}`)).toBe(eventText(1))
})
