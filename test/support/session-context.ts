/**
 * A `SessionContext` for tests: real git objects and refs through plain calls of git, states in plain files
 * without lock, real secrets and transcripts. A double for the session ports, nothing more.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionStore } from '../../src/app/session/session-ports.ts'
import type { ShadowContext } from '../../src/app/shadow/shadow-ports.ts'
import { encodeTree } from '../../src/core/git/objects.ts'
import { newSession } from '../../src/core/session/change-session.ts'
import { parseSessionState, renderSessionState } from '../../src/core/session/session-file.ts'
import type { SessionState } from '../../src/core/session/session-state.ts'
import { isFinished } from '../../src/core/session/session-state.ts'
import { AGENTS, readEntries } from '../../src/io/agents/agents.ts'
import { readFrom, readTail } from '../../src/io/agents/transcript-file.ts'
import { openRepository } from '../../src/io/git/repository.ts'
import { ShadowFiles } from '../../src/io/git/shadow-files.ts'
import { ShadowRescue } from '../../src/io/git/shadow-rescue.ts'
import { secretScanner } from '../../src/io/secrets/secret-scanner.ts'

export const AT = '2026-01-10T12:00:00Z'

/** The context of one worktree. Cheap: open a new one after every change of HEAD, as each command does. */
export async function sessionContext(
  folder: string,
  env: NodeJS.ProcessEnv,
  about: Partial<ShadowContext> = {},
): Promise<ShadowContext> {
  const repository = await openRepository(folder, env)
  const { git, place } = repository
  const slice = (read: ReturnType<typeof readFrom>, agent: 'claude' | 'codex' | 'gemini') =>
    'unreadable' in read ? undefined : { ...read, entries: readEntries(agent, read) }
  return {
    repository,
    sessions: fileStore(join(place.commonDir, 'ledger-git', 'sessions')),
    refs: {
      read: (name) => git.query(['rev-parse', '--quiet', '--verify', name]),
      move: async (name, to, from, why) =>
        (await git.run(['update-ref', '-m', why, name, to, from ?? '0'.repeat(to.length)]))
          .status === 0,
      remove: async (name, from) => (await git.run(['update-ref', '-d', name, from])).status === 0,
      list: async (prefix) => {
        const listed = await git.text(['for-each-ref', '--format=%(objectname) %(refname)', prefix])
        return listed.split('\n').flatMap((line) => {
          const [oid = '', name] = line.split(' ')
          return name === undefined ? [] : [{ name, oid }]
        })
      },
    },
    objects: {
      blobs: async (contents) => Promise.all(contents.map((one) => repository.writeBlob(one))),
      files: async () => {
        throw new Error('not used here')
      },
      tree: (entries) =>
        git.text(['hash-object', '-t', 'tree', '-w', '--stdin'], { input: encodeTree(entries) }),
      commit: ({ tree, parents, message, at }) => {
        const date = `${Math.floor(at / 1000)} +0000`
        const who = { GIT_AUTHOR_NAME: 'ledger-git', GIT_COMMITTER_NAME: 'ledger-git' }
        const when = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
        const words = parents.flatMap((parent) => ['-p', parent])
        const options = { input: message, env: { ...who, ...when } }
        return git.text(['commit-tree', '--no-gpg-sign', ...words, tree], options)
      },
    },
    processes: { owner: () => undefined, lifeOf: () => 'gone', ancestors: () => [] },
    agents: {
      readPayload: () => ({ refused: 'not used here' }),
      writeAnswer: () => '',
      readFrom: (agent, path, offset, maxBytes) =>
        slice(readFrom(path, offset, { maxBytes }), agent),
      readTail: (agent, path, maxBytes) => slice(readTail(path, { maxBytes }), agent),
      readLines: (agent, lines) => AGENTS[agent].readLines(lines),
    },
    secrets: async () => secretScanner,
    clock: { now: () => Date.parse(AT) },
    random: (bytes) => new Uint8Array(bytes),
    log: () => {},
    say: () => {},
    files: new ShadowFiles(git, place),
    rescue: new ShadowRescue(git, place),
    ...about,
  }
}

function fileStore(folder: string): SessionStore {
  mkdirSync(folder, { recursive: true })
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const read = (id: string) =>
    existsSync(fileOf(id)) ? parseSessionState(readFileSync(fileOf(id), 'utf8')).state : undefined
  const all = () => readdirSync(folder).flatMap((name) => read(name.replace(/\.json$/, '')) ?? [])
  return {
    list: () => ({ sessions: all(), damaged: [] }),
    listOpen: () => all().filter((state) => !isFinished(state)),
    read,
    change: async (id, change) => {
      const { state, result } = await change(read(id))
      if (state === undefined) rmSync(fileOf(id), { force: true })
      else writeFileSync(fileOf(id), renderSessionState(state))
      return result
    },
  }
}

/** Saves a state as it is. */
export async function keepState(
  { sessions }: ShadowContext,
  state: SessionState,
): Promise<SessionState> {
  return sessions.change(state.id, async () => ({ state, result: state }))
}

/** A session in its first turn, at HEAD of the context's worktree. */
export async function sessionHere(
  context: ShadowContext,
  id: string,
  about: Partial<SessionState> = {},
): Promise<SessionState> {
  const { place, history } = context.repository
  const name = place.gitDir === place.commonDir ? '' : (place.gitDir.split('/').at(-1) ?? '')
  const worktree = { path: place.top ?? place.gitDir, name }
  const { oid: base } = await history.head()
  const state = newSession({ id, agent: 'claude', worktree, base, owner: undefined }, AT)
  return keepState(context, { ...state, ...about })
}
