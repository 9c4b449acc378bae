/** Paths that git does not see: what `install` hides for the sake of an agent; events that are hidden or left behind. */

import { RALPH_STATE } from '../../core/ralph/ralph-state.ts'
import { AGENTS, AGENT_NAMES } from '../../core/agents/agents.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isCheckpointState } from '../../core/context/checkpoint-state.ts'
import { STATE_FILE } from '../../core/context/places.ts'
import { nameToText } from '../../core/git/objects.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { attributePattern, withoutExcluded } from '../../core/setup/path-blocks.ts'
import { DEFAULT_SETTINGS } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
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

/** Why no commit takes an event, or nobody reads it; `fix` is a command where one will do. */
interface Hidden {
  readonly what: string
  readonly fix: string
}

/** The ledger that stayed in the default folder when `ledger.root` named another, or came to it since. */
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
  // Git moves no folder to where one is. Where commits hold events in both, each file moves by itself;
  // else events that were written since go with those of before.
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
        : `the ledger of ${old} is not read any more`,
    fix: `cd "$(git rev-parse --show-toplevel)" && mkdir -p ${folder} && ${join}git mv -k ${old}/* ${folder} && ${end}`,
  }
}

/**
 * A rule such as `*.md` or `thoughts/`, which keeps events out of every commit, and what to do about it; and the rule
 * that is about `current.md`.
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
      : 'remove that rule: nothing below an ignored folder can be named'
  const what = `git ignores events (${rule}): they would never be committed`
  return { events: { what, fix }, currentRule }
}

/** A filter, as of git-lfs or git-crypt: driver and hooks hand git texts that it takes for filtered ones already. */
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
      fix: `end .gitattributes with a line that takes the filter away: '${attributePattern('{root}/**', root)} -filter'`,
    }
  }
  return undefined
}
