/** Which commits a merge combines: each clue is trusted only if the texts confirm it. */

import { beforeEach, describe, expect, test } from 'vitest'
import { events, ROOT, Scene } from './scene.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})

/** main: base, m; topic: base, t. HEAD is main. */
function diverged(): { base: string; main: string; topic: string } {
  const base = scene.commit(['base'])
  const main = scene.commit(['base', 'm'], [base])
  const topic = scene.commit(['base', 't'], [base])
  scene.store.refs.set('HEAD', main).set('topic', topic)
  return { base, main, topic }
}

const sidesOf = () =>
  scene.sides(scene.text('base'), scene.text('base', 'm'), scene.text('base', 't'))
const MERGE = { base: ['base'], ours: ['base', 'm'], theirs: ['base', 't'] }

describe('a clue', () => {
  test('merge: the base is the common ancestor, and git writes the merged tree', async () => {
    diverged()
    scene.clues = [{ kind: 'merge', commit: 'topic' }]
    expect(await sidesOf()).toEqual({ ...MERGE, isPlain: true })
    expect(scene.searches).toBe(0)
  })

  test('merge: the base is the one that git named', async () => {
    const base = scene.commit(['base'], [], 'silent base')
    const [main, topic] = [scene.commit(['base', 'm'], [base]), scene.commit(['base', 't'], [base])]
    // If git had not named it there would be two, as each branch has been merged into the other.
    scene.store.refs.set('HEAD', scene.commit(['base', 'm', 't'], [main, topic]))
    const right = scene.commit(['base', 'm', 't'], [topic, main])
    const both = scene.text('base', 'm', 't')
    scene.clues = [{ kind: 'merge', commit: right, base }]
    expect(await scene.sides('silent base', both, both)).toMatchObject({ base: ['base'] })
    expect(scene.searches).toBe(0)
  })

  test('merge: none of several common ancestors is trusted; the footer is the base', async () => {
    const { main, topic } = diverged()
    const left = scene.commit(['base', 'm', 't', 'x'], [main, topic])
    const right = scene.commit(['base', 'm', 't', 'y'], [topic, main])
    scene.store.refs.set('HEAD', left)
    scene.clues = [{ kind: 'merge', commit: right }]
    // Git's merge of the two ancestors has the text of one of them, which was committed stale.
    const stale = scene.commit(['base'], [], scene.text('base', 'm', 't'))
    scene.store.mergeBases = () => Promise.resolve([stale, topic])
    const found = await scene.sides(
      scene.text('base', 'm', 't'),
      scene.text('base', 'm', 't', 'x'),
      scene.text('base', 'm', 't', 'y'),
    )
    expect(found.base).toEqual(['base', 'm', 't'])
    expect(found.isPlain).toBe(false)
  })

  test('merge: an ancestor with another text is not the base; the footer of the base text is', async () => {
    const { topic } = diverged()
    scene.events('base', 'old')
    scene.clues = [{ kind: 'merge', commit: topic }]
    const found = await scene.sides(
      scene.text('base', 'old'),
      scene.text('base', 'm'),
      scene.text('base', 't'),
    )
    expect(found).toEqual({ ...MERGE, base: ['base', 'old'], isPlain: false })
  })

  test("pick: the base is the picked commit's parent, and git writes no such tree elsewhere", async () => {
    const { topic } = diverged()
    const picked = scene.commit(['base', 't', 'u'], [topic])
    scene.clues = [{ kind: 'pick', commit: picked }]
    const found = await scene.sides(
      scene.text('base', 't'),
      scene.text('base', 'm'),
      scene.text('base', 't', 'u'),
    )
    expect(found).toEqual({
      base: ['base', 't'],
      ours: ['base', 'm'],
      theirs: ['base', 't', 'u'],
      isPlain: false,
    })
  })

  test('pick: a commit with the same text but another parent is not the picked one', async () => {
    const base = scene.commit(['base'], [], 'silent base')
    const topic = scene.commit(['base', 't'], [base], 'silent topic')
    // A stash of the same state, made on another base.
    const stash = scene.commit(['base', 'u'], [base], 'silent theirs')
    const picked = scene.commit(['base', 't', 'u'], [topic], 'silent theirs')
    scene.clues = [
      { kind: 'pick', commit: stash },
      { kind: 'pick', commit: picked },
    ]
    const found = await scene.sides('silent topic', scene.text('base', 'm'), 'silent theirs')
    expect(found).toMatchObject({ base: ['base', 't'], theirs: ['base', 't', 'u'] })
  })

  test('pick of the first commit of a history: the base has no events', async () => {
    scene.store.refs.set('HEAD', scene.commit(['m']))
    scene.clues = [{ kind: 'pick', commit: scene.commit(['t', 'u'], [], 'silent') }]
    const found = await scene.sides('', scene.text('m'), 'silent')
    expect(found).toMatchObject({ base: [], theirs: ['t', 'u'] })
    expect(scene.searches).toBe(0)
  })

  test('pick of a merge: the base is the parent whose text matches', async () => {
    const { main, topic } = diverged()
    const merge = scene.commit(['base', 'm', 't'], [main, topic])
    scene.clues = [{ kind: 'pick', commit: merge }]
    const found = await scene.sides(
      scene.text('base', 't'),
      scene.text('base', 'm'),
      scene.text('base', 'm', 't'),
    )
    expect(found.base).toEqual(['base', 't'])
  })

  test('revert: the base is the reverted commit, and theirs is its parent', async () => {
    const { main } = diverged()
    scene.clues = [{ kind: 'revert', commit: main }]
    const now = scene.commit(['base', 'm', 'n'], [main])
    scene.store.refs.set('HEAD', now)
    const found = await scene.sides(
      scene.text('base', 'm'),
      scene.text('base', 'm', 'n'),
      scene.text('base'),
    )
    expect(found).toEqual({
      base: ['base', 'm'],
      ours: ['base', 'm', 'n'],
      theirs: ['base'],
      isPlain: false,
    })
  })

  test.each([
    ['its own text is not the base', 'topic'],
    ['no parent has the text of theirs', 'main'],
  ] as const)('revert: the clue is ignored if %s', async (_why, name) => {
    const commits = diverged()
    scene.clues = [{ kind: 'revert', commit: commits[name] }]
    scene.events('base', 'z')
    const theirs = name === 'topic' ? scene.text('base') : scene.text('base', 'z')
    const found = await scene.sides(scene.text('base', 'm'), scene.text('base', 'm'), theirs)
    // The footers decide.
    expect(found.base).toEqual(['base', 'm'])
    expect(found.theirs).toEqual(name === 'topic' ? ['base'] : ['base', 'z'])
  })

  test('the first clue that fits is used; missing commits and commits that do not match are ignored', async () => {
    const { base, main, topic } = diverged()
    scene.clues = [
      { kind: 'merge', commit: 'gone' },
      { kind: 'merge', commit: base },
      { kind: 'pick', commit: main },
      { kind: 'merge', commit: topic.slice(0, 9) },
      { kind: 'pick', commit: 'gone' },
    ]
    expect(await sidesOf()).toEqual({ ...MERGE, isPlain: true })
  })

  test('the events of a commit with a stale text count, not its footer', async () => {
    const { base } = diverged()
    const stale = scene.commit(['base', 't', 'late'], [base], scene.text('base', 't'))
    scene.clues = [{ kind: 'merge', commit: stale }]
    expect((await sidesOf()).theirs).toEqual(['base', 'late', 't'])
  })
})

describe('ours', () => {
  const clue = () => {
    scene.clues = [{ kind: 'merge', commit: 'topic' }]
  }

  test('is HEAD while the index equals HEAD', async () => {
    diverged()
    clue()
    scene.index = { 'current.md': 'of another worktree' }
    expect(await sidesOf()).toEqual({ ...MERGE, isPlain: true })
  })

  test('is the index if it has the same text but an event that HEAD lacks', async () => {
    diverged()
    clue()
    scene.indexEqualsHead = false
    scene.index = { 'current.md': scene.text('base', 'm'), events: events('base', 'm', 'staged') }
    expect((await sidesOf()).ours).toEqual(['base', 'm', 'staged'])
  })

  test('is HEAD if the index has another text', async () => {
    diverged()
    clue()
    scene.indexEqualsHead = false
    scene.index = { 'current.md': 'another', events: events('base', 'staged') }
    expect((await sidesOf()).ours).toEqual(['base', 'm'])
  })

  test('is the index in a rebase if HEAD has another text', async () => {
    diverged()
    clue()
    const ours = scene.text('base', 'm', 'n')
    scene.index = { 'current.md': ours, events: events('base', 'm', 'n') }
    const found = await scene.sides(scene.text('base'), ours, scene.text('base', 't'))
    expect(found.ours).toEqual(['base', 'm', 'n'])
  })

  test('is the footer if no command holds the index and HEAD has another text', async () => {
    diverged()
    clue()
    scene.index = undefined
    const found = await scene.sides(
      scene.text('base'),
      scene.text('base', 't'),
      scene.text('base', 't'),
    )
    expect(found.ours).toEqual(['base', 't'])
  })

  test('is HEAD if no command holds the index and HEAD has the text', async () => {
    const { base } = diverged()
    scene.index = undefined
    const stale = scene.commit(['base', 'm', 'late'], [base], scene.text('base', 'm'))
    scene.store.refs.set('HEAD', stale)
    clue()
    expect((await sidesOf()).ours).toEqual(['base', 'late', 'm'])
  })

  test('is unknown if neither the index nor the history has the text', async () => {
    scene.store.refs.set('topic', scene.commit(['t']))
    clue()
    expect((await scene.sides('', 'kept by hand', scene.text('t'))).ours).toBeUndefined()
  })
})

describe('without a clue', () => {
  test('uses the footers of the texts if their trees are in the repository', async () => {
    diverged()
    expect(await sidesOf()).toEqual({ ...MERGE, isPlain: false })
    expect(scene.searches).toBe(0)
  })

  /** Commits whose texts have no usable footer but whose events are known. */
  function silent() {
    const base = scene.commit(['base'], [], 'silent base')
    const main = scene.commit(['base', 'm'], [base], 'silent main')
    const topic = scene.commit(['base', 't'], [base], 'silent topic')
    scene.store.refs.set('HEAD', main)
    return { base, main, topic }
  }

  test('searches the history for a commit that made this change', async () => {
    silent()
    expect(await scene.sides('silent base', 'silent main', 'silent topic')).toEqual({
      ...MERGE,
      isPlain: false,
    })
  })

  test('searches the history for a commit that this change undoes', async () => {
    const { main } = silent()
    const now = scene.commit(['base', 'm', 'n'], [main], 'silent now')
    scene.store.refs.set('HEAD', now)
    expect(await scene.sides('silent main', 'silent now', 'silent base')).toEqual({
      base: ['base', 'm'],
      ours: ['base', 'm', 'n'],
      theirs: ['base'],
      isPlain: false,
    })
  })

  test('searches the history for a branch that diverged further back than its parent', async () => {
    const { topic } = silent()
    scene.commit(['base', 't', 'u'], [topic], 'silent tip')
    expect(await scene.sides('silent base', 'silent main', 'silent tip')).toEqual({
      base: ['base'],
      ours: ['base', 'm'],
      theirs: ['base', 't', 'u'],
      isPlain: false,
    })
  })

  test('searches the history for the base alone if only the base has no footer; theirs keeps its own', async () => {
    const { base } = silent()
    scene.commit(['base', 't', 'late'], [base], scene.text('base', 't'))
    const found = await scene.sides('silent base', 'silent main', scene.text('base', 't'))
    expect(found).toMatchObject({ base: ['base'], theirs: ['base', 't'] })
  })

  test('finds nothing if the history does not contain the texts', async () => {
    silent()
    expect(await scene.sides('no base', 'silent main', 'no topic')).toMatchObject({
      base: undefined,
      theirs: undefined,
    })
  })

  test('ignores a footer whose tree is not in the repository', async () => {
    const other = new Scene()
    silent()
    const found = await scene.sides(other.text('far'), 'silent main', other.text('far', 'farther'))
    expect(found).toMatchObject({ base: undefined, theirs: undefined })
  })
})

describe('no base text', () => {
  test('a ledger added on both sides: the base has no events unless a common ancestor has some', async () => {
    const main = scene.commit(['m'])
    scene.store.refs.set('HEAD', main).set('topic', scene.commit(['t']))
    scene.clues = [{ kind: 'merge', commit: 'topic' }]
    expect(await scene.sides('', scene.text('m'), scene.text('t'))).toEqual({
      base: [],
      ours: ['m'],
      theirs: ['t'],
      isPlain: false,
    })
    expect(scene.searches).toBe(0)
  })

  test('a common ancestor with events but without a text is the base', async () => {
    const base = scene.store.commit({ [ROOT]: { events: events('base') } })
    const main = scene.commit(['base', 'm'], [base])
    scene.store.refs.set('HEAD', main).set('topic', scene.commit(['t'], [base]))
    scene.clues = [{ kind: 'merge', commit: 'topic' }]
    const found = await scene.sides('', scene.text('base', 'm'), scene.text('t'))
    expect(found).toMatchObject({ base: ['base'], isPlain: true })
  })

  test('a pick of the commit that added the ledger: the base has no events', async () => {
    const before = scene.store.commit({ 'README.md': 'x' })
    scene.store.refs.set('HEAD', scene.commit(['m'], [before]))
    scene.clues = [{ kind: 'pick', commit: scene.commit(['t'], [before]) }]
    const found = await scene.sides('', scene.text('m'), scene.text('t'))
    expect(found).toEqual({ base: [], ours: ['m'], theirs: ['t'], isPlain: false })
  })
})

test('a file in place of a folder, or a folder in place of a file, is no ledger', async () => {
  const odd = scene.store.commit({ [ROOT]: { events: 'a file', 'current.md': 'odd' } })
  scene.store.refs.set('HEAD', scene.commit(['m']))
  scene.clues = [{ kind: 'merge', commit: odd }]
  const found = await scene.sides('', scene.text('m'), 'odd')
  expect(found).toMatchObject({ base: [], theirs: [] })
  scene.clues = [{ kind: 'merge', commit: scene.store.commit({ [ROOT]: { 'current.md': {} } }) }]
  expect(await scene.sides('', scene.text('m'), '')).toMatchObject({ theirs: undefined })
})
