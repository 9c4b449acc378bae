/** What checkpoints need, over real git: plain plumbing, one call for each thing asked. */

import { randomBytes } from 'node:crypto'
import type { GatherContext } from '../../src/app/report/gather-session.ts'
import type {
  CheckpointContext,
  LinkContext,
  PushContext,
} from '../../src/app/checkpoint/checkpoint-ports.ts'
import type { ObjectWriter, RefPort, SessionStore } from '../../src/app/session/session-ports.ts'
import type { SessionState } from '../../src/core/session/session-state.ts'
import { isFinished } from '../../src/core/session/session-state.ts'
import { AGENTS, readEntries } from '../../src/io/agents/agents.ts'
import { readFrom, readTail } from '../../src/io/agents/transcript-file.ts'
import { GitBranches } from '../../src/io/git/checkpoint-branch.ts'
import { GitCheckpointRemote } from '../../src/io/git/checkpoint-remote.ts'
import type { Git } from '../../src/io/git/exec.ts'
import { openRepository } from '../../src/io/git/repository.ts'
import { nodeFiles } from '../../src/io/files/node-files.ts'
import { secretScanner } from '../../src/io/secrets/secret-scanner.ts'

export interface TestContext
  extends CheckpointContext, PushContext, LinkContext, Omit<GatherContext, 'repository'> {
  readonly states: Map<string, SessionState>
  readonly logged: string[]
  close(): void
}

export async function checkpointContext(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<TestContext> {
  const repository = await openRepository(folder, env)
  const { git } = repository
  const states = new Map<string, SessionState>()
  const logged: string[] = []
  return {
    repository,
    refs: refsOf(git),
    objects: writerOf(git, repository),
    branches: new GitBranches(git),
    remote: new GitCheckpointRemote(git),
    sessions: storeOf(states),
    secrets: () => Promise.resolve(secretScanner),
    agents: {
      readFrom: sliceOf(readFrom),
      readTail: (...args) => tailOf(...args),
      readLines: (agent, lines) => AGENTS[agent].readLines(lines),
    },
    clock: { now: () => Date.UTC(2026, 0, 10, 12) },
    random: (bytes) => randomBytes(bytes),
    log: (line) => void logged.push(line),
    files: nodeFiles,
    states,
    logged,
    close: () => repository.close(),
  }
}

function refsOf(git: Git): RefPort {
  const zero = '0'.repeat(40)
  return {
    read: (name) => git.query(['rev-parse', '--quiet', '--verify', name]),
    move: async (name, to, from, reason) => {
      const args = ['update-ref', '--no-deref', '-m', reason, name, to, from ?? zero]
      return (await git.run(args)).status === 0
    },
    remove: async (name, from) => (await git.run(['update-ref', '-d', name, from])).status === 0,
    list: () => Promise.reject(new Error('not asked for here')),
  }
}

function writerOf(git: Git, repository: Awaited<ReturnType<typeof openRepository>>): ObjectWriter {
  return {
    blobs: (contents) => Promise.all(contents.map((one) => repository.writeBlob(one))),
    files: () => Promise.reject(new Error('not asked for here')),
    tree: (entries) => repository.writeTree(entries),
    commit: ({ tree, parents, message, at }) => {
      const date = `@${Math.floor(at / 1000)} +0000`
      const who = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
      const args = parents.flatMap((parent) => ['-p', parent])
      return git.text(['commit-tree', ...args, tree], { input: message, env: who })
    },
  }
}

function storeOf(states: Map<string, SessionState>): SessionStore {
  return {
    list: () => ({ sessions: [...states.values()], damaged: [] }),
    listOpen: () => [...states.values()].filter((state) => !isFinished(state)),
    read: (id) => states.get(id),
    change: async (id, change) => {
      const { state, result } = await change(states.get(id))
      if (state === undefined) states.delete(id)
      else states.set(id, state)
      return result
    },
  }
}

type Slicer = GatherContext['agents']['readFrom']

function sliceOf(read: typeof readFrom): Slicer {
  return (agent, path, offset, maxBytes) => {
    const slice = read(path, offset, { maxBytes })
    return 'unreadable' in slice ? undefined : { ...slice, entries: readEntries(agent, slice) }
  }
}

const tailOf: GatherContext['agents']['readTail'] = (agent, path, maxBytes) => {
  const slice = readTail(path, { maxBytes })
  return 'unreadable' in slice ? undefined : { ...slice, entries: readEntries(agent, slice) }
}
