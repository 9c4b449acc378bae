/** Hooks: does git reach our part, exactly once? Tried by running them with a probe where that is safe. */

import {
  callsHook,
  CONFIG_HOOKS_SINCE,
  configHookName,
  HOOK_BLOCK_VERSION,
  hookCommand,
  lefthookSnippet,
} from '../../core/setup/install-texts.ts'
import { hasHalfBlock } from '../../core/setup/half-block.ts'
import { isHeaderOnly } from '../../core/setup/hook-script.ts'
import { blocksOf, blockVersion, textBeforeBlock } from '../../core/setup/marked-block.ts'
import { shellWord } from '../../core/shell-word.ts'
import { isAtLeast } from '../../core/version.ts'
import type { HookName } from '../run-hook.ts'
import { HOOKS } from '../run-hook.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import { readManifest } from '../setup/install-record.ts'
import { hookRoutes, runsConfigHook } from '../setup/hook-routes.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, warning } from './finding.ts'

/** Our shims end with it when `LEDGER_GIT_PROBE` is set, so that nothing after them runs. */
const PROBE_STATUS = 99
const PROBE = 'LEDGER_GIT_PROBE'

export async function checkHooks(context: DoctorContext): Promise<Finding[]> {
  const { files, hooks, repository } = context
  const routes = hookRoutes({ files, hooks, top: repository.place.top })
  // Only what install would write as it is can be trusted to end a probe before the user's own lines.
  const { changes } = await context.install({ local: false, dryRun: true })
  const changed = new Set(changes.map(({ path }) => path))
  const findings = await Promise.all(routes.map((route) => checkHook(route, changed, context)))
  return [hooksFolder(context), ...findings, await worktreeHooks(context)]
}

function hooksFolder({ hooks, files, gits }: DoctorContext): Finding {
  const name = 'hooks-folder'
  const isConfigGit = isAtLeast(gits.running, CONFIG_HOOKS_SINCE)
  if (hooks.owner === 'foreign') {
    const what = `git takes hooks from ${hooks.effective}, which is not this repository's`
    return isConfigGit
      ? ok(name, `${what}; git ${gits.running} runs ours without it`)
      : warning(name, what, `add ledger-git to the hooks there: docs/install.md, or use git 2.54`)
  }
  const isMissing = files.kind(hooks.effective) === 'absent'
  if (isMissing && !isConfigGit) {
    const fix = hooks.owner === 'husky' ? 'npm install (husky makes it)' : INSTALL
    return broken(name, `${hooks.effective} does not exist: git runs no hook`, fix)
  }
  return ok(name, `${hooks.effective} (${WHOSE[hooks.owner]})`)
}

const WHOSE = { git: "git's own", husky: 'husky', local: 'core.hooksPath of this repository' }

async function checkHook(
  route: HookRoute,
  changed: ReadonlySet<string>,
  context: DoctorContext,
): Promise<Finding> {
  const { repository, gits } = context
  if (await runsConfigHook(repository, gits.running, route.hook)) return probeConfig(route, context)
  const reason = whyUnreached(route, context) ?? whyNotTried(route, changed, context)
  return reason ?? probeFile(route, context)
}

/** Where a probe might not end before the user's own lines. */
function whyNotTried(
  route: HookRoute,
  changed: ReadonlySet<string>,
  { files, repository, version }: DoctorContext,
): Finding | undefined {
  const name = `hook-${route.hook}`
  const { commonDir } = repository.place
  const [block = ''] = blocksOf(files.read(route.file) ?? '')
  if (blockVersion(block) > HOOK_BLOCK_VERSION) {
    const fix = 'npm install ledger-git@latest'
    return warning(name, `a newer ledger-git wrote ${route.file}: not tried out`, fix)
  }
  const shims = ['start', route.hook].map((file) => `${commonDir}/ledger-git/hooks/${file}`)
  const stale = [...shims, route.file].find((path) => changed.has(path))
  if (stale === undefined) return undefined
  const isOlder =
    stale === route.file
      ? blockVersion(block) < HOOK_BLOCK_VERSION
      : readManifest(files, repository.place).version !== version
  return isOlder
    ? warning(name, `an older ledger-git wrote ${stale}: not tried out`, INSTALL)
    : broken(name, `${stale} is not as ledger-git wrote it`, INSTALL)
}

/** What can be seen without running anything. */
function whyUnreached(route: HookRoute, context: DoctorContext): Finding | undefined {
  const { files, hooks, repository } = context
  const name = `hook-${route.hook}`
  const shims = `${repository.place.commonDir}/ledger-git/hooks`
  const missing = [route.hook, 'start'].find((file) => files.kind(`${shims}/${file}`) !== 'file')
  if (missing !== undefined) return broken(name, `${shims}/${missing} is missing`, INSTALL)
  if (hooks.owner === 'foreign') {
    if (callsHook(files.read(route.entry) ?? '', route.hook)) {
      return ok(name, `${route.entry} calls ledger-git (not run: it is not this repository's)`)
    }
    const line = `${hookCommand(route.hook, '"$@"')} || exit $?`
    return broken(name, `${route.entry} does not call ledger-git`, `add to it: ${line}`)
  }
  if (files.kind(route.entry) !== 'file') {
    return broken(name, `${route.entry} is missing: git does not run the hook`, INSTALL)
  }
  if ((files.mode(route.entry) & 0o111) === 0) {
    return broken(
      name,
      `${route.entry} has no run bit: git ignores it`,
      `chmod +x ${shellWord(route.entry)}`,
    )
  }
  const text = files.read(route.file) ?? ''
  if (hasHalfBlock(text)) {
    return broken(name, `${route.file} holds half a block of ledger-git`, INSTALL)
  }
  const blocks = blocksOf(text)
  if (blocks.length > 1) return broken(name, `${route.file} calls ledger-git twice`, INSTALL)
  if (blocks.length === 0 && route.isCalledByManager) {
    return ok(name, 'lefthook’s settings call ledger-git (not run: your other jobs would run)')
  }
  if (blocks.length === 0) {
    return broken(name, `${route.file} does not call ledger-git${hint(route)}`, fixOf(route))
  }
  if (!isHeaderOnly(textBeforeBlock(text) ?? '')) {
    const fix = `move the block to the top of ${route.file}`
    return warning(name, `${route.file} runs other lines first, so it was not tried out`, fix)
  }
  return undefined
}

function hint({ manager }: HookRoute): string {
  return manager === undefined ? '' : ` (${manager} wrote it anew)`
}

function fixOf({ manager, hook }: HookRoute): string {
  if (manager !== 'lefthook') return INSTALL
  return `${INSTALL}; to keep it, in lefthook.yml:\n${lefthookSnippet([hook]).trimEnd()}`
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
  return broken(
    name,
    `${program} does not reach ledger-git (status ${answer.status})${said}`,
    INSTALL,
  )
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
  const fix = `git config --get-regexp '^hook\\.', then ${INSTALL}`
  return broken(name, `git ${gits.running} does not run it from its configuration${said}`, fix)
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

/** A relative core.hooksPath is another folder in every worktree; husky's is missing in a new one. */
async function worktreeHooks({ probes, files, gits, hooks }: DoctorContext): Promise<Finding> {
  const name = 'hooks-in-worktrees'
  const worktrees = await probes.worktrees()
  if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    return ok(name, `git ${gits.running} runs them in every worktree`)
  }
  const without: string[] = []
  for (const worktree of worktrees) {
    if (worktree.isBare) continue
    const folder = await probes.hooksFolderIn(worktree)
    if (folder === hooks.effective) continue
    if (files.kind(`${folder}/pre-commit`) === 'absent') without.push(folder)
  }
  return without.length === 0
    ? ok(name, 'every worktree has them')
    : broken(
        name,
        `not there, so git runs no hook in that worktree: ${without.join(', ')}`,
        hooks.owner === 'husky'
          ? 'npm install in that worktree'
          : 'commit the hooks folder, or run ledger-git install in that worktree',
      )
}
