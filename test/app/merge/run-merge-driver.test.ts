/** What git is answered: the merged file and 0, or markers and 1; nothing in between. */

import { describe, expect, test } from 'vitest'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import type { DriverRequest } from '../../../src/app/merge/run-merge-driver.ts'
import { runMergeDriver } from '../../../src/app/merge/run-merge-driver.ts'
import { Scene } from './scene.ts'

function request(scene: Scene, given: Partial<DriverRequest> = {}) {
  const seen = { written: '', said: '', closed: 0 }
  const deps = scene.dependencies()
  const sides = [scene.text('b'), scene.text('b', 'm'), scene.text('b', 't')]
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

function scene(): Scene {
  const made = new Scene()
  const base = made.commit(['b'])
  made.store.refs.set('HEAD', made.commit(['b', 'm'], [base]))
  made.clues = [{ kind: 'merge', commit: made.commit(['b', 't'], [base]) }]
  return made
}

describe('runMergeDriver', () => {
  test('answers 0 with the merged text, and says nothing', async () => {
    const made = scene()
    const { seen, whole } = request(made)
    expect(await runMergeDriver(whole)).toBe(0)
    expect(seen).toEqual({ written: made.text('b', 'm', 't'), said: '', closed: 1 })
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
