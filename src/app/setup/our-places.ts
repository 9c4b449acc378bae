/** Where something of ours can be if there is no record. */

import { AGENT_NAMES } from '../../core/agents/agents.ts'
import { CONFIG_INCLUDE } from '../../core/setup/install-texts.ts'
import { AGENT_TEXTS, settingsFilesOf } from '../agents/agent-files.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import type { Recorded } from './install-record.ts'
import type { Setup } from './setup.ts'

/** What `install` writes below `<common-dir>/ledger-git/`. */
const OWN_NAMES =
  'run hook launch root handoffs config config-hooks pre-commit-file install.json hooks/start'
const OWN_FILES = [...OWN_NAMES.split(' '), ...HOOKS.map((hook) => `hooks/${hook}`)]
const BLOCK_FILES = ['.gitattributes', '.gitignore', '.prettierignore', '.remarkignore']

/** Where our hooks can take the place of kept ones. */
export function ownHooks({ hooks: { owner, path } }: Setup): string[] {
  if (owner === 'foreign') return []
  return HOOKS.flatMap((hook) => [`${path}/${hook}`, `${path}/${hook}.legacy`])
}

/** Our hooks that a hook manager renamed; they are in the git folder, so nobody else wrote them. */
export function movedHooks(
  { repository, hooks: { effective } }: Setup,
  existed = false,
): Recorded[] {
  if (!`${effective}/`.startsWith(`${repository.place.commonDir}/`)) return []
  const paths = HOOKS.flatMap((hook) => [hook, `${hook}.legacy`, `${hook}.old`])
  return paths.map((name) => ({ path: `${effective}/${name}`, kind: 'block', existed }))
}

/** Where our edits can be if nothing is recorded; the markers and the texts of our hooks identify them. */
export function unrecorded(setup: Setup): Recorded[] {
  const { commonDir, top } = setup.repository.place
  const inFolder = (folder: string, names: readonly string[], edit: Omit<Recorded, 'path'>) =>
    names.map((name): Recorded => ({ ...edit, path: `${folder}/${name}` }))
  const block = { kind: 'block', existed: true } as const
  const inTop = [
    ...inFolder(`${top}`, BLOCK_FILES, block),
    ...inFolder(`${top}`, AGENT_NAMES.flatMap(settingsFilesOf), { kind: 'agent', existed: true }),
    ...inFolder(`${top}`, Object.keys(AGENT_TEXTS), { kind: 'team', existed: false, folders: 0 }),
  ]
  return [
    ...inFolder(commonDir, ['config'], { ...block, inserted: CONFIG_INCLUDE }),
    ...inFolder(commonDir, ['info/attributes', 'info/exclude'], block),
    ...inFolder(setup.hooks.path, HOOKS, block),
    ...movedHooks(setup, true),
    ...(top === undefined ? [] : inTop),
    ...inFolder(`${commonDir}/ledger-git`, OWN_FILES, { kind: 'own', existed: false }),
  ]
}
