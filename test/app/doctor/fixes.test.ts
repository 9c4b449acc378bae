/** Provokes each finding of doctor and follows its fix to the letter, after which the finding is gone. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { HOOKS } from '../../../src/app/hooks/hook-context.ts'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import type { Repo } from '../../support/git-repo.ts'
import { IS_LONG, sampleOf } from '../../support/long.ts'
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

/** Rows of one scene are provoked together; with LEDGER_LONG=1, each one separately. */
const scenes = IS_LONG
  ? rows.map((row) => [row])
  : rows.flatMap((row, i) =>
      row.scene === undefined
        ? [[row]]
        : rows.findIndex(({ scene }) => scene === row.scene) === i
          ? [rows.filter(({ scene }) => scene === row.scene)]
          : [],
    )

/** Each fix is followed once, for the first finding that prints it. The other rows only check that they print it. */
const followed = new Set(
  rows.filter((row, i) => i === rows.findIndex(({ fix }) => fix.source === row.fix.source)),
)

const titled = scenes.map((scene) => ({
  scene,
  title: scene.map(({ finding, what }) => `${finding}, ${what}`).join('; '),
}))

test.each(sampleOf(titled, 9))('$title: the printed fix repairs it', async ({ scene }) => {
  const repo = installed()
  const healthy = files(repo)
  const breakIt = () => {
    for (const row of scene) row.breakIt(repo)
  }
  breakIt()
  forget(repo)
  const before = history(repo)
  const surroundings = together(
    scene.map((row) => row.surroundings?.(repo) ?? (row.isReal ? {} : quick(repo))),
  )

  const { status, findings } = await doctorIn(repo, surroundings)

  const amiss = findings.filter((finding) => finding.status !== 'ok')
  // One cause is one finding.
  expect(amiss.toSorted(byName)).toEqual(
    scene
      .map((row) => ({
        name: row.finding,
        status: row.status,
        message: expect.stringMatching(row.message) as string,
        fix: expect.stringMatching(row.fix) as string,
      }))
      .toSorted(byName),
  )
  expect(status).toBe(scene.some((row) => row.status === 'broken') ? 1 : 0)
  expect(ran(repo), 'hooks of the user that ran').toBe('')
  expect(history(repo)).toBe(before)

  await expectAgreement(repo, surroundings, findings)

  if (!IS_LONG && !scene.some((row) => followed.has(row))) return

  const isMendable = scene.every((row) => row.isMendable)
  // `--fix` and the printed fix have the same result so far.
  if (isMendable && IS_LONG) {
    await fixIn(repo, findings)
    expect(left(repo, healthy, scene), 'after --fix').toEqual([])
    breakIt()
  }
  const mended = await follow(scene, repo, { surroundings, findings })
  expect(mended.filter((finding) => finding.status !== 'ok')).toEqual([])
  if (isMendable) expect(left(repo, healthy, scene), 'after the printed fix').toEqual([])
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

function together(all: readonly Surroundings[]): Surroundings {
  return Object.assign({}, ...all, {
    env: Object.assign({}, ...all.map(({ env }) => env)) as NodeJS.ProcessEnv,
  }) as Surroundings
}

const OF_BOTH = ['environment', 'installation', 'launcher']
const OF_DRIVER = new Set([...OF_BOTH, 'driver-config', 'attributes'])
const OF_HOOKS = new Set([...OF_BOTH, 'hooks-folder', 'pending-events', ...HOOKS.map(hookFinding)])

function hookFinding(hook: string): string {
  return `hook-${hook}`
}

/** `status` calls active exactly what doctor does not call broken. */
async function expectAgreement(
  repo: Repo,
  surroundings: Surroundings,
  findings: readonly Finding[],
): Promise<void> {
  const broken = findings.filter(({ status }) => status === 'broken').map(({ name }) => name)
  // With these findings, `status` ends with the same words.
  if (['settings', 'unchecked', 'objects'].some((name) => broken.includes(name))) return
  const { driver, hooks, next, reason } = await statusIn(repo, surroundings)
  const hidden = findings.find(({ name, status }) => name === 'ignored' && status === 'broken')
  if (hidden !== undefined) expect(reason).toBe(hidden.message)
  if (broken.length === 1 && hidden !== undefined) expect(next).toBe('ledger-git doctor')
  expect(driver.active, driver.reason).toBe(!broken.some((name) => OF_DRIVER.has(name)))
  expect(hooks.missing.length === 0).toBe(!broken.some((name) => OF_HOOKS.has(name)))
  if (driver.active && hooks.missing.length === 0) return
  // What only the trial commit reveals has no separate fix in `status`.
  expect([...findings.map(({ fix }) => fix), 'ledger-git doctor']).toContain(next)
  if (broken.length > 1) return
  expect(next === 'ledger-git doctor').toBe(broken.includes('pending-events'))
}

/** What doctor finds after each fix was followed. */
async function follow(
  scene: readonly Breakage[],
  repo: Repo,
  { surroundings, findings }: { surroundings: Surroundings; findings: readonly Finding[] },
): Promise<readonly Finding[]> {
  const typed = new Set<string>()
  let after = surroundings
  for (const row of scene) {
    const fix = named(findings, row.finding)?.fix ?? 'false'
    if (row.byHand !== undefined) row.byHand(repo, fix)
    else if (!typed.has(fix)) {
      const ran = type(repo, fix, surroundings.env)
      expect(ran, fix).toMatchObject({ status: 0 })
      typed.add(fix)
    }
    after = together([after, row.afterwards?.(repo) ?? {}])
    const unset = /^unset (\w+)$/.exec(fix)?.[1]
    if (unset !== undefined) after = together([after, { env: { [unset]: undefined } }])
  }
  return (await doctorIn(repo, after)).findings
}

/** Paths in the repository that are not as before. */
function left(repo: Repo, healthy: ReturnType<typeof files>, scene: readonly Breakage[]): string[] {
  const lost = scene.flatMap((row) => row.lost ?? [])
  return changedPaths(healthy, files(repo)).filter(
    (path) =>
      !/^(?:home|bin|elsewhere|git-[\d.]+)(?:\/|$)/.test(path) &&
      !lost.some((one) => path.startsWith(`repo/${one}`)) &&
      !scene.some(({ adds }) => adds?.test(path)),
  )
}

test('every finding has its own row', () => {
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
