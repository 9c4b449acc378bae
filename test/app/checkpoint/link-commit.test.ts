/** Trailers: which messages get one, which keep theirs, and that the id is promised before it is written. */

import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LinkRequest } from '../../../src/app/checkpoint/link-commit.ts'
import { finishDraft, linkCommit } from '../../../src/app/checkpoint/link-commit.ts'
import type { CheckpointId } from '../../../src/core/session/checkpoint-id.ts'
import type { LinkCandidate } from '../../../src/core/checkpoint/commit-links.ts'
import { isEmptyMessage, readCheckpoints } from '../../../src/core/checkpoint/trailers.ts'
import { fresh } from '../../core/session/sessions.ts'
import { scene } from './checkpoints.ts'

const PENDING = 'aaaaaaaaaaaa' as CheckpointId
const OLD = 'bbbbbbbbbbbb' as CheckpointId
const trailer = (id: string) => `Ledger-Checkpoint: ${id}`

const worker: LinkCandidate = {
  id: 's1',
  phase: 'active',
  isTimedOut: false,
  pendingCheckpoint: PENDING,
  lastSignOfLife: '2026-01-10T12:00:00Z',
  touched: [{ path: 'a.ts', blob: '1' }],
}
const withWork = [{ path: 'a.ts', before: undefined, after: '1' }]
const withoutWork = [{ path: 'z.ts', before: undefined, after: '9' }]

const anyTime = () => Promise.resolve(true)

async function linked(message: string, about: Partial<LinkRequest> = {}, head = 'init') {
  const { repo, context } = await scene()
  repo.git('commit', '-q', '--amend', '-m', head)
  const messageFile = `${repo.folder}/.git/COMMIT_EDITMSG`
  repo.write('.git/COMMIT_EDITMSG', message)
  const candidates = about.candidates ?? [worker]
  for (const { id, pendingCheckpoint } of candidates)
    context.states.set(id, fresh({ id, pendingCheckpoint }))
  await linkCommit(context, {
    messageFile,
    source: 'message',
    sourceCommit: undefined,
    words: ['git', 'commit', '-m', 'x'],
    isSequence: false,
    opensEditor: false,
    draftFile: `${repo.folder}/.git/ledger-git-draft`,
    hasMessageHook: anyTime,
    candidates,
    changes: withWork,
    maker: { kind: 'anybody' },
    ...about,
  })
  return { text: repo.read('.git/COMMIT_EDITMSG'), context, repo, messageFile }
}

test("a commit with a session's work gets the session's pending id", async () => {
  const { text } = await linked('fix\n')
  expect(text).toBe(`fix\n\n${trailer(PENDING)}\n`)
})

test('the id is in every linked state before it is in the message', async () => {
  const candidates = ['s1', 's2'].map((id) => ({ ...worker, id, pendingCheckpoint: undefined }))
  const { text, context, repo, messageFile } = await linked('fix\n', { candidates })
  const [id] = readCheckpoints(text)
  expect(id).toMatch(/^[0-9a-f]{12}$/)
  expect([...context.states.values()].map((one) => one.pendingCheckpoint)).toEqual([id, id])

  // If the message cannot be written, the state still has its promised id, and not the other way round.
  context.states.set('s1', fresh({ id: 's1' }))
  const broken = {
    ...context,
    messages: {
      ...context.messages,
      write: () => {
        expect(context.states.get('s1')?.pendingCheckpoint).toBeDefined()
        throw new Error('full')
      },
    },
  }
  repo.write('.git/COMMIT_EDITMSG', 'fix\n')
  const request = { messageFile, source: 'message', sourceCommit: undefined, words: undefined }
  const rules = { isSequence: false, opensEditor: false, hasMessageHook: anyTime, draftFile: '' }
  const maker = { kind: 'anybody' } as const
  const all = { ...request, ...rules, maker, candidates: candidates.slice(0, 1), changes: withWork }
  await expect(linkCommit(broken, all)).rejects.toThrow('full')
  expect(repo.read('.git/COMMIT_EDITMSG')).toBe('fix\n')
})

test('an id that another process promised in the meantime is used', async () => {
  const { repo, context, messageFile } = await linked('fix\n', { changes: withoutWork })
  context.states.set('s1', fresh({ id: 's1', pendingCheckpoint: OLD }))
  const candidates = [{ ...worker, pendingCheckpoint: undefined }]
  const request = { messageFile, source: 'message', sourceCommit: undefined, words: undefined }
  const rules = { isSequence: false, opensEditor: false, hasMessageHook: anyTime, draftFile: '' }
  const maker = { kind: 'anybody' } as const
  await linkCommit(context, { ...request, ...rules, maker, candidates, changes: withWork })
  expect(readCheckpoints(repo.read('.git/COMMIT_EDITMSG'))).toEqual([OLD])
})

describe('left alone', () => {
  test.each<[string, string, Partial<LinkRequest>]>([
    ['a merge', 'Merge\n', { source: 'merge' }],
    ['a squash', 'Squashed\n', { source: 'squash' }],
    ['a step of a sequence', 'picked\n', { isSequence: true }],
    ['a commit of others', 'fix\n', { changes: withoutWork }],
    ['a message without words', '\n', {}],
    ['a message with somebody else’s trailer', `fix\n\n${trailer(OLD)}\n`, {}],
    ['a message that already has our trailer', `fix\n\n${trailer(PENDING)}\n`, {}],
    ['no session', 'fix\n', { candidates: [] }],
  ])('%s', async (_, message, about) => {
    const { text } = await linked(message, about)
    expect(text).toBe(message)
  })
})

describe('amending', () => {
  const head = `old\n\n${trailer(OLD)}`
  const none = { changes: [] }
  const amend = (...words: string[]) => ({ words: ['git', 'commit', '--amend', ...words] })

  test('with the old message keeps the trailer unchanged', async () => {
    const { text } = await linked(
      `${head}\n`,
      { ...none, ...amend(), source: 'commit', sourceCommit: 'HEAD', opensEditor: true },
      head,
    )
    expect(text).toBe(`${head}\n`)
  })

  test('with a new message restores the trailer, and the session that amends keeps its pending id', async () => {
    const maker = { kind: 'session', id: 's1' } as const
    const { text, context } = await linked('new\n', { ...none, ...amend('-m', 'new'), maker }, head)
    expect(text).toBe(`new\n\n${trailer(OLD)}\n`)
    expect(context.states.get('s1')?.pendingCheckpoint).toBe(PENDING)
  })

  test('with new work of a session has both trailers', async () => {
    const { text } = await linked('new\n', { ...amend('-m', 'new') }, head)
    expect(readCheckpoints(text)).toEqual([OLD, PENDING])
  })

  test("is recognized from git's message source if the process table cannot be read", async () => {
    const about = { ...none, words: undefined, source: 'commit', sourceCommit: 'HEAD' }
    expect((await linked('old\n', about, head)).text).toBe(`old\n\n${trailer(OLD)}\n`)
  })

  test('a new commit keeps no trailer of HEAD', async () => {
    const words = ['git', 'commit', '-m', '--amend']
    expect((await linked('fix\n', { ...none, words }, head)).text).toBe('fix\n')
  })
})

describe('in an editor', () => {
  const hints = '\n# Please enter the commit message\n#\n'
  const editor = { source: undefined, words: ['git', 'commit'], opensEditor: true }

  test('an empty draft gets a trailer only if the commit-msg hook can take it out again', async () => {
    const draft = (await linked(hints, editor)).text
    expect(draft).toBe(`\n\n${trailer(PENDING)}\n\n# Please enter the commit message\n#\n`)
    expect(
      (await linked(hints, { ...editor, hasMessageHook: () => Promise.resolve(false) })).text,
    ).toBe(hints)
    const words = ['git', 'commit', '-n']
    expect((await linked(hints, { ...editor, words })).text).toBe(hints)
  })

  const draftFile = (folder: string) => `${folder}/.git/ledger-git-draft`
  /** Closes the editor with `written`; returns what the commit-msg hook leaves. */
  async function closed(scene: Awaited<ReturnType<typeof linked>>, written: string) {
    const { repo, messageFile, context } = scene
    repo.write('.git/COMMIT_EDITMSG', written)
    const { words } = editor
    const files = { messageFile, draftFile: draftFile(repo.folder) }
    await finishDraft(context, { ...files, words })
    expect(existsSync(files.draftFile)).toBe(false)
    return repo.read('.git/COMMIT_EDITMSG')
  }

  test('a draft closed without words is emptied again, so that git aborts', async () => {
    for (const change of [
      (text: string) => text,
      (text: string) => text.replace('\n\n', '\n  \n# mine\n'),
      (text: string) => text.replace('# Please', 'Signed-off-by: A <a@b.c>\n# Please'),
    ]) {
      const scene = await linked(hints, editor)
      const left = await closed(scene, change(scene.text))
      expect(isEmptyMessage(left)).toBe(true)
      expect(left).not.toContain('Ledger')
    }
  })

  test('a draft closed with words keeps the trailer', async () => {
    const scene = await linked(hints, editor)
    expect(readCheckpoints(await closed(scene, `fix${scene.text}`))).toEqual([PENDING])
  })

  test('`commit --edit -m` is no draft: its message counts even if nobody edits it', async () => {
    const { text, repo } = await linked('fix\n', { ...editor, source: 'message' })
    expect(readCheckpoints(text)).toEqual([PENDING])
    expect(existsSync(draftFile(repo.folder))).toBe(false)
  })

  test('a template that nobody edited is left without a trailer, as git wrote it', async () => {
    const template = `Subject:\n\n# why\nWhy:\n${hints}`
    const about = { ...editor, source: 'template' }
    const scene = await linked(template, about)
    expect(readCheckpoints(scene.text)).toEqual([PENDING])
    expect(await closed(scene, scene.text)).not.toContain('Ledger')
    const again = await linked(template, about)
    const written = again.text.replace('Subject:', 'Subject: x')
    expect(readCheckpoints(await closed(again, written))).toEqual([PENDING])
    // Without our hook, git would take the trailer for text that a person wrote.
    const never = () => Promise.resolve(false)
    expect((await linked(template, { ...about, hasMessageHook: never })).text).toBe(template)
    expect((await linked(template, { ...about, words: ['git', 'commit', '-n'] })).text).toBe(
      template,
    )
  })

  test("text below the scissors line does not count as the person's words", async () => {
    const diff =
      '# ------------------------ >8 ------------------------\n# Do not\ndiff --git a b\n+x\n'
    const scene = await linked(hints + diff, editor)
    expect(readCheckpoints(scene.text)).toEqual([PENDING])
    expect(await closed(scene, scene.text)).not.toContain('Ledger')
  })
})
