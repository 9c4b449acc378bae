/** Hooks that simple-git-hooks has rewritten: it deletes every hook that its settings do not name. */

import { hasBlock } from '../../core/setup/marked-block.ts'
import type { FilesPort } from '../ports.ts'
import type { HookRoute } from '../setup/hook-routes.ts'
import { hookRoutes } from '../setup/hook-routes.ts'
import type { Setup } from '../setup/setup.ts'

const MANAGER = 'simple-git-hooks'

/** The same message for each such hook, so that it is shown only once; undefined for a hook that is right. */
export function wroteAnew(
  route: HookRoute,
  setup: Pick<Setup, 'files' | 'hooks' | 'repository'>,
): string | undefined {
  const { files, hooks } = setup
  if (!lacksBlock(route, files)) return undefined
  const lacking = hookRoutes(setup).filter((one) => lacksBlock(one, files))
  const isGone = lacking.some(({ entry }) => files.kind(entry) === 'absent')
  if (!isGone || !lacking.some(({ manager }) => manager === MANAGER)) return undefined
  const names = lacking.map(({ hook }) => hook).join(', ')
  return `${MANAGER} rewrote the hooks in ${hooks.effective}, so these do not call ledger-git: ${names}`
}

function lacksBlock({ file, isCalledByManager }: HookRoute, files: FilesPort): boolean {
  return !isCalledByManager && !hasBlock(files.read(file) ?? '')
}
