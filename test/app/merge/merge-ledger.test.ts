/** The merged text, in process: it contains what both sides added, and is never a guess. */

import { beforeEach, describe, expect, test } from 'vitest'
import type { LedgerError } from '../../../src/core/errors/errors.ts'
import { decodeTree } from '../../../src/core/git/objects.ts'
import { eventOf, events, ROOT, Scene } from './scene.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})

/** Merges the second of two branches with these words into the first. */
function mergeOf(base: string[], ours: string[], theirs: string[], kind: 'merge' | 'pick') {
  const start = scene.commit(base)
  scene.store.refs.set('HEAD', scene.commit(ours, [start]))
  scene.clues = [{ kind, commit: scene.commit(theirs, [start]) }]
  return scene.merge(scene.text(...base), scene.text(...ours), scene.text(...theirs))
}

const failure = (merge: Promise<string>) =>
  merge.then(
    () => undefined,
    ({ code, message, next }: LedgerError) => ({ code, message, next }),
  )

describe('the merged text is the rendering of the merged events', () => {
  test.each([
    ['both sides added', ['b'], ['b', 'm'], ['b', 't'], ['b', 'm', 't']],
    ['only they added', ['b'], ['b'], ['b', 't'], ['b', 't']],
    ['only we added', ['b'], ['b', 'm'], ['b'], ['b', 'm']],
    ['both added the same', ['b'], ['b', 'x'], ['b', 'x'], ['b', 'x']],
    ['they removed one', ['b', 'c'], ['b', 'c', 'm'], ['b'], ['b', 'm']],
    ['we removed one', ['b', 'c'], ['c'], ['b', 'c', 't'], ['c', 't']],
    ['both removed everything', ['b'], [], [], []],
    ['they added one that sorts first', ['m'], ['m', 'n'], ['A', 'm'], ['A', 'm', 'n']],
  ])('%s', async (_name, base, ours, theirs, merged) => {
    expect(await mergeOf(base, ours, theirs, 'pick')).toBe(scene.text(...merged))
    expect(await mergeOf(base, ours, theirs, 'merge')).toBe(scene.text(...merged))
  })

  test('works in a SHA-256 repository', async () => {
    scene = new Scene('sha256')
    expect(await mergeOf(['b'], ['b', 'm'], ['b', 't'], 'merge')).toBe(scene.text('b', 'm', 't'))
  })

  test('merges folders in events/ by name', async () => {
    const merged = await mergeOf(
      ['b', 'old/x'],
      ['b', 'old/x', 'old/y'],
      ['old/x', 'old/z'],
      'pick',
    )
    expect(merged).toBe(scene.text('old/x', 'old/y', 'old/z'))
  })

  test('takes a folder that one side added, and merges a folder that both added', async () => {
    expect(await mergeOf(['b'], ['b'], ['b', 'new/z'], 'pick')).toBe(scene.text('b', 'new/z'))
    expect(await mergeOf(['b'], ['b', 'new/y'], ['b', 'new/z'], 'pick')).toBe(
      scene.text('b', 'new/y', 'new/z'),
    )
  })
})

describe('the merged tree', () => {
  test('is written if git does not write it, because a later merge may need it as its base', async () => {
    await mergeOf(['b'], ['b', 'm'], ['b', 't'], 'pick')
    expect(scene.written).toEqual([scene.events('b', 'm', 't')])
  })

  test('is written if only the history identified the sides', async () => {
    await mergeOf(['b'], ['b', 'm'], ['b', 't'], 'merge')
    expect(scene.written).toEqual([])
    scene.clues = []
    await scene.merge(scene.text('b'), scene.text('b', 'm'), scene.text('b', 't'))
    expect(scene.written).toEqual([scene.events('b', 'm', 't')])
  })

  test('is written with its folders', async () => {
    await mergeOf(['o/b'], ['o/b', 'o/m'], ['o/b', 'o/t'], 'pick')
    const [folder, tree] = scene.written
    expect(tree).toBe(scene.events('o/b', 'o/m', 'o/t'))
    const object = await scene.store.read(tree ?? '')
    expect(decodeTree(object?.content ?? new Uint8Array(), 'sha1')[0]?.oid).toBe(folder)
  })

  test('is left to git in a plain merge', async () => {
    await mergeOf(['b'], ['b', 'm'], ['b', 't'], 'merge')
    expect(scene.written).toEqual([])
  })

  test('is left to git in a rebase, which commits it', async () => {
    await mergeOf(['b'], ['b', 'm'], ['b', 't'], 'pick')
    scene.written.length = 0
    scene.clues = scene.clues.map((clue) => ({ ...clue, isRebased: true }))
    await scene.merge(scene.text('b'), scene.text('b', 'm'), scene.text('b', 't'))
    expect(scene.written).toEqual([])
  })

  test('is not written if it equals the tree of one side', async () => {
    await mergeOf(['b'], ['b'], ['b', 't'], 'pick')
    await mergeOf(['b'], ['b', 'm'], ['b'], 'pick')
    expect(scene.written).toEqual([])
  })
})

describe('fails with a reason if the merge cannot be exact', () => {
  /** Merges one event file that has these contents in `ours` and `theirs`. */
  async function changed(ours: string | undefined, theirs: string | undefined) {
    const [file] = eventOf('b')
    const ledger = (text: string | undefined, name: string) => ({
      [ROOT]: { events: text === undefined ? {} : { [file]: text }, 'current.md': name },
    })
    const base = scene.store.commit(ledger('was\n', 'base'))
    scene.store.refs.set('HEAD', scene.store.commit(ledger(ours, 'ours'), base))
    scene.clues = [{ kind: 'pick', commit: scene.store.commit(ledger(theirs, 'theirs'), base) }]
    return failure(scene.merge('base', 'ours', 'theirs'))
  }

  test.each([
    ['both changed an event', 'mine\n', 'theirs\n'],
    ['we changed one that they removed', 'mine\n', undefined],
    ['they changed one that we removed', undefined, 'theirs\n'],
  ])('%s', async (_name, ours, theirs) => {
    const error = await changed(ours, theirs)
    expect(error).toMatchObject({ code: 'EVENTS_CONFLICT' })
    expect(error?.message).toContain(`both sides changed ${eventOf('b')[0]} in events/`)
    expect(error?.next).toContain('ledger-git resolve')
    expect(scene.written).toEqual([])
  })

  test('the same change on both sides is no conflict', async () => {
    expect(await changed('same\n', 'same\n')).toBeUndefined()
  })

  test('sides that are not in this repository are named', async () => {
    scene.store.refs.set('HEAD', scene.commit(['m']))
    const far = new Scene()
    const known = scene.text('m')
    expect(await failure(scene.merge(far.text('f'), known, far.text('g')))).toMatchObject({
      code: 'EVENTS_UNKNOWN',
      message: 'the events/ tree of base and theirs is not in this repository',
    })
    expect(await failure(scene.merge(known, far.text('g'), known))).toMatchObject({
      message: 'the events/ tree of ours is not in this repository',
    })
  })

  test.each(['base', 'ours', 'theirs'])('a newer format in %s', async (side) => {
    scene.store.refs.set('HEAD', scene.commit(['m']))
    const old = scene.text('m')
    const newer = old.replace('  format: 1', '  format: 2')
    expect(newer).not.toBe(old)
    const [base, ours, theirs] = ['base', 'ours', 'theirs'].map((one) => {
      return one === side ? newer : old
    }) as [string, string, string]
    expect(await failure(scene.merge(base, ours, theirs))).toMatchObject({ code: 'FORMAT_TOO_NEW' })
  })

  test('an event that cannot be read from the object database', async () => {
    const start = scene.commit(['b'])
    scene.store.refs.set('HEAD', start)
    const [file] = eventOf('t')
    const lost = { mode: '100644', name: file, oid: 'f'.repeat(40) }
    const there = decodeTree(
      (await scene.store.read(scene.store.tree(events('b'))))?.content ?? new Uint8Array(),
      'sha1',
    )
    const deps = scene.dependencies()
    const tree = await deps.writeTree([...there, lost])
    const theirs = scene.text('b').replace(scene.events('b'), tree)
    expect(await failure(scene.merge(scene.text('b'), scene.text('b'), theirs))).toMatchObject({
      code: 'OBJECT_MISSING',
    })
  })
})
