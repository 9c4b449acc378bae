/** Paths that `install` hides from git for the sake of an agent, and what becomes of them without it. */

import { RALPH_STATE } from '../../core/ralph/ralph-state.ts'
import { AGENTS, AGENT_NAMES } from '../../core/agents/agents.ts'
import { isCheckpointState } from '../../core/context/checkpoint-state.ts'
import { STATE_FILE } from '../../core/context/places.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { withoutExcluded } from '../../core/setup/path-blocks.ts'
import type { Change, Recorded } from './install-record.ts'
import { folderOf, KINDS } from './install-record.ts'
import type { Setup } from './setup.ts'

/** What hooks that follow the context keep for other programs. */
export const CONTEXT_FILES: readonly string[] = [STATE_FILE, RALPH_STATE]

interface Leaving extends Setup {
  readonly dryRun: boolean
  readonly changes: Change[]
}

/**
 * Git shows again what was hidden for agents that are disconnected: settings of theirs among `gone`, and, where
 * no context is followed any more, what hooks kept. Returns the edits that stay, as they are now.
 */
export function showAgain(
  staying: readonly Recorded[],
  gone: readonly Recorded[],
  isUnfollowed: boolean,
  { files, repository, dryRun, changes }: Leaving,
): Recorded[] {
  const { commonDir, top } = repository.place
  const settings = AGENT_NAMES.flatMap((agent) => AGENTS[agent].localFile ?? []).filter((file) =>
    gone.some(({ path }) => path === `${top}/${file}`),
  )
  const paths = [...settings, ...(isUnfollowed ? CONTEXT_FILES : [])]
  return staying.map((edit) => {
    const text = files.read(edit.path)
    const { inserted } = edit
    if (edit.path !== `${commonDir}/info/exclude` || inserted === undefined) return edit
    const block = withoutExcluded(inserted, paths)
    if (block === inserted || text?.includes(inserted) !== true) return edit
    changes.push({ path: edit.path, change: 'edit', what: KINDS[edit.kind] })
    if (!dryRun)
      files.write(
        edit.path,
        text.replace(inserted, () => block),
      )
    return { ...edit, inserted: block }
  })
}

/** What hooks keep for other programs in this worktree; one that another program keeps stays. */
export function takeOutState({ files, repository, dryRun, changes }: Leaving): void {
  const path = `${repository.place.top}/${STATE_FILE}`
  if (files.kind(path) !== 'file' || !isCheckpointState(parseJson(files.read(path)))) return
  changes.push({ path, change: 'remove', what: 'how full the context was' })
  if (dryRun) return
  files.remove(path)
  files.removeFolder(folderOf(path))
}
