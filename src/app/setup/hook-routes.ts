/**
 * By which way git reaches our part of each hook.
 *
 * One decision for everybody: `install` follows it, `status` and `doctor` look whether it holds,
 * `uninstall` goes it backwards.
 */

import { managerOf, whyNoBlock } from '../../core/setup/hook-script.ts'
import type { HookManager } from '../../core/setup/hook-script.ts'
import {
  callsHook,
  CONFIG_HOOKS_SINCE,
  configHookName,
  KEPT_FOLDER,
} from '../../core/setup/install-texts.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { FilesPort, HooksFolder, RepositoryPort } from '../ports.ts'
import type { HookName } from '../hooks/run-hook.ts'
import { HOOKS } from '../hooks/run-hook.ts'

export interface HookRoute {
  readonly hook: HookName
  /** The file that git runs. */
  readonly entry: string
  /** The file that our block stands in, or will. */
  readonly file: string
  /** `wrap`: the user's hook moves to `kept` and is run from there. */
  readonly way: 'block' | 'wrap' | 'none'
  /** Who writes `entry` and will write it again. */
  readonly manager: HookManager | undefined
  /** The manager's own settings call us, too; with a block in its file we run once all the same. */
  readonly isCalledByManager: boolean
  /** Why, for `wrap` and `none`. */
  readonly reason: string
  readonly kept: string
}

/** Where lefthook's settings can be, below the top of the worktree. */
const LEFTHOOK_FILES = ['', '.', '.config/'].flatMap((start) =>
  ['lefthook', 'lefthook-local'].flatMap((name) =>
    ['yml', 'yaml', 'toml', 'json'].map((type) => `${start}${name}.${type}`),
  ),
)

export interface HookPlaces {
  readonly files: FilesPort
  readonly hooks: HooksFolder
  readonly top: string | undefined
}

/** The routes of all hooks, in the order in which git runs them. */
export function hookRoutes(places: HookPlaces): HookRoute[] {
  const lefthook = lefthookSettings(places)
  return HOOKS.map((hook) => routeOf(hook, places, lefthook))
}

function routeOf(hook: HookName, { files, hooks }: HookPlaces, lefthook: string): HookRoute {
  const entry = `${hooks.effective}/${hook}`
  const found = (file: string, way: HookRoute['way'], reason = ''): HookRoute => {
    const slash = file.lastIndexOf('/')
    const kept = `${file.slice(0, slash)}/${KEPT_FOLDER}${file.slice(slash)}`
    return { hook, entry, file, way, manager, isCalledByManager, reason, kept }
  }
  const manager = hooks.owner === 'foreign' ? undefined : managerOf(files.read(entry) ?? '')
  const isCalledByManager = manager === 'lefthook' && callsHook(lefthook, hook)
  if (hooks.owner === 'foreign') return found(entry, 'none', 'the hooks are not this repository’s')
  if (hooks.owner === 'husky') return huskyRoute(`${hooks.path}/${hook}`, files, found)
  // pre-commit runs NAME.legacy first, and keeps it when it writes NAME anew.
  const file = manager === 'pre-commit' ? `${entry}.legacy` : entry
  const reason = whyWrap(file, files)
  return reason === undefined ? found(file, 'block') : found(file, 'wrap', reason)
}

/** husky runs its files with `sh -e`, whatever their first line and their mode say. */
function huskyRoute(
  file: string,
  files: FilesPort,
  found: (file: string, way: HookRoute['way'], reason?: string) => HookRoute,
): HookRoute {
  if (files.kind(file) !== 'other') return found(file, 'block')
  return found(file, 'none', 'is a link or a folder')
}

function whyWrap(file: string, files: FilesPort): string | undefined {
  const kind = files.kind(file)
  if (kind === 'absent') return undefined
  if (kind === 'other') return 'is a link or a folder'
  const text = files.read(file) ?? ''
  if (hasBlock(text)) return undefined
  return whyNoBlock(text) ?? ((files.mode(file) & 0o111) === 0 ? 'has no run bit' : undefined)
}

function lefthookSettings({ files, top }: HookPlaces): string {
  if (top === undefined) return ''
  return LEFTHOOK_FILES.map((name) => files.read(`${top}/${name}`) ?? '').join('\n')
}

/** True when this git runs our hooks from its configuration. */
export async function runsConfigHook(
  repository: RepositoryPort,
  gitVersion: string,
  hook: HookName,
): Promise<boolean> {
  if (!isAtLeast(gitVersion, CONFIG_HOOKS_SINCE)) return false
  return (await repository.config(`hook.${configHookName(hook)}.command`)) !== undefined
}

/** True where git comes to our part of a hook, as far as that can be seen. */
export async function isReached(
  hook: HookName,
  repository: RepositoryPort,
  gitVersion: string,
  places: HookPlaces,
): Promise<boolean> {
  if (await runsConfigHook(repository, gitVersion, hook)) return true
  const { files } = places
  const route = hookRoutes(places).find((each) => each.hook === hook)
  if (route === undefined || files.kind(route.entry) !== 'file') return false
  if ((files.mode(route.entry) & 0o111) === 0) return false
  return (
    route.isCalledByManager || (route.way === 'block' && hasBlock(files.read(route.file) ?? ''))
  )
}
