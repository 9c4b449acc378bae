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

  test('names the text that people edited by hand on a side without events', async () => {
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
    // Also if the code that recognizes texts without content cannot be loaded.
    vi.doMock('../../../src/core/migrate/read-source.ts', () => {
      throw new Error('gone')
    })
    expect(await run(hand)).toContain(named)
    vi.doUnmock('../../../src/core/migrate/read-source.ts')
    made.store.refs.set('HEAD', base)
    expect(await run(old)).toBe('')
  })

  describe('decisions with different values on both sides', () => {
    const run = async (mine: string, other: string, change?: (made: Scene) => unknown) => {
      const made = scene(mine, other)
      change?.(made)
      const { seen, whole } = request(made, {}, [mine, other])
      expect(await runMergeDriver(whole)).toBe(0)
      expect(seen.written).toBe(made.text('b', ...[mine, other].sort()))
      return seen.said
    }

    test('are reported after the merge, with the newest as the one that holds', async () => {
      const said = 'ledger-git: both sides decided db: pg (ada) holds, lite (ada) gives way'
      expect(await run('mdb=lite', 'tdb=pg')).toBe(said)
      expect(await run('tdb=pg', 'mdb=lite')).toBe(said)
    })

    test('are listed for ten keys, and the others are counted', async () => {
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
      ['the same value', 'mdb=pg', 'tdb=pg'],
      ['different keys', 'mdb=pg', 'tui=web'],
      ['a decision on one side only', 'mdb=pg', 't'],
    ])('%s: reports nothing', async (_what, mine, other) => {
      expect(await run(mine, other)).toBe('')
      expect(await run(other, mine)).toBe('')
    })

    test.each([
      ['no worktree is merged into', (made: Scene) => (made.index = undefined)],
      [
        'git merges common ancestors',
        (made: Scene) => made.store.refs.set('HEAD', made.commit(['b'])),
      ],
    ])('are not reported if %s', async (_where, change) => {
      expect(await run('mdb=lite', 'tdb=pg', change)).toBe('')
    })

    /** Runs a merge in a clone that has cached the state of these words. */
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

    test('are found without reading events again that a cached state contains', async () => {
      const many = Array.from({ length: 20 }, (_, i) => `m${i}`)
      const own = ['mdb=lite', ...many]
      const { said, read } = await runKept(['b', ...own], own, ['tdb=pg'])
      expect(said).toContain('both sides decided db: pg (ada) holds, lite (ada) gives way')
      expect(read.sort()).toEqual([fileOf('tdb=pg')])
    })

    test('are not reported once retracted, on whichever side and whatever is cached', async () => {
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

    test('are reported again although the same merge was made before', async () => {
      const [own, other] = [['mdb=lite', 'n'], ['tdb=pg']]
      const { said } = await runKept(['b', 'mdb=lite', ...other], own, other)
      expect(said).toContain('both sides decided db')
    })

    test('cannot fail the merge if they cannot be read', async () => {
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

  test('answers 1 with markers if it cannot be exact, and says what to do', async () => {
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

  test.each([new Error('broken'), 'broken'])('a bug does not abort the merge', async (bug) => {
    const made = scene()
    // The thrown value need not be an Error.
    made.store.mergeBases = () => Promise.reject(bug as Error)
    const { seen, whole } = request(made)
    expect(await runMergeDriver(whole)).toBe(1)
    expect(seen.written).toBe('<<<<<<< markers')
    expect(seen.said).toMatch(/merged as text: broken\n {2}next: .*ledger-git resolve$/)
  })

  test('merges as text and opens nothing if switched off', async () => {
    const open = () => {
      throw new Error('opened')
    }
    const { seen, whole } = request(scene(), { disabled: true, open })
    expect(await runMergeDriver(whole)).toBe(1)
    expect(seen).toEqual({ written: '<<<<<<< markers', said: '', closed: 0 })
  })
})
