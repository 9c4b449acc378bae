/** What can be said about hooks without running them. */

import { endsEarly, interpreterOf, isHeaderOnly } from '../../core/setup/hook-script.ts'
import {
  callsHook,
  CONFIG_HOOKS_SINCE,
  configHookName,
  hookCommand,
  isWrapper,
} from '../../core/setup/install-texts.ts'
import {
  blocksOf,
  hasHalfBlock,
  isNewerBlock,
  textBeforeBlock,
} from '../../core/setup/marked-block.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { HookName } from '../hooks/hook-context.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import type { FilesPort } from '../ports.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import { hookRoutes, isExecutable } from '../setup/hook-routes.ts'
import { hasKept, isKept, makeRoom } from '../setup/kept-hook.ts'
import type { HooksFolder, Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { broken, INSTALL, isBroken, ok, UPGRADE, warning } from './finding.ts'
import { wroteAnew } from './wrote-anew.ts'

/** What `install` wrote: does it exist, and is it as this release writes it? */
export interface Installation {
  /** Absolute paths that `install` would change now. */
  readonly stale: ReadonlySet<string>
  /** The release that wrote them. */
  readonly writer: 'older' | 'this' | 'newer'
}

export interface SeenHook {
  readonly route: HookRoute
  /** Git runs the hook from its configuration, whatever the files say. */
  readonly isConfig: boolean
  /** Undefined if it looks right: then it can be tried out. */
  readonly finding: Finding | undefined
}

type HookSetup = Pick<Setup, 'files' | 'hooks' | 'repository' | 'gits' | 'version'>

/** Examines one route of `hookRoutes`. */
export async function lookAtHook(
  route: HookRoute,
  installation: Installation,
  setup: HookSetup,
): Promise<SeenHook> {
  const { repository, gits, hooks } = setup
  const command = `hook.${configHookName(route.hook)}.command`
  const isConfig =
    isAtLeast(gits.running, CONFIG_HOOKS_SINCE) && (await repository.config(command)) !== undefined
  if (isConfig) return { route, isConfig, finding: await switchedOff(route, setup) }
  const isForeign = hooks.owner === 'foreign'
  const finding = isForeign ? examineForeign(route, setup) : examineHook(route, installation, setup)
  return { route, isConfig, finding }
}

/** True if git seems to reach our part of a hook. */
export async function isReached(hook: HookName, setup: HookSetup): Promise<boolean> {
  const installation: Installation = { stale: new Set(), writer: 'this' }
  const routes = hookRoutes(setup).filter((route) => route.hook === hook)
  const seen = await Promise.all(routes.map((route) => lookAtHook(route, installation, setup)))
  return seen.every(({ finding }) => !isBroken(finding))
}

const WHOSE = { git: "git's own", husky: 'husky', local: 'core.hooksPath of this repository' }

/** Checks the folder from which git takes hooks. */
export function lookAtHooksFolder({ hooks, files, gits, repository }: Setup): Finding {
  const name = 'hooks-folder'
  const { effective, owner, scope } = hooks
  const { top = '', prefix } = repository.place
  if (isAtLeast(gits.running, CONFIG_HOOKS_SINCE)) {
    return ok(name, `${effective}; git ${gits.running} runs ours without it`)
  }
  const missing = missingOfHusky(effective, owner, files)
  if (missing !== undefined) {
    const here = `${top}/${prefix}`.replace(/\/$/, '')
    const what = `${missing} does not exist, so git runs no hook here: husky creates it`
    return broken(name, what, huskyFix(missing, top, here, files))
  }
  if (owner === 'foreign') {
    // `/.` exists only in a folder, unlike in /dev/null.
    if (files.kind(`${effective}/.`) !== 'absent' || scope === undefined)
      return ok(name, `git takes hooks from ${effective}, which is not this repository's`)
    const where = effective.startsWith('/') ? `${effective}, which is not a folder` : 'empty'
    const fix = `git config --${scope} --unset core.hooksPath && ${INSTALL}`
    return broken(name, `core.hooksPath (${scope}) is ${where}: git runs no hook`, fix)
  }
  return files.list(effective).length > 0
    ? ok(name, `${effective} (${WHOSE[owner]})`)
    : broken(name, `${effective} is empty or missing: git runs no hook`, INSTALL)
}

/** Git 2.55 has a switch for each configured hook. */
async function switchedOff(
  { hook }: HookRoute,
  { repository }: HookSetup,
): Promise<Finding | undefined> {
  const key = `hook.${configHookName(hook)}.enabled`
  const value = await repository.config(key)
  if (value === undefined || !/^(?:false|no|off|0)$/i.test(value)) return undefined
  const what = `${key} is ${value}: git does not run it`
  return broken(`hook-${hook}`, what, `git config --unset ${key}`)
}

/** Examines hooks that other repositories share: they are read, never run. */
function examineForeign({ hook, entry }: HookRoute, { files, hooks }: HookSetup): Finding {
  const name = `hook-${hook}`
  if (callsHook(files.read(entry) ?? '', hook)) {
    return ok(name, `${entry} calls ledger-git (not run: it is not this repository's)`)
  }
  const lineOf = (one: string) => `${hookCommand(one, '"$@"')} || exit $?`
  if (files.kind(entry) !== 'absent') {
    return broken(name, `${entry} does not call ledger-git`, `add to it: ${lineOf(hook)}`)
  }
  // Name all missing hooks, so that they are reported and fixed together.
  const absent = HOOKS.filter((one) => files.kind(`${hooks.effective}/${one}`) === 'absent')
  const text = shellWord(`#!/bin/sh\\n${lineOf('%s')}\\n`)
  const file = `${shellWord(hooks.effective)}/$n`
  const fix = `for n in ${absent.join(' ')}; do printf ${text} $n >${file} && chmod +x ${file}; done`
  const what = `${hooks.effective} has no ${absent.join(', ')}, so nothing calls ledger-git`
  return broken(name, what, fix)
}

/** Does git run the file, and does it contain our block? */
function examineHook(
  route: HookRoute,
  installation: Installation,
  setup: HookSetup,
): Finding | undefined {
  const { files } = setup
  const { hook, entry, file, manager, isCalledByManager } = route
  const name = `hook-${hook}`
  if (route.way === 'wrap' && hasKept(file, files) && !isKept(file, files)) {
    const what = `${file} does not call ledger-git, and an older hook of yours is in the way`
    return broken(name, what, makeRoom(file))
  }
  const anew = wroteAnew(route, setup)
  if (anew !== undefined) return broken(name, anew, INSTALL)
  if (files.kind(entry) !== 'file') {
    return broken(name, `${entry} is missing: git does not run the hook`, INSTALL)
  }
  if (!isExecutable(entry, files)) {
    return broken(
      name,
      `${entry} is not executable: git ignores it`,
      `chmod +x ${shellWord(entry)}`,
    )
  }
  const text = files.read(file) ?? ''
  if (hasHalfBlock(text)) return broken(name, `${file} holds half a block of ledger-git`, INSTALL)
  const [block, ...more] = blocksOf(text)
  if (more.length > 0) return broken(name, `${file} calls ledger-git twice`, INSTALL)
  if (block !== undefined) return examineBlock(route, text, block, installation, setup)
  if (isCalledByManager) {
    return ok(name, 'lefthook’s settings call ledger-git (not run: your other jobs would run)')
  }
  const keep = manager === 'lefthook' ? '; install prints how to keep it' : ''
  const hint = manager === undefined ? '' : ` (${manager} rewrote it${keep})`
  return broken(name, `${file} does not call ledger-git${hint}`, INSTALL)
}

/** Why git may not reach the block, or why it cannot be tried out. */
function examineBlock(
  { hook, file, entry, kept }: HookRoute,
  text: string,
  block: string,
  { stale, writer }: Installation,
  { files, version }: HookSetup,
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
    const what = `${entry} needs the interpreter ${program}, which does not exist`
    return broken(name, what, `change the first line of ${entry}: #!/bin/sh`)
  }
  if (isNewerBlock(block)) {
    return warning(name, `a newer ledger-git wrote ${file}: not tried out`, UPGRADE)
  }
  if (writer === 'this' && stale.has(file)) {
    return broken(name, `${file} is not as ledger-git ${version} wrote it`, INSTALL)
  }
  if (!isHeaderOnly(before)) {
    return warning(name, `${file} runs other lines first, so it was not tried out`, move)
  }
  return isWrapper(block) ? examineKept(name, kept, files) : undefined
}

/** Examines the user's own hook, which ours runs: it is not tried out, but what it needs must exist. */
function examineKept(name: string, kept: string, files: FilesPort): Finding | undefined {
  if (files.kind(kept) === 'absent') return undefined
  const text = files.read(kept)
  if (text === undefined) {
    const what = `your own hook, ${kept}, is a folder or a link to nothing: it does not run`
    return warning(name, what, `remove ${kept}, then ${INSTALL}`)
  }
  const program = interpreterOf(text)
  if (program === undefined || files.kind(program) !== 'absent') return undefined
  const what = `your own hook, ${kept}, needs the interpreter ${program}, which does not exist`
  return broken(name, what, `change the first line of ${kept}`)
}

/**
 * The missing part that husky writes and git needs but that no commit holds: `_/` of husky 9, `_/husky.sh` of husky 8.
 * Undefined if nothing is missing.
 */
export function missingOfHusky(
  folder: string,
  owner: HooksFolder['owner'],
  files: FilesPort,
): string | undefined {
  if (owner === 'husky') return files.list(folder).length === 0 ? folder : undefined
  const sourced = /^[ \t]*(?:\.|source)[ \t][^\n]*\/_\/husky\.sh\b/m
  if (!sourced.test(files.read(`${folder}/pre-commit`) ?? '')) return undefined
  const shell = `${folder}/_/husky.sh`
  return files.kind(shell) === 'file' ? undefined : shell
}

/**
 * The command, for the folder `here`, that creates the missing part again. If husky itself is not installed, packages
 * have to be installed first, which also runs husky if the team has set that up.
 */
export function huskyFix(missing: string, top: string, here: string, files: FilesPort): string {
  const folder = missing.slice(0, missing.lastIndexOf('/_'))
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  const home = files.kind(`${parent}/package.json`) === 'file' ? parent : top
  const name = shellWord(folder.slice(home.length + 1))
  const husky = missing.endsWith('/husky.sh') ? `npx husky install ${name}` : `npx husky ${name}`
  if (files.list(`${home}/node_modules/husky`).length > 0) return inFolder(home, here, husky)
  const has = (file: string) => files.kind(`${home}/${file}`) === 'file'
  const manager = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : 'npm'
  const scripts = /"(?:prepare|postinstall|install)"\s*:\s*"[^"\n]*\bhusky\b/
  const isRun = scripts.test(files.read(`${home}/package.json`) ?? '')
  return inFolder(home, here, `${manager} install${isRun ? '' : ` && ${husky}`}`)
}

/** A command for `folder`, in the form in which it is typed in `here`. */
export function inFolder(folder: string, here: string, command: string): string {
  return folder === here ? command : `(cd ${shellWord(folder)} && ${command})`
}
