/** Options shared by several commands, and how they are read: filters, and how an event is written. */

import type { AddEventContext, AddEventRequest } from '../../app/commit/add-event.ts'
import type { Untaken } from '../../app/commit/commit-ledger.ts'
import type { EventSet } from '../../app/ledger/ledger-tree.ts'
import type { EventFilter } from '../../app/ledger/view-ledger.ts'
import type { FilesPort } from '../../app/ports.ts'
import { lefthookFiles } from '../../app/setup/hook-routes.ts'
import { instantFromMillis, parseInstant } from '../../core/event/instant.ts'
import { managerOf } from '../../core/setup/hook-script.ts'
import { parseDuration } from '../../core/settings/settings.ts'
import type { Input } from './command.ts'
import { COMMIT, flag, nonEmpty, value } from './command.ts'
import type { OpenRepository } from './context.ts'

export const FILTER_OPTIONS = {
  agent: nonEmpty('only events of this agent'),
  branch: nonEmpty('only events of this branch'),
  stream: nonEmpty('only events of this handoff'),
  type: nonEmpty('only events of this type'),
  since: nonEmpty('only events from this time on, or an age: 2h, 7d'),
}
const NONE_FITS = 'no event matches these options; next: ledger-git event list'
const NO_EVENTS = 'no events here; next: ledger-git event add --now "what is being done"'
const NONE_READ = 'no event here can be read; next: ledger-git event validate'
export const REV = nonEmpty('read the events of this commit')

export function readFilter(input: Input): EventFilter {
  const readSince = (text: string) => {
    const age = parseDuration(text)
    if (age === undefined) return parseInstant(text)?.instant
    return instantFromMillis(Math.max(0, input.context.clock.now() - age))
  }
  const examples = 'for example --since 2026-01-31 or --since 7d'
  return {
    agent: input.text('agent'),
    branch: input.text('branch'),
    stream: input.text('stream'),
    type: input.text('type'),
    since: input.parsed('since', readSince, ' is neither a time nor an age', examples),
  }
}

/** Why a command has no event to show. */
export function sayWhyNoEvents({ events, problems }: EventSet, input: Input): void {
  if (input.json) return
  if (events.length > 0) input.say(NONE_FITS)
  // There is no next step for a commit without events.
  else if (input.text('rev') === undefined) input.say(problems.length === 0 ? NO_EVENTS : NONE_READ)
}

export const WRITE_OPTIONS = {
  agent: value('who writes (default: from the environment)'),
  stage: { ...flag('stage the event and the refreshed current.md'), conflicts: 'commit' },
  commit: COMMIT,
}
export const ALLOW_SECRET = flag('write it even if something in it looks like a secret')

export function readWriteOptions(input: Input): Pick<AddEventRequest, 'agent' | 'afterwards'> {
  const staged = input.flag('stage') ? 'stage' : 'leave'
  return { agent: input.filled('agent'), afterwards: input.flag('commit') ? 'commit' : staged }
}

export function writeContext(open: OpenRepository, { context }: Input): AddEventContext {
  return {
    ...open,
    clock: context.clock,
    env: context.env,
    folder: context.cwd,
    isTyped: true,
    untaken: whyNotCommitted(open, context.files),
  }
}

/** Why no hook will take the event into the next commit, as far as files tell; undefined if one will. */
function whyNotCommitted(
  { repository, settings }: OpenRepository,
  files: FilesPort,
): Untaken | undefined {
  const { commonDir, hooks, top } = repository.place
  const exists = (path: string) => files.kind(path) !== 'absent'
  if (!exists(`${commonDir}/ledger-git/run`)) {
    return noCommit('this clone is not set up', 'ledger-git install')
  }
  // Hooks look where install last put the ledger: another branch may keep it elsewhere.
  const root = files.read(`${commonDir}/ledger-git/root`)?.trimEnd()
  if (root !== undefined && root !== settings.root) {
    return noCommit('this clone is set up for another ledger.root', 'ledger-git install')
  }
  if (hooks === undefined || exists(`${commonDir}/ledger-git/config-hooks`)) return undefined
  if (!exists(`${hooks}/.`)) {
    return noCommit(`git runs no hook here (there is no folder ${hooks})`, 'ledger-git doctor')
  }
  const [entry, ...others] = ['', '.legacy'].map((end) => files.read(`${hooks}/pre-commit${end}`))
  // A global hook script that runs each repository's own hooks.
  if (entry?.includes('hooks/') === true) return undefined
  // husky runs the file next to `_/`; lefthook runs what its settings say, if git runs lefthook.
  const called =
    managerOf(entry ?? '') === 'lefthook'
      ? lefthookFiles(top).map((path) => files.read(path))
      : [files.read(`${hooks}/../pre-commit`)]
  if ([entry, ...others, ...called].some((text) => text?.includes('ledger-git'))) return undefined
  return noCommit('no pre-commit hook calls ledger-git here', 'ledger-git doctor')
}

function noCommit(why: string, next: string): Untaken {
  return { what: `${why}, so no commit will include the event`, next }
}
