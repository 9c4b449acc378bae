/**
 * The fleet for a file that leaves this machine: without absolute paths, names of people, and details that only
 * sessions on this machine know.
 */

import { SNAPSHOT_AGENT } from '../event/snapshot.ts'
import { folderName } from '../text/folder-name.ts'
import type { Fleet } from '../fleet/fleet.ts'

export interface Private {
  /** Folders of this machine, such as worktrees and the home folder, each with the name that replaces it. */
  readonly folders: readonly (readonly [path: string, name: string])[]
  /** Names of people from git's configuration, the system and commits. */
  readonly people: readonly string[]
}

const SOMEBODY = 'somebody'

/** The fleet without what `hidden` names, and without commands and session ids. */
export function exportFleet(fleet: Fleet, hidden: Private): Fleet {
  const people = new Set(hidden.people.map((name) => name.trim().toLowerCase()))
  // Commits of shadow data and snapshots have this name as their author.
  people.delete(SNAPSHOT_AGENT)
  const agent = (name: string) => (people.has(name.trim().toLowerCase()) ? SOMEBODY : text(name))
  const text = (said: string) => cleanText(said, hidden)
  const orNull = (said: string | null) => (said === null ? null : text(said))
  const author = <T extends { readonly agent: string; readonly branch: string | null }>(
    one: T,
  ) => ({
    ...one,
    agent: agent(one.agent),
    branch: orNull(one.branch),
  })
  return {
    ...fleet,
    attention: fleet.attention.map((one) => ({
      ...one,
      subject: text(withoutSession(one.subject)),
      message: text(one.message),
      // The command names folders and sessions of this machine.
      command: null,
    })),
    worktrees: fleet.worktrees.map((one) => ({
      ...one,
      path: folderName(one.path),
      branch: orNull(one.branch),
      note: orNull(one.note),
      agents: one.agents.map((each) => ({
        ...each,
        agent: agent(each.agent),
        session: null,
        now: orNull(each.now),
      })),
    })),
    branches: fleet.branches.map((one) => ({
      ...one,
      name: text(one.name),
      would_change: one.would_change?.map(text) ?? null,
    })),
    decisions_differ: fleet.decisions_differ.map((one) => ({
      ...one,
      key: text(one.key),
      values: one.values.map((held) => ({
        ...author(held),
        value: typeof held.value === 'string' ? text(held.value) : held.value,
        held_on: held.held_on.map(text),
      })),
    })),
    open_questions: fleet.open_questions.map((one) => ({ ...author(one), text: text(one.text) })),
    timeline: fleet.timeline.map((one, i) => ({
      ...author(one),
      // File names contain names of agents.
      file: `event-${fleet.timeline.length - i}`,
      summary: text(one.summary),
    })),
    checkpoints: fleet.checkpoints.map((one) => ({ ...author(one), summary: text(one.summary) })),
    errors: fleet.errors.map((one) => ({
      ...one,
      subject: text(withoutSession(one.subject)),
      message: 'see ledger-git fleet',
    })),
  }
}

/** A session's file has the session id as its name. */
function withoutSession(subject: string): string {
  return /\.json(?:\.damaged-\d+)?$/.test(subject) ? 'a session' : subject
}

/** Folders in which systems keep users' files. Paths of a web server (`/api/users`) do not match. */
const SYSTEM_PATH =
  /(?<![\w/.~-])(?:\/(?:home|Users|root|tmp|var|private|mnt|media|opt|srv|data|workspaces?|work|Volumes|usr|etc|run|builds?)\b|[A-Za-z]:[\\/]Users\b)(?:[\\/][^\s'"`<>|:;,()[\]{}]*)*/g
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

function cleanText(said: string, { folders, people }: Private): string {
  let clean = said
  const known = [...folders].sort(([a], [b]) => b.length - a.length)
  for (const [path, name] of known) if (path.length > 1) clean = clean.replaceAll(path, name)
  clean = clean.replace(SYSTEM_PATH, (path) => `…/${folderName(path.replaceAll('\\', '/'))}`)
  clean = clean.replace(ADDRESS, 'an address')
  // A single word ("Mark") is too often an ordinary word.
  for (const name of people) {
    if (/\S\s+\S/.test(name)) clean = clean.replaceAll(name, SOMEBODY)
  }
  return clean
}
