/**
 * Two versions of a checkpoint's folder are merged into one: laws, including folders that cannot be
 * read.
 */

import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointSession } from '../../../src/core/checkpoint/checkpoint.ts'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { MergedFolder, StoredFile } from '../../../src/core/checkpoint/checkpoint-folder.ts'
import { checkpointFiles } from '../../../src/core/checkpoint/checkpoint.ts'
import { mergeFolders, readFolder } from '../../../src/core/checkpoint/checkpoint-folder.ts'

const ID = '0123456789ab' as CheckpointId

function stored(name: string, text: string): StoredFile {
  return { mode: '100644', name, oid: createHash('sha1').update(text).digest('hex'), text }
}

const anySession: fc.Arbitrary<CheckpointSession> = fc
  .record({
    session: fc.constantFrom('s1', 's2', 's3'),
    addedAt: fc.constantFrom('2026-01-10T12:00:00Z', '2026-01-11T12:00:00Z'),
    condensedAt: fc.constantFrom('2026-01-10T12:00:00Z', '2026-01-11T12:00:00Z'),
    context: fc.constantFrom('', 'one\n', 'two\n'),
    commits: fc.subarray(['a'.repeat(40), 'b'.repeat(40)]),
  })
  .map((about) => ({
    ...about,
    agent: 'claude',
    branch: 'main',
    turn: 1,
    steps: 0,
    files: [],
    prompts: [],
    tasks: [],
    transcript: '{}\n',
    transcriptOffset: 0,
    isCut: false,
  }))

const anyWhole = fc
  .uniqueArray(anySession, { selector: ({ session }) => session, maxLength: 3 })
  .map((sessions) => checkpointFiles({ id: ID, sessions }))
  .map((files) => files.map(({ path, text }) => stored(path, text)))

/** Files that are not ours, some of them in places where ours can be. */
const anyForeign = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom('graph.json', '0/metadata.json', '1/metadata.json', '4/x', 'metadata.json'),
      fc.constantFrom('torn', '{"version":2}', '{"version":2,"a":1}'),
    )
    .map(([name, text]) => stored(name, text)),
  { selector: ({ name }) => name, maxLength: 2 },
)

const anyFolder = fc
  .tuple(anyWhole, anyForeign)
  .map(([ours, foreign]) => [
    ...new Map([...ours, ...foreign].map((one) => [one.name, one])).values(),
  ])

function filesOf({ texts, rest }: MergedFolder, from: readonly StoredFile[]): StoredFile[] {
  const texts2 = new Map(from.map((file) => [file.oid, file.text]))
  const kept = rest.map((entry) => ({ ...entry, text: texts2.get(entry.oid) }))
  return [...texts.map(({ path, text }) => stored(path, text)), ...kept]
}

function merge(a: readonly StoredFile[], b: readonly StoredFile[]): StoredFile[] {
  return filesOf(mergeFolders(ID, readFolder(a), readFolder(b)), [...a, ...b])
}

const byName = (files: readonly StoredFile[]) =>
  files.map(({ name, oid }) => `${name} ${oid}`).toSorted()

describe('mergeFolders', () => {
  test('the order of the sides does not matter', () => {
    fc.assert(
      fc.property(anyFolder, anyFolder, (a, b) => {
        expect(byName(merge(a, b))).toEqual(byName(merge(b, a)))
      }),
    )
  })

  test('merging again changes nothing, from either side', () => {
    fc.assert(
      fc.property(anyFolder, anyFolder, (a, b) => {
        const once = merge(a, b)
        expect(byName(merge(once, once))).toEqual(byName(once))
        expect(byName(merge(once, b))).toEqual(byName(once))
        expect(byName(merge(a, once))).toEqual(byName(once))
      }),
    )
  })

  test('names are unique, no file is below another, and all sessions and foreign bytes are kept', () => {
    fc.assert(
      fc.property(anyFolder, anyFolder, (a, b) => {
        const merged = merge(a, b)
        const names = merged.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        expect(names.filter((name) => names.some((one) => one.startsWith(`${name}/`)))).toEqual([])
        const sessions = (files: readonly StoredFile[]) =>
          readFolder(files).sessions.map(({ session }) => session)
        expect(sessions(merged)).toEqual(expect.arrayContaining([...sessions(a), ...sessions(b)]))
        const left = new Set(merged.map(({ oid }) => oid))
        for (const side of [a, b])
          for (const { oid } of readFolder(side).rest) expect(left).toContain(oid)
      }),
    )
  })
})
