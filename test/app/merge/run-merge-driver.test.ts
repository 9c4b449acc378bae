/** The driver's answer to git: the merged file and 0, or markers and 1; nothing in between. */

import { describe, expect, test, vi } from 'vitest'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import type { DriverRequest } from '../../../src/app/merge/run-merge-driver.ts'
import { runMergeDriver } from '../../../src/app/merge/run-merge-driver.ts'
import { hashObject } from '../../../src/core/git/objects.ts'
import { stateOf } from '../../../src/core/ledger/join-state.ts'
import { parseEvent } from '../../../src/core/event/parse-event.ts'
import { eventOf, Scene } from './scene.ts'

function request(
  scene: Scene,
  given: Partial<DriverRequest> = {},
  [mine, other]: readonly [string | readonly string[], string | readonly string[]] = ['m', 't'],
) {
  const seen = { written: '', said: '', closed: 0 }
  const deps = scene.dependencies()
  const sides = [
    scene.text('b'),
    scene.text('b', ...[mine].flat()),
    scene.text('b', ...[other].flat()),
  ]
  const [base, ours, theirs] = sides.map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  const whole: DriverRequest = {
    files: {
      read: () => ({ base, ours, theirs }),
      write: (text) => void (seen.written += text.toString()),
      textMerge: () => Buffer.from('<<<<<<< markers'),
    },
    path: 'notes/current.md',
    disabled: false,
    open: () => ({ ...deps, objects: Object.assign(deps.objects, { close: () => seen.closed++ }) }),
    say: (message) => void (seen.said += message),
    ...given,
  }
  return { seen, whole }
}

function scene(mine = 'm', other = 't'): Scene {
  const made = new Scene()
  const base = made.commit(['b'])
  made.store.refs.set('HEAD', made.commit(['b', mine], [base]))
  made.clues = [{ kind: 'merge', commit: made.commit(['b', other], [base]) }]
  return made
}

function parseEvents(files: ReadonlyMap<string, string>, { store }: Scene) {
  return [...files].flatMap(([file, text]) => {
    return parseEvent({ file, id: store.blob(text), text }).event ?? []
  })
}

describe('runMergeDriver', () => {
  test('answers 0 with the merged text, and says nothing', async () => {
    const made = scene()
    const { seen, whole } = request(made)
    expect(await runMergeDriver(whole)).toBe(0)
    expect(seen).toEqual({ written: made.text('b', 'm', 't'), said: '', closed: 1 })
  })

  test('what people changed by hand, on a side that keeps no events, is named', async () => {
    const made = new Scene()
    const base = made.commit([], [], '### Now\n[->] old\n')
    const hand = Buffer.from('### Now\n[->] caf\u00e9\n', 'latin1')
    made.store.refs.set('HEAD', made.commit([], [base], hand))
    made.clues = [{ kind: 'merge', commit: made.commit(['t'], [base]) }]
    const old = Buffer.from('### Now\n[->] old\n')
    const run = async (ours: Buffer) => {
      const { seen, whole } = request(made)
      const texts = { base: old, ours, theirs: Buffer.from(made.text('t')) }
      const files = { ...whole.files, read: () => texts }
      expect(await runMergeDriver({ ...whole, files })).toBe(0)
      expect(seen.written).toBe(made.text('t'))
      return seen.said
    }
    const named = `the old text is kept: git show ${hashObject('blob', hand, 'sha1')}\n`
    expect(await run(hand)).toContain(named)
    // Also where what tells texts of nothing from others cannot be loaded.
    vi.doMock('../../../src/core/migrate/read-source.ts', () => {
      throw new Error('gone')
    })
    expect(await run(hand)).toContain(named)
    vi.doUnmock('../../../src/core/migrate/read-source.ts')
    made.store.refs.set('HEAD', base)
    expect(await run(old)).toBe('')
  })

  describe('what both sides decided, to different values, is said', () => {
    const run = async (mine: string, other: string, change?: (made: Scene) => unknown) => {
      const made = scene(mine, other)
      change?.(made)
      const { seen, whole } = request(made, {}, [mine, other])
      expect(await runMergeDriver(whole)).toBe(0)
      expect(seen.written).toBe(made.text('b', ...[mine, other].sort()))
      return seen.said
    }

    test('once the merge is made; the newest holds', async () => {
      const said = 'ledger-git: both sides decided db: pg (ada) holds, lite (ada) gives way'
      expect(await run('mdb=lite', 'tdb=pg')).toBe(said)
      expect(await run('tdb=pg', 'mdb=lite')).toBe(said)
    })

    test('of many keys ten; the others are counted', async () => {
      const keys = Array.from({ length: 12 }, (_, i) => `k${String(i).padStart(2, '0')}`)
      const [mine, other] = ['m', 't'].map((side) => keys.map((key) => `${side}${key}=${side}`))
      const made = new Scene()
      const base = made.commit(['b'])
      made.store.refs.set('HEAD', made.commit(['b', ...(mine ?? [])], [base]))
      made.clues = [{ kind: 'merge', commit: made.commit(['b', ...(other ?? [])], [base]) }]
      const { seen, whole } = request(made, {}, [mine ?? [], other ?? []])
      expect(await runMergeDriver(whole)).toBe(0)
      expect(seen.said.match(/both sides decided k\d\d: t/g)).toHaveLength(10)
      expect(seen.said).toMatch(/ledger-git: and 2 more keys$/)
    })

    test.each([
      ['the same', 'mdb=pg', 'tdb=pg'],
      ['of other things', 'mdb=pg', 'tui=web'],
      ['on one side', 'mdb=pg', 't'],
    ])('%s: nothing', async (_what, mine, other) => {
      expect(await run(mine, other)).toBe('')
      expect(await run(other, mine)).toBe('')
    })

    test.each([
      ['nothing is merged into a worktree', (made: Scene) => (made.index = undefined)],
      [
        'common ancestors are merged, which were before',
        (made: Scene) => made.store.refs.set('HEAD', made.commit(['b'])),
      ],
    ])('not where %s', async (_where, change) => {
      expect(await run('mdb=lite', 'tdb=pg', change)).toBe('')
    })

    /** Of a merge in a clone that keeps the state of these words. */
    const runKept = async (kept: readonly string[], own: readonly string[], other: string[]) => {
      const made = new Scene()
      const base = made.commit(['b'])
      made.store.refs.set('HEAD', made.commit(['b', ...own], [base]))
      made.clues = [{ kind: 'merge', commit: made.commit(['b', ...other], [base]) }]
      const { seen, whole } = request(made, {}, [own, other])
      const files = new Map(['b', ...own, ...other].map((word) => eventOf(word)))
      const state = stateOf(parseEvents(new Map(kept.map((word) => eventOf(word))), made))
      const tree = made.events(...kept)
      const { store } = made
      store.cache = {
        states: () => [tree],
        state: (one) => (one === tree ? state : undefined),
        keepState: () => undefined,
        verified: () => undefined,
        keepVerified: () => undefined,
        clear: () => undefined,
      }
      const read: string[] = []
      const original = store.read.bind(store)
      store.read = (oid) => {
        read.push(oid)
        return original(oid)
      }
      expect(await runMergeDriver(whole)).toBe(0)
      const isRead = ([, text]: [string, string]) => read.includes(store.blob(text))
      return { said: seen.said, read: [...files].filter(isRead).map(([file]) => file) }
    }
    const fileOf = (word: string) => eventOf(word)[0]

    test('what a kept state holds is not read again', async () => {
      const many = Array.from({ length: 20 }, (_, i) => `m${i}`)
      const own = ['mdb=lite', ...many]
      const { said, read } = await runKept(['b', ...own], own, ['tdb=pg'])
      expect(said).toContain('both sides decided db: pg (ada) holds, lite (ada) gives way')
      expect(read.sort()).toEqual([fileOf('tdb=pg')])
    })

    test('a decision that was taken back is none, whoever did it and whatever is kept', async () => {
      const taken = [
        [['mdb=lite'], ['tdb=pg', 'v!tdb=pg']],
        [['mdb=lite', 'v!tdb=pg'], ['tdb=pg']],
      ] as const
      for (const [own, other] of taken) {
        for (const kept of [[], own, other]) {
          expect((await runKept(['b', ...kept], own, [...other])).said, String(kept)).toBe('')
        }
      }
    })

    test('a merge that was made before is no reason to be silent', async () => {
      const [own, other] = [['mdb=lite', 'n'], ['tdb=pg']]
      const { said } = await runKept(['b', 'mdb=lite', ...other], own, other)
      expect(said).toContain('both sides decided db')
    })

    test('what cannot be read then changes nothing', async () => {
      const made = scene('mdb=lite', 'tdb=pg')
      const { seen, whole } = request(made, {}, ['mdb=lite', 'tdb=pg'])
      const { files } = whole
      const write = (text: string | Uint8Array) => {
        files.write(text)
        made.store.read = () => Promise.reject(new Error('gone'))
      }
      expect(await runMergeDriver({ ...whole, files: { ...files, write } })).toBe(0)
      expect(seen.written).toBe(made.text('b', 'mdb=lite', 'tdb=pg'))
    })
  })

  test('answers 1 with markers where it cannot be exact, and says what to do', async () => {
    const made = scene()
    made.store.mergeBases = () => {
      throw new LedgerError('EVENTS_UNKNOWN', 'no such events', 'ledger-git resolve')
    }
    const { seen, whole } = request(made)
    expect(await runMergeDriver(whole)).toBe(1)
    expect(seen).toEqual({
      written: '<<<<<<< markers',
      said: 'ledger-git: notes/current.md was merged as text: no such events\n  next: ledger-git resolve',
      closed: 1,
    })
  })

  test.each([new Error('broken'), 'broken'])('a bug is no reason to abort a merge', async (bug) => {
    const made = scene()
    // What is thrown need not be an error.
    made.store.mergeBases = () => Promise.reject(bug as Error)
    const { seen, whole } = request(made)
    expect(await runMergeDriver(whole)).toBe(1)
    expect(seen.written).toBe('<<<<<<< markers')
    expect(seen.said).toMatch(/merged as text: broken\n {2}next: .*ledger-git resolve$/)
  })

  test('switched off it merges as text and opens nothing', async () => {
    const open = () => {
      throw new Error('opened')
    }
    const { seen, whole } = request(scene(), { disabled: true, open })
    expect(await runMergeDriver(whole)).toBe(1)
    expect(seen).toEqual({ written: '<<<<<<< markers', said: '', closed: 0 })
  })
})
