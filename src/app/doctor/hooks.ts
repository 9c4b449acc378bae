/** Hooks: does git reach our part, exactly once? Tried by running them with a probe where that is safe. */

import { CONFIG_HOOKS_SINCE, configHookName } from '../../core/setup/install-texts.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { HookName } from '../hooks/run-hook.ts'
import { HOOKS } from '../hooks/run-hook.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok } from './finding.ts'
import type { SeenHook } from './hook-files.ts'
import { huskyFix, inFolder, missingOfHusky } from './husky.ts'
import type { Installation } from './installation.ts'
import type { Seen } from './look.ts'

/** Our shims end with it when `LEDGER_GIT_PROBE` is set, so that nothing after them runs. */
const PROBE_STATUS = 99
const PROBE = 'LEDGER_GIT_PROBE'

export async function checkHooks(seen: Seen, context: DoctorContext): Promise<Finding[]> {
  const findings = await Promise.all(
    seen.hooks.map((hook) => checkHook(hook, seen.installation, context)),
  )
  return [
    seen.hooksFolder,
    ...findings.flat(),
    await worktreeHooks(context),
    ...(await takesEvents(context)),
  ]
}

async function checkHook(
  { route, isConfig, finding }: SeenHook,
  installation: Installation,
  context: DoctorContext,
): Promise<Finding[]> {
  if (finding !== undefined) return [finding]
  // Only what install would write as it is can be trusted to end a probe before the user's own lines.
  if (!isTrusted(route, installation, context)) return []
  return [await (isConfig ? probeConfig(route, context) : probeFile(route, context))]
}

/** Where it is not, the installation is a finding itself. */
function isTrusted(
  { hook, file }: HookRoute,
  { stale, writer }: Installation,
  { repository }: DoctorContext,
): boolean {
  if (stale.size === 0) return true
  const shims = `${repository.place.commonDir}/ledger-git/hooks`
  return (
    writer === 'this' &&
    ![file, `${shims}/start`, `${shims}/${hook}`].some((path) => stale.has(path))
  )
}

/** Runs the file that git runs; what stands after our block is not reached. */
async function probeFile(route: HookRoute, context: DoctorContext): Promise<Finding> {
  const { probes, repository } = context
  const { gitDir, top } = repository.place
  // pre-commit runs NAME.legacy first: its own file would run every other check too.
  const program = route.file.endsWith('.legacy') ? route.file : route.entry
  const probing = { ...probes.env, [PROBE]: '1', LEDGER_GIT: undefined }
  // As git does: only a plain .git folder goes without saying.
  const isPlain = gitDir === `${top}/.git`
  const answer = await probes.run(program, [], {
    cwd: top ?? gitDir,
    env: isPlain ? probing : { ...probing, GIT_DIR: gitDir, GIT_WORK_TREE: top },
  })
  const count = reached(answer.said, route.hook)
  const name = `hook-${route.hook}`
  if (count === 1 && answer.status === PROBE_STATUS)
    return ok(name, `${program} reaches ledger-git`)
  const said = answer.said === '' ? '' : `: ${answer.said}`
  const what = `${program} does not reach ledger-git (status ${answer.status})${said}`
  return broken(name, what, INSTALL)
}

/** git 2.54: asks git itself, with everybody else's hooks switched off. */
async function probeConfig({ hook }: HookRoute, context: DoctorContext): Promise<Finding> {
  const { probes, repository, gits } = context
  const { top, gitDir } = repository.place
  const others = (await otherHooks(context)).map((name) => `hook.${name}.enabled`)
  const settings = [['core.hooksPath', '/dev/null'], ...others.map((key) => [key, 'false'])]
  const probing = {
    ...probes.env,
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
    [PROBE]: '1',
    LEDGER_GIT: undefined,
  }
  const options = { cwd: top ?? gitDir, env: probing }
  const answer = await probes.run('git', ['hook', 'run', hook], options)
  const name = `hook-${hook}`
  if (reached(answer.said, hook) === 1)
    return ok(name, `git ${gits.running} runs it from its configuration`)
  const said = answer.said === '' ? '' : `: ${answer.said}`
  const what = `git ${gits.running} does not run it from its configuration${said}`
  // Another value of ours in the configuration goes before the one that install wrote.
  const fix = `git config --unset-all hook.${configHookName(hook)}.command; ${INSTALL}`
  return broken(name, what, fix)
}

/** Friendly names of hooks that others configured. */
async function otherHooks({ repository, probes }: DoctorContext): Promise<string[]> {
  const { top, gitDir } = repository.place
  const ours = new Set(HOOKS.map((hook) => configHookName(hook)))
  const args = ['config', '--name-only', '--get-regexp', String.raw`^hook\..*\.command$`]
  const env = { ...probes.env, GIT_DIR: gitDir }
  const { said, status } = await probes.run('git', args, { cwd: top ?? gitDir, env })
  if (status !== 0) return []
  const names = said.split('\n').map((key) => key.slice('hook.'.length, -'.command'.length))
  return names.filter((name) => !ours.has(name))
}

function reached(said: string, hook: HookName): number {
  return said.split('\n').filter((line) => line === `ledger-git probe: ${hook}`).length
}

/** What all of it is for: a commit in a copy that is thrown away takes a pending event along. */
async function takesEvents({ probes, repository, settings }: DoctorContext): Promise<Finding[]> {
  if (repository.place.top === undefined) return []
  const name = 'pending-events'
  const { isTaken, said } = await probes.commitEvent(settings.root)
  if (isTaken) return [ok(name, 'a trial commit took a pending event along')]
  const why = said === '' ? '' : `: ${said}`
  return [broken(name, `a trial commit left a pending event behind${why}`, INSTALL)]
}

/** A relative core.hooksPath is another folder in every worktree; husky's is missing in a new one. */
async function worktreeHooks({
  probes,
  files,
  gits,
  hooks,
  repository,
}: DoctorContext): Promise<Finding> {
  const name = 'hooks-in-worktrees'
  if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    return ok(name, `git ${gits.running} runs them in every worktree`)
  }
  const without: { folder: string; fix: string }[] = []
  for (const { path, gitDir, isBare } of await probes.worktrees()) {
    if (isBare || gitDir === repository.place.gitDir) continue
    const folder = await probes.hooksFolderIn({ path, gitDir, isBare })
    if (folder === hooks.effective) continue
    const missing = missingOfHusky(folder, hooks.owner, files)
    if (missing !== undefined) {
      without.push({ folder: missing, fix: huskyFix(missing, path, '', files) })
    } else if (files.kind(`${folder}/pre-commit`) === 'absent') {
      without.push({ folder, fix: inFolder(path, '', INSTALL) })
    }
  }
  if (without.length === 0) return ok(name, 'every worktree has them')
  const folders = without.map(({ folder }) => folder).join(', ')
  const what = `not there, so git runs no hook in that worktree: ${folders}`
  return broken(name, what, without.map(({ fix }) => fix).join(' && '))
}
