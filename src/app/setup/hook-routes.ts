/**
 * How git reaches our part of each hook.
 *
 * The decision is made here for all commands: `install` implements it, `status` and `doctor` verify it, and `uninstall`
 * undoes it.
 */

import type { HookManager } from '../../core/setup/hook-script.ts'
import { managerOf, whyNoBlock } from '../../core/setup/hook-script.ts'
import { callsHook } from '../../core/setup/install-texts.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import type { HookName } from '../hooks/hook-context.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import type { FilesPort } from '../ports.ts'
import { keptPath } from './kept-hook.ts'
import type { Setup } from './setup.ts'

export interface HookRoute {
  readonly hook: HookName
  /** The file that git runs. */
  readonly entry: string
  /** The file that holds or will hold our block. */
  readonly file: string
  /** `wrap`: the user's hook is renamed to `kept`, and ours runs it. */
  readonly way: 'block' | 'wrap' | 'none'
  /** Why not `block`. */
  readonly reason: string | undefined
  readonly kept: string
  /** The hook manager that writes `entry` and will write it again. */
  readonly manager: HookManager | undefined
  /** The manager's own settings also call us; even with a block in its file, we run only once. */
  readonly isCalledByManager: boolean
}

/** All possible paths of lefthook's settings. */
export function lefthookFiles(top: string | undefined): string[] {
  if (top === undefined) return []
  return ['', '.', '.config/'].flatMap((start) =>
    ['lefthook', 'lefthook-local'].flatMap((name) =>
      ['yml', 'yaml', 'toml', 'json'].map((type) => `${top}/${start}${name}.${type}`),
    ),
  )
}

/** The routes of all hooks, in the order in which git runs the hooks. */
export function hookRoutes({
  files,
  hooks,
  repository,
}: Pick<Setup, 'files' | 'hooks' | 'repository'>): HookRoute[] {
  const lefthook = lefthookFiles(repository.place.top)
    .map((path) => files.read(path) ?? '')
    .join('\n')
  const isForeign = hooks.owner === 'foreign'
  const isHusky = hooks.owner === 'husky'
  return HOOKS.map((hook) => {
    const entry = `${hooks.effective}/${hook}`
    const manager = isForeign ? undefined : managerOf(files.read(entry) ?? '')
    // The pre-commit tool runs NAME.legacy first, and keeps it when it rewrites NAME.
    const ours = manager === 'pre-commit' ? `${entry}.legacy` : entry
    const file = isHusky ? `${hooks.path}/${hook}` : ours
    const reason = isForeign ? 'is not this repository’s' : whyNotIn(file, isHusky, files)
    return {
      hook,
      entry,
      file,
      way: reason === undefined ? 'block' : isForeign || isHusky ? 'none' : 'wrap',
      reason,
      kept: keptPath(file),
      manager,
      isCalledByManager: manager === 'lefthook' && callsHook(lefthook, hook),
    }
  })
}

/** Why this file cannot hold a block. Husky runs its hook files with `sh`, whatever their first line says. */
function whyNotIn(file: string, isHusky: boolean, files: FilesPort): string | undefined {
  const kind = files.kind(file)
  if (kind === 'other') return 'is a link or a folder'
  if (kind === 'absent' || isHusky) return undefined
  const text = files.read(file) ?? ''
  if (hasBlock(text)) return undefined
  return whyNoBlock(text) ?? (isExecutable(file, files) ? undefined : 'is not executable')
}

export function isExecutable(file: string, files: FilesPort): boolean {
  return (files.mode(file) & 0o111) !== 0
}
