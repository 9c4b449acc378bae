/**
 * Everything that following a session needs, connected to the outside world. Agents' hooks and git's hooks wait for
 * it: only what all of them need is loaded here, and git is called once.
 */

import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import type { SessionContext } from '../../app/shadow/session-context.ts'
import { contextStore } from '../context/context-store.ts'
import { nodeFiles } from '../files/node-files.ts'
import { gitChanges } from '../git/git-changes.ts'
import { gitRefs } from '../git/git-refs.ts'
import { openRepository, Repository } from '../git/repository.ts'
import { ShadowFiles } from '../git/shadow-files.ts'
import { openCatFileReader } from '../objects/open-reader.ts'
import { transcripts } from '../agents/transcript-file.ts'
import { agentProcess } from '../process/agent-process.ts'
import { startDetached } from '../process/start-apart.ts'
import { say } from '../terminal/talk.ts'
import { sessionLog } from './session-log.ts'
import { withLock } from '../files/lock.ts'
import { attempt, namesIn } from '../files/files.ts'
import { refuseLinks } from '../git/git-worktree.ts'
import type { PersonalFiles } from '../../app/shadow/session-ports.ts'
import { summaryStore } from './summary-store.ts'
import { FileSessionStore } from './session-store.ts'

export type OpenSession = SessionContext & { close(): void }

/** `opened`: the repository around `cwd`, if it is already open. */
export async function openSessionContext(
  cwd: string,
  env: NodeJS.ProcessEnv,
  opened?: Repository,
): Promise<OpenSession> {
  const { git, place } = opened ?? (await openRepository(cwd, env))
  // Chains of trees and commits are read one after the other: one child for all of them.
  const repository = new Repository(git, place, openCatFileReader)
  const clock = { now: () => Date.now() }
  const secrets = async () => (await import('../secrets/secret-scanner.ts')).secretScanner
  const log = sessionLog(place.commonDir, clock.now)
  return {
    repository,
    sessions: new FileSessionStore(place.commonDir),
    refs: gitRefs(git, log),
    objects: repository.writer,
    processes: agentProcess(),
    transcripts,
    personal: personalFiles(place.top ?? cwd),
    summaries: summaryStore(place.commonDir, place.top ?? cwd, env),
    contexts: contextStore(place.commonDir, place.top ?? cwd, env),
    files: new ShadowFiles(git, place),
    rescue: async () => (await import('../git/shadow-rescue.ts')).shadowRescue(git, place),
    hasWorktree: (name) => name === '' || existsSync(join(place.commonDir, 'worktrees', name)),
    changes: gitChanges(git),
    remote: async () => (await import('../git/checkpoint-remote.ts')).gitCheckpointRemote(git),
    saveMemory: async (memory) =>
      (await import('../memory/claude-mem.ts')).saveInClaudeMem(env, memory),
    messages: nodeFiles,
    plans: nodeFiles,
    secrets,
    tracker: async () => {
      const { trackerContext } = await import('../tracker/tracker-context.ts')
      // Nobody reads what a hook says about the tracker.
      return trackerContext(repository, { env, clock, secrets, log, say: undefined })
    },
    clock,
    env,
    folder: cwd,
    tops: topsOf(place, cwd),
    localDate,
    localTime: (millis) => new Date(millis).toTimeString().slice(0, 5),
    startErrand: (errand, ...words) => startDetached(place, env, ['hook', errand, ...words]),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    log,
    say,
    close: () => repository.close(),
  }
}

/**
 * An agent may have come to the worktree through a link (on macOS, `/tmp` and `/var` are links), or write its path in
 * other letters than the file system does: then the folder above the agent's that is the same is one, too.
 */
function topsOf({ top }: Place, cwd: string): string[] {
  if (top === undefined) return []
  if (`${cwd}/`.startsWith(`${top}/`)) return [top]
  const keyOf = (path: string) => {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  }
  return (
    attempt(() => {
      const own = keyOf(top)
      for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder))
        if (keyOf(folder) === own) return [top, folder]
    }) ?? [top]
  )
}

function localDate(millis: number): string {
  const date = new Date(millis)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** How long an agent's hook waits for another process, in milliseconds. */
const LOCK_TIMEOUT = 2000

function personalFiles(top: string): PersonalFiles {
  return {
    locked: (path, action) => {
      refuseLinks(top, path)
      return withLock(`${top}/${path}`, action, LOCK_TIMEOUT)
    },
    list: (folder) => namesIn(`${top}/${folder}`),
  }
}
