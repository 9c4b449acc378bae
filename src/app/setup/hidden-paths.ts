/** Paths that git does not see: files that `install` hides for an agent, and events that are hidden or left behind. */

import { RALPH_STATE } from '../../core/ralph/ralph-state.ts'
import { AGENTS, AGENT_NAMES } from '../../core/agents/agents.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isCheckpointState } from '../../core/context/checkpoint-state.ts'
import { STATE_FILE } from '../../core/context/places.ts'
import { nameToText } from '../../core/git/objects.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { attributePattern, withoutExcluded } from '../../core/setup/path-blocks.ts'
import { DEFAULT_SETTINGS, SETTINGS_FILE } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import type { Recorded, Removal } from './install-record.ts'
import { folderOf, KINDS } from './install-record.ts'
import type { Setup } from './setup.ts'

/** Files that context-following hooks keep for other programs. */
export const CONTEXT_FILES: readonly string[] = [STATE_FILE, RALPH_STATE]

/**
 * Stops hiding from git what was hidden for agents that are now disconnected: their settings files among `gone` and, if
 * no context is followed any more, the files that hooks kept. Returns the remaining edits in their present form.
 */
export function stopHiding(
  staying: readonly Recorded[],
  gone: readonly Recorded[],
  isUnfollowed: boolean,
  { files, repository, dryRun, changes }: Removal,
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

/** Removes the state file that our hooks keep for other programs; a file of another program is left alone. */
export function removeStateFile({ files, repository, dryRun, changes }: Removal): void {
  const path = `${repository.place.top}/${STATE_FILE}`
  if (files.kind(path) !== 'file' || !isCheckpointState(parseJson(files.read(path)))) return
  changes.push({ path, change: 'remove', what: 'how full the context was' })
  if (dryRun) return
  files.remove(path)
  files.removeFolder(folderOf(path))
}

/** Why no commit includes an event, or why it is not read; `fix` is a command if one is enough. */
interface Hidden {
  readonly what: string
  readonly fix: string
}

/** A ledger that was left in, or has since been added to, the default folder although `ledger.root` names another. */
export async function leftLedger(
  { files, repository: { index, place } }: Setup,
  root: string,
): Promise<(Hidden & { readonly hasEvents: boolean }) | undefined> {
  const old = DEFAULT_SETTINGS.root
  if (root === old) return undefined
  const here = ledgerPaths(root).events
  const there = ledgerPaths(old).events
  const known = await index.list(here, there)
  const paths = known.map(({ path }) => nameToText(path))
  const read = new Set(paths.filter((path) => path.startsWith(`${here}/`)))
  const left = known
    .map(({ path }) => fileOfPath(path))
    .filter((file) => !read.has(`${here}/${file}`))
  const hasEvents = left.some((file) => isEventFileName(file))
  if (left.length === 0 || (read.size > 0 && !hasEvents)) return undefined
  const folder = shellWord(root)
  const news = shellWord(here)
  const isNew = files.kind(`${place.top}/${here}`) === 'absent'
  // `git mv` does not move a folder onto an existing one. If commits hold events in both folders, each file is moved
  // separately; otherwise events written since then join the earlier ones.
  const join =
    read.size > 0
      ? `git add ${there} && git mv -k ${there}/*.md ${news} && `
      : isNew
        ? ''
        : `find ${news} -type f -exec mv -n {} ${there} \\; && rmdir ${news} && `
  const end = read.size > 0 ? 'ledger-git resolve' : 'ledger-git install'
  return {
    hasEvents,
    what:
      read.size > 0
        ? `events that are still in ${there} are not read`
        : `the ledger of ${old} is no longer read`,
    fix: `cd "$(git rev-parse --show-toplevel)" && mkdir -p ${folder} && ${join}git mv -k ${old}/* ${folder} && ${end}`,
  }
}

/** A folder of the ledger that is not in this repository, such as a `thoughts/` that several projects share. */
export async function outsideLedger(
  { repository: { worktree } }: Pick<Setup, 'repository'>,
  root: string,
): Promise<Hidden | undefined> {
  const found = await worktree.leadsOut(`${ledgerPaths(root).events}/.gitkeep`)
  if (found === undefined) return undefined
  const { folder, isLink } = found
  return isLink
    ? {
        what: `${folder} is a symbolic link: no commit takes what is behind it`,
        fix: `replace it with a folder, or name another one as ledger.root in ${SETTINGS_FILE}`,
      }
    : {
        what: `${folder} is a repository of its own: no commit of this one takes what is in it`,
        fix: `name another folder as ledger.root in ${SETTINGS_FILE}`,
      }
}

/**
 * The ignore rule, such as `*.md` or `thoughts/`, that keeps events out of every commit, and what to do about it; and
 * the rule that ignores `current.md`.
 */
export async function ignoredLedger(
  { ignoredBy }: Setup['probes'],
  root: string,
): Promise<{ readonly events?: Hidden; readonly currentRule: string | undefined }> {
  const { current, events } = ledgerPaths(root)
  // An event comes last: `events` may be a symbolic link.
  const event = `${events}/2026-01-01T00-00-00Z_doctor_00000000.md`
  const [folderRule, currentRule, eventRule] = await ignoredBy([events, current, event])
  const rule = folderRule ?? eventRule
  if (rule === undefined) return { currentRule }
  const fix =
    folderRule === undefined
      ? `change that rule, or add !/${events}/*.md after it`
      : 'remove that rule: git cannot re-include anything below an ignored folder'
  const what = `git ignores events (${rule}): they would never be committed`
  return { events: { what, fix }, currentRule }
}

/** A filter such as git-lfs or git-crypt: git takes the texts of our driver and hooks for already filtered ones. */
export async function filteredLedger(
  { repository }: Pick<Setup, 'repository'>,
  root: string,
): Promise<Hidden | undefined> {
  const { current, events } = ledgerPaths(root)
  const paths = [current, `${events}/EVENT.md`]
  const filters = await repository.attribute('filter', ...paths)
  for (const [i, filter] of filters.entries()) {
    if (filter === 'unspecified' || filter === 'unset') continue
    const path = paths[i]
    return {
      what: `${path} has filter=${filter}: git does not store the text that is written, and what it stores cannot be read`,
      fix: `end .gitattributes with a line that removes the filter: '${attributePattern('{root}/**', root)} -filter'`,
    }
  }
  return undefined
}
