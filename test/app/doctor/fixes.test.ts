/** Each finding of doctor is brought about; its fix is followed to the letter, and the finding is gone. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HOOKS } from '../../../src/app/hooks/run-hook.ts'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import type { Repo } from '../../support/git-repo.ts'
import { IS_LONG } from '../../support/long.ts'
import { needsHookFiles } from '../../support/not-run.ts'
import { changedPaths } from '../../support/snapshot.ts'
import type { Breakage } from './breakages.ts'
import { BREAKAGES } from './breakages.ts'
import type { Surroundings } from './in-process.ts'
import { doctorIn, fixIn, quick, statusIn } from './in-process.ts'
import { files, forget, history, installed, named, ran, type } from './scene.ts'

const rows = BREAKAGES.filter(
  ({ isTwin, isAboutFiles, what }) =>
    (IS_LONG || isTwin !== true) && (isAboutFiles !== true || !needsHookFiles(what)),
)

/** Each fix is followed once, for the first finding that prints it; the others are found, and print it. */
const followed = new Set(
  rows.filter((row, i) => i === rows.findIndex(({ fix }) => fix.source === row.fix.source)),
)

test.each(rows)('$finding, $what: the printed fix mends it', async (row) => {
  const repo = await installed()
  const healthy = files(repo)
  row.breakIt(repo)
  forget(repo)
  const before = history(repo)
  const surroundings = row.surroundings?.(repo) ?? (row.isReal ? {} : quick(repo))

  const { status, findings } = await doctorIn(repo, surroundings)

  const amiss = findings.filter((finding) => finding.status !== 'ok')
  // One cause is one finding.
  expect(amiss).toEqual([
    {
      name: row.finding,
      status: row.status,
      message: expect.stringMatching(row.message),
      fix: expect.stringMatching(row.fix),
    },
  ])
  expect(status).toBe(row.status === 'broken' ? 1 : 0)
  expect(ran(repo), 'hooks of the user that ran').toBe('')
  expect(history(repo)).toBe(before)

  await expectAgreement(repo, surroundings, findings)

  if (!IS_LONG && !followed.has(row)) return

  // The same as the printed fix, so far.
  if (row.isMendable && IS_LONG) {
    await fixIn(repo, findings)
    expect(left(repo, healthy, row), 'after --fix').toEqual([])
    row.breakIt(repo)
  }
  const fix = named(findings, row.finding)?.fix ?? 'false'
  const mended = await follow(fix, row, repo, surroundings)
  expect(mended.filter((finding) => finding.status !== 'ok')).toEqual([])
  if (row.isMendable) expect(left(repo, healthy, row), 'after the printed fix').toEqual([])
})

const OF_BOTH = ['environment', 'installation', 'launcher']
const OF_DRIVER = new Set([...OF_BOTH, 'driver-config', 'attributes'])
const OF_HOOKS = new Set([...OF_BOTH, 'hooks-folder', 'pending-events', ...HOOKS.map(hookFinding)])

function hookFinding(hook: string): string {
  return `hook-${hook}`
}

/** What doctor calls broken here `status` does not call active, and the other way round. */
async function expectAgreement(
  repo: Repo,
  surroundings: Surroundings,
  findings: readonly Finding[],
): Promise<void> {
  const broken = findings.filter(({ status }) => status === 'broken').map(({ name }) => name)
  // There `status` ends with the same words.
  if (['settings', 'unchecked', 'objects'].some((name) => broken.includes(name))) return
  const { driver, hooks, next } = await statusIn(repo, surroundings)
  expect(driver.active, driver.reason).toBe(!broken.some((name) => OF_DRIVER.has(name)))
  expect(hooks.missing.length === 0).toBe(!broken.some((name) => OF_HOOKS.has(name)))
  if (driver.active && hooks.missing.length === 0) return
  // What only the trial commit shows has no fix of its own there.
  expect([...findings.map(({ fix }) => fix), 'ledger-git doctor']).toContain(next)
  expect(next === 'ledger-git doctor').toBe(broken.includes('pending-events'))
}

/** What doctor finds afterwards. */
async function follow(
  fix: string,
  row: Breakage,
  repo: Repo,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  if (row.byHand !== undefined) row.byHand(repo, fix)
  else {
    const { env = {} } = surroundings
    const typed = type(repo, `${fix}`, env)
    expect(typed, fix).toMatchObject({ status: 0 })
  }
  const unset = /^unset (\w+)$/.exec(fix)?.[1]
  const after = row.afterwards?.(repo) ?? surroundings
  const env = unset === undefined ? after.env : { ...after.env, [unset]: undefined }
  return (await doctorIn(repo, env === undefined ? after : { ...after, env })).findings
}

/** What of the repository is not as it was. */
function left(repo: Repo, healthy: ReturnType<typeof files>, { lost }: Breakage): string[] {
  return changedPaths(healthy, files(repo)).filter(
    (path) =>
      !/^(?:home|bin|elsewhere|git-[\d.]+)(?:\/|$)/.test(path) &&
      (lost === undefined || !path.startsWith(`repo/${lost}`)),
  )
}

test('every finding has a row that always runs', () => {
  const folder = fileURLToPath(new URL('../../../src/app/doctor', import.meta.url))
  const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const names = sources.flatMap((source) =>
    [/const name = '([a-z-]+)'/g, /\b(?:warning|broken)\(\s*'([a-z-]+)'/g].flatMap((pattern) =>
      [...source.matchAll(pattern)].map((match) => match[1] ?? ''),
    ),
  )
  const always = BREAKAGES.filter(({ isTwin }) => isTwin !== true).map(({ finding }) => finding)
  const hooks = new Set(HOOKS.map(hookFinding))
  expect([...new Set(names)].filter((name) => !always.includes(name))).toEqual([])
  expect(always.filter((name) => !names.includes(name) && !hooks.has(name))).toEqual([])
})
