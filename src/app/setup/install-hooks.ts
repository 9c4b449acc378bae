/** The part of `install` that deals with hook files: which it writes, and what it reports about the others. */

import { hasBlock, hasHalfBlock, withoutHalfBlocks } from '../../core/setup/marked-block.ts'
import { hookHeader } from '../../core/setup/hook-script.ts'
import {
  CONFIG_HOOKS_SINCE,
  hookBlock,
  hookCommand,
  isWrapper,
  lefthookSnippet,
  wrapperBlock,
} from '../../core/setup/install-texts.ts'
import { isAtLeast } from '../../core/text/version.ts'
import type { HookRoute } from './hook-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { hasKept, isKept, makeRoom } from './kept-hook.ts'
import type { InstallPlan } from './install-plan.ts'

/** Writes hook files if a git on this machine needs them; with `--local`, none that git tracks. */
export function planHooks(plan: InstallPlan): void {
  const { setup, local } = plan
  const { hooks, files, gits, repository } = setup
  const { top, commonDir } = repository.place
  const needsFiles = [gits.running, ...gits.others].some(
    (version) => !isAtLeast(version, CONFIG_HOOKS_SINCE),
  )
  if (hooks.owner === 'foreign') {
    if (needsFiles) plan.notes.push(foreignNote(hooks.effective))
    return
  }
  const isIn = (folder: string | undefined) => `${hooks.path}/`.startsWith(`${folder}/`)
  const isTracked = isIn(top) && !isIn(commonDir)
  if (isTracked && local) return
  const routes = hookRoutes(setup).filter((route) => {
    const text = files.read(route.file) ?? ''
    // Git runs configured hooks before the hook file: only a block in the user's file runs after the user's hook.
    const mustBeLast =
      route.hook === 'pre-commit' && route.way === 'block' && files.kind(route.file) === 'file'
    return needsFiles || mustBeLast || hasBlock(text) || hasHalfBlock(text)
  })
  for (const route of routes) {
    if (route.hook === 'pre-commit' && route.way !== 'none') {
      const path = `${commonDir}/ledger-git/pre-commit-file`
      plan.put({ path, kind: 'own', content: '', what: 'our part of pre-commit comes last' })
    }
    planHook(route, plan)
  }
  if (needsFiles) plan.notes.push(...managerNotes(routes))
  if (top !== undefined && isTracked) plan.commit.push(hooks.path.slice(top.length + 1))
}

function planHook(route: HookRoute, plan: InstallPlan): void {
  const { files, hooks } = plan.setup
  const { hook, entry, file, kept, reason, way, manager } = route
  const isOther = way === 'wrap' && hasKept(file, files) && !isKept(file, files)
  if (way === 'none' || isOther) {
    const also = isOther ? `, and ${kept} is another one` : ''
    const fix = isOther ? `; ${makeRoom(file)}` : ''
    plan.notes.push(`${file} ${reason}${also}: left alone, the ${hook} hook is not installed${fix}`)
    return
  }
  if (way === 'wrap') {
    const inserted = wrapperBlock(hook)
    const content = `#!/bin/sh
${inserted}`
    const what = `${hook} hook, which then runs yours`
    const keeps = `your ${hook} hook (it ${reason})`
    const edit = { path: file, kind: 'wrapper', content, what, mode: 0o755, keeps } as const
    plan.put(edit, { existed: true, inserted })
    return
  }
  const text = files.read(file)
  const runsKept = hasKept(file, files) && (text === undefined || isWrapper(text))
  const block = runsKept ? wrapperBlock(hook) : hookBlock(hook)
  // Husky runs its files with `sh -e`; git's hook files need an interpreter line.
  const start = text === undefined && hooks.owner !== 'husky' ? '#!/bin/sh\n' : ''
  const after = text === undefined ? start : hookHeader(withoutHalfBlocks(text, block))
  plan.block(file, block, `${hook} hook`, { after }, { start, mode: 0o755 })
  // The pre-commit tool runs NAME.legacy before its own hook: our part runs last from the file that the tool rewrites.
  const written = manager === 'pre-commit' && hook === 'pre-commit' ? files.read(entry) : undefined
  if (written !== undefined) {
    plan.block(entry, block, `${hook} hook, after pre-commit`, { after: hookHeader(written) })
  }
}

/** A note about a hooks folder that other repositories share. */
function foreignNote(folder: string): string {
  return (
    `hooks were not installed: git takes them from ${folder}, outside this repository, which is ` +
    'never written to. git 2.54 or newer runs ours without files; for older gits, add to the hooks there ' +
    `(docs/install.md lists all):\n  ${hookCommand('pre-commit', '"$@"')} || exit $?`
  )
}

/** What the user must know about tools that rewrite their hook files. */
function managerNotes(routes: readonly HookRoute[]): string[] {
  const lefthook = routes.filter(
    (route) => route.manager === 'lefthook' && !route.isCalledByManager,
  )
  const snippet = lefthookSnippet(lefthook.map(({ hook }) => hook)).trimEnd()
  const forLefthook =
    'lefthook rewrites its hooks when its settings change; to keep ledger-git in them, add these jobs ' +
    `to the hooks in lefthook.yml:\n${snippet}`
  const forSimple =
    'simple-git-hooks rewrites its hooks, and removes all others, at every npm install; ' +
    '"prepare": "ledger-git install || exit 0" in package.json runs after it and restores ours'
  return [
    ...(lefthook.length > 0 ? [forLefthook] : []),
    ...(routes.some(({ manager }) => manager === 'simple-git-hooks') ? [forSimple] : []),
  ]
}
