/** Hooks as far as they can be seen without running anything. `status` says the same. */

import {
  callsHook,
  CONFIG_HOOKS_SINCE,
  configHookName,
  HOOK_BLOCK_VERSION,
  hookCommand,
} from '../../core/setup/install-texts.ts'
import { hasHalfBlock } from '../../core/setup/half-block.ts'
import { endsEarly, interpreterOf, isHeaderOnly } from '../../core/setup/hook-script.ts'
import { blocksOf, blockVersion, textBeforeBlock } from '../../core/setup/marked-block.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import { hookRoutes, runsConfigHook } from '../setup/hook-routes.ts'
import type { SetupContext } from './context.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, ok, UPGRADE, warning } from './finding.ts'
import { huskyFix, missingOfHusky } from './husky.ts'
import type { Installation } from './installation.ts'

export interface SeenHook {
  readonly route: HookRoute
  /** git runs it from its configuration, whatever the files say. */
  readonly isConfig: boolean
  /** What is to be said of it; undefined where nothing speaks against trying it out. */
  readonly finding: Finding | undefined
}

export async function seeHooks(
  installation: Installation,
  context: SetupContext,
): Promise<SeenHook[]> {
  const { files, hooks, repository, gits } = context
  const seen: SeenHook[] = []
  for (const route of hookRoutes({ files, hooks, top: repository.place.top })) {
    const isConfig = await runsConfigHook(repository, gits.running, route.hook)
    const finding = isConfig
      ? await switchedOff(route, context)
      : seeHook(route, installation, context)
    seen.push({ route, isConfig, finding })
  }
  return seen
}

/** The folder that git takes hooks from. */
export function hooksFolder({ hooks, files, gits, repository }: SetupContext): Finding {
  const name = 'hooks-folder'
  const { effective, owner, scope } = hooks
  const { top = '', prefix } = repository.place
  if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    return ok(name, `${effective}; git ${gits.running} runs ours without it`)
  }
  const missing = missingOfHusky(effective, owner, files)
  if (missing !== undefined) {
    const here = `${top}/${prefix}`.replace(/\/$/, '')
    const what = `${missing} does not exist, so git runs no hook here: husky makes it`
    return broken(name, what, huskyFix(missing, top, here, files))
  }
  if (owner === 'foreign') {
    const what = `git takes hooks from ${effective}, which is not this repository's`
    const fix = `git config --${scope} --unset core.hooksPath && ${INSTALL}`
    if (files.kind(effective) !== 'absent' || scope === undefined) return ok(name, what)
    return broken(name, `${what}, and is not there: git runs no hook`, fix)
  }
  const isThere = files.list(effective).length > 0
  return isThere
    ? ok(name, `${effective} (${WHOSE[owner]})`)
    : broken(name, `${effective} is empty or not there: git runs no hook`, INSTALL)
}

const WHOSE = { git: "git's own", husky: 'husky', local: 'core.hooksPath of this repository' }

/** git 2.55 has a switch for each. */
async function switchedOff(
  { hook }: HookRoute,
  { repository }: SetupContext,
): Promise<Finding | undefined> {
  const key = `hook.${configHookName(hook)}.enabled`
  const value = await repository.config(key)
  if (value === undefined || !/^(?:false|no|off|0)$/i.test(value)) return undefined
  const what = `${key} is ${value}: git does not run it`
  return broken(`hook-${hook}`, what, `git config --unset ${key}`)
}

function seeHook(
  route: HookRoute,
  installation: Installation,
  context: SetupContext,
): Finding | undefined {
  const { files, hooks } = context
  const name = `hook-${route.hook}`
  if (hooks.owner === 'foreign') return seeForeign(route, context)
  if (files.kind(route.entry) !== 'file') {
    return broken(name, `${route.entry} is missing: git does not run the hook`, INSTALL)
  }
  if ((files.mode(route.entry) & 0o111) === 0) {
    const fix = `chmod +x ${shellWord(route.entry)}`
    return broken(name, `${route.entry} has no run bit: git ignores it`, fix)
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
    return broken(name, `${route.file} does not call ledger-git${hint(route)}`, INSTALL)
  }
  return seeBlock(route, text, blocks[0] ?? '', installation, context)
}

/** Hooks that other repositories share: read, never run. */
function seeForeign({ hook, entry }: HookRoute, { files }: SetupContext): Finding {
  const name = `hook-${hook}`
  if (callsHook(files.read(entry) ?? '', hook)) {
    return ok(name, `${entry} calls ledger-git (not run: it is not this repository's)`)
  }
  const line = `${hookCommand(hook, '"$@"')} || exit $?`
  if (files.kind(entry) !== 'absent') {
    return broken(name, `${entry} does not call ledger-git`, `add to it: ${line}`)
  }
  const word = shellWord(entry)
  const lines = `'#!/bin/sh' ${shellWord(line)}`
  const fix = `printf '%s\\n' ${lines} >${word} && chmod +x ${word}`
  return broken(name, `${entry} is not there, so nothing calls ledger-git`, fix)
}

/** Why the block that is there may not be reached, or not be run as a probe. */
function seeBlock(
  { hook, file, entry }: HookRoute,
  text: string,
  block: string,
  { stale, writer }: Installation,
  { files, version }: SetupContext,
): Finding | undefined {
  const name = `hook-${hook}`
  const before = textBeforeBlock(text) ?? ''
  const move = `move the block to the top of ${file}`
  const end = endsEarly(before)
  if (end !== undefined) {
    return broken(name, `\`${end}\` above the block may end ${file} before ledger-git runs`, move)
  }
  const program = interpreterOf(files.read(entry) ?? '')
  if (program !== undefined && files.kind(program) === 'absent') {
    const what = `${entry} wants to be run by ${program}, which is not there`
    return broken(name, what, `write another first line into ${entry}: #!/bin/sh`)
  }
  if (blockVersion(block) > HOOK_BLOCK_VERSION) {
    return warning(name, `a newer ledger-git wrote ${file}: not tried out`, UPGRADE)
  }
  if (writer === 'this' && stale.has(file)) {
    return broken(name, `${file} is not as ledger-git ${version} wrote it`, INSTALL)
  }
  if (!isHeaderOnly(before)) {
    return warning(name, `${file} runs other lines first, so it was not tried out`, move)
  }
  return undefined
}

function hint({ manager }: HookRoute): string {
  if (manager === undefined) return ''
  const keep = manager === 'lefthook' ? '; install prints what keeps it' : ''
  return ` (${manager} wrote it anew${keep})`
}
