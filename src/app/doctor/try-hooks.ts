/** Hooks: does git reach our part exactly once? They are run with a probe if that is safe. */

import { CONFIG_HOOKS_SINCE, configHookName } from '../../core/setup/install-texts.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { HookName } from '../hooks/hook-context.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import type { Env, Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok } from './finding.ts'
import type { Seen } from './look.ts'
import { huskyFix, inFolder, missingOfHusky } from './look-at-hooks.ts'

/** Our shims exit with this status if `LEDGER_GIT_PROBE` is set, so that nothing after them runs. */
const PROBE_STATUS = 99

/** Runs only hooks that are sure to stop before the user's own lines; reports the others as examined. */
export async function tryHooks({ hooks, installation }: Seen, setup: Setup): Promise<Finding[]> {
  const { stale, writer } = installation
  const shims = `${setup.repository.place.commonDir}/ledger-git/hooks`
  const isAsWritten = ({ hook, file }: HookRoute) =>
    stale.size === 0 ||
    (writer === 'this' &&
      ![file, `${shims}/start`, `${shims}/${hook}`].some((path) => stale.has(path)))
  const findings = hooks.map(async ({ route, isConfig, finding }) => {
    if (finding !== undefined) return [finding]
    // Otherwise `installation` is a finding itself.
    if (!isAsWritten(route)) return []
    return [await (isConfig ? probeConfig(route.hook, setup) : probeFile(route, setup))]
  })
  return (await Promise.all(findings)).flat()
}

/** Runs the file that git runs; anything after our block is not reached. */
async function probeFile({ hook, file, entry }: HookRoute, setup: Setup): Promise<Finding> {
  const { gitDir, top } = setup.repository.place
  // The pre-commit tool runs NAME.legacy first; its own file would also run every other check.
  const program = file.endsWith('.legacy') ? file : entry
  // As git does: a plain .git folder needs no variables.
  const place = gitDir === `${top}/.git` ? {} : { GIT_DIR: gitDir, GIT_WORK_TREE: top }
  const { count, status, said } = await probe(hook, program, [], place, setup)
  return count === 1 && status === PROBE_STATUS
    ? ok(`hook-${hook}`, `${program} reaches ledger-git`)
    : broken(
        `hook-${hook}`,
        `${program} does not reach ledger-git (status ${status})${said}`,
        INSTALL,
      )
}

/** With git 2.54, has git itself run the hook, with all other hooks switched off. */
async function probeConfig(hook: HookName, setup: Setup): Promise<Finding> {
  const { probes, repository, gits } = setup
  const { top, gitDir } = repository.place
  const ours = new Set(HOOKS.map((each) => `hook.${configHookName(each)}.command`))
  const pattern = String.raw`^hook\..*\.command$`
  const listed = await probes.run('git', ['config', '--name-only', '--get-regexp', pattern], {
    ...probes.env,
    GIT_DIR: gitDir,
  })
  const keys = listed.status === 0 ? listed.said.split('\n') : []
  const others = keys.filter((key) => !ours.has(key))
  const settings = [
    ['core.hooksPath', '/dev/null'],
    ...others.map((key) => [key.replace(/command$/, 'enabled'), 'false']),
  ]
  const place = {
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
  }
  const { count, said } = await probe(hook, 'git', ['hook', 'run', hook], place, setup)
  if (count === 1) return ok(`hook-${hook}`, `git ${gits.running} runs it from its configuration`)
  const what = `git ${gits.running} does not run it from its configuration${said}`
  // Another value for our hook in the configuration overrides the one that install wrote.
  const fix = `git config --unset-all hook.${configHookName(hook)}.command; ${INSTALL}`
  return broken(`hook-${hook}`, what, fix)
}

/** Counts how often our part was reached. */
async function probe(
  hook: HookName,
  program: string,
  args: readonly string[],
  place: Env,
  { probes }: Setup,
) {
  const env = { ...probes.env, LEDGER_GIT: undefined, LEDGER_GIT_PROBE: '1', ...place }
  const { status, said } = await probes.run(program, args, env)
  const lines = said.split('\n').filter((line) => line === `ledger-git probe: ${hook}`)
  return { count: lines.length, status, said: said === '' ? '' : `: ${said}` }
}

/** The purpose of all hooks: does a commit in a throw-away copy include a pending event? */
export async function tryCommit({ probes, repository, settings }: Setup): Promise<Finding[]> {
  if (repository.place.top === undefined) return []
  const { isTaken, said } = await probes.commitEvent(settings.root)
  if (isTaken) return [ok('pending-events', 'a trial commit took a pending event along')]
  const why = said === '' ? '' : `: ${said}`
  return [broken('pending-events', `a trial commit left a pending event behind${why}`, INSTALL)]
}

/** A relative core.hooksPath is a different folder in each worktree; husky's folder is missing in a new worktree. */
export async function hooksInWorktrees(setup: Setup): Promise<Finding> {
  const { probes, files, gits, hooks, repository } = setup
  const name = 'hooks-in-worktrees'
  if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    return ok(name, `git ${gits.running} runs them in every worktree`)
  }
  const without: { folder: string; fix: string }[] = []
  for (const worktree of await probes.worktrees()) {
    if (worktree.isBare || worktree.gitDir === repository.place.gitDir) continue
    const folder = await probes.hooksFolderIn(worktree)
    if (folder === hooks.effective) continue
    const missing = missingOfHusky(folder, hooks.owner, files)
    if (missing !== undefined) {
      without.push({ folder: missing, fix: huskyFix(missing, worktree.path, '', files) })
    } else if (files.kind(`${folder}/pre-commit`) === 'absent') {
      without.push({ folder, fix: inFolder(worktree.path, '', INSTALL) })
    }
  }
  if (without.length === 0) return ok(name, 'every worktree has them')
  const folders = without.map(({ folder }) => folder).join(', ')
  const what = `missing, so git runs no hook in that worktree: ${folders}`
  return broken(name, what, without.map(({ fix }) => fix).join(' && '))
}
