/** How many copies of new events are kept. */

import { expect, test } from 'vitest'
import { createEvent } from '../../../src/app/commit/event-copies.ts'
import type { RepositoryPort } from '../../../src/app/ports.ts'
import type { EventCopy } from '../../../src/core/commit/commit-mark.ts'
import { textToName } from '../../../src/core/git/objects.ts'

/** `committed`: paths that exist in HEAD. */
function repositoryWith(committed: readonly string[]) {
  const copies = new Map<string, EventCopy>()
  const marks = {
    kept: () => [...copies.values()],
    keep: (copy: Omit<EventCopy, 'oid'>) => void copies.set(copy.path, { ...copy, oid: '' }),
    forget: (paths: readonly string[]) => paths.forEach((path) => copies.delete(path)),
  }
  const history = {
    head: async () => ({ branch: 'main' }),
    blobsAt: async () => new Map(committed.map((path) => [textToName(path), {}])),
  }
  const repository = { marks, history, worktree: { create: async () => true } }
  return {
    copies,
    add: (path: string) => createEvent(repository as unknown as RepositoryPort, path, 'x'),
  }
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `events/${i}.md`)

test('keeps a limited number of copies of events that no commit has', async () => {
  const { copies, add } = repositoryWith([])
  for (const name of names(250)) expect(await add(name)).toBe(true)
  expect(copies.size).toBe(200)
})

test('forgets copies of events that other commits already contain once there are many', async () => {
  const { copies, add } = repositoryWith(names(20))
  for (const name of names(21)) await add(name)
  expect([...copies.keys()]).toEqual(['events/20.md'])
})
