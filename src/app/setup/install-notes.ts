/** What `install` cannot do by itself, and says. */

import { hookCommand, lefthookSnippet } from '../../core/setup/install-texts.ts'
import type { HooksFolder } from '../ports.ts'
import type { HookRoute } from './hook-routes.ts'

/** Hooks that other repositories share. */
export function foreignNote(hooks: HooksFolder): string {
  return (
    `hooks were not installed: git takes them from ${hooks.effective}, outside this repository, which is ` +
    'never written to. git 2.54 or newer runs ours without files; for older gits, add to the hooks there ' +
    `(docs/install.md lists all):\n  ${hookCommand('pre-commit', '"$@"')} || exit $?`
  )
}

/** What the user must know of tools that write their hook files anew. */
export function managerNotes(routes: readonly HookRoute[]): string[] {
  const lefthook = routes.filter(
    (route) => route.manager === 'lefthook' && !route.isCalledByManager,
  )
  const notes: string[] = []
  if (lefthook.length > 0) {
    const snippet = lefthookSnippet(lefthook.map(({ hook }) => hook))
    notes.push(
      'lefthook writes its hooks anew when its settings change; these jobs, added to the hooks in ' +
        `lefthook.yml, keep ledger-git in them:\n${snippet.trimEnd()}`,
    )
  }
  if (routes.some(({ manager }) => manager === 'simple-git-hooks')) {
    notes.push(
      'simple-git-hooks writes its hooks anew, and removes all others, at every npm install; ' +
        '"prepare": "ledger-git install" in package.json runs after it and puts ours back',
    )
  }
  return notes
}
