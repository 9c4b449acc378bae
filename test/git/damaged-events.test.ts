/** A committed event never changes, and a torn one is never committed: pre-commit ensures both. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Repo } from '../support/git-repo.ts'
import { CURRENT, EVENTS, ledgerRepo } from '../support/git-repo.ts'
import { expectSound, withEvent, words } from './scene.ts'
import { longTest, sampleOf } from '../support/long.ts'

/** What a Markdown formatter does to a bare body: lists indented, blank lines, sections in a list. */
function formatted(text: string): string {
  return text
    .replace(/^([ \t]*)- /gm, '$1* ')
    .replace(/^(decisions|next):/gm, '  $1:')
    .replace(/^this_session:\n/m, 'this_session:\n\n')
    .replace(/\n# rename-guard/, '\n\n# rename-guard')
}

/** The text without a secret, removed as a person would. */
function byHand(text: string): string {
  return text.replace('v1', 'gone')
}

/** Runs a commit that must be refused; returns the message. */
function refused(repo: Repo, ...args: string[]): string {
  const before = repo.git('rev-parse', 'HEAD')
  const ran = repo.tryGit('commit', '-q', '-m', 'refused', ...args)
  expect(ran.status, ran.stderr).toBe(1)
  expect(repo.git('rev-parse', 'HEAD')).toBe(before)
  return ran.stderr
}

test('pre-commit stops at a renamed event and names the way back, not a way to delete it', () => {
  const { repo, path, text } = withEvent()
  const other = path.replace(/[0-9a-f]{8}\.md$/, '00000000.md')
  repo.git('mv', path, other)
  const said = refused(repo)
  expect(said).toContain(`git mv ${other} ${path}`)
  expect(said).not.toContain('event drop')
  repo.git('mv', other, path)
  expect(repo.status()).toBe('')
  expect(repo.read(path)).toBe(text)
})

describe('pre-commit, after a formatter changed a committed event', () => {
  test('restores the committed bytes in commit -a with other work and says so in one line', () => {
    const { repo, path, file, text } = withEvent()
    repo.write(path, formatted(text))
    repo.write('a.txt', 'b\n')
    const ran = repo.tryGit('commit', '-q', '-am', 'style')
    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stderr).toBe(
      `ledger-git: 1 event was only reformatted; the original text is restored: ${file}\n`,
    )
    expect(repo.changed()).toEqual(['a.txt'])
    expect(repo.read(path)).toBe(text)
    expectSound(repo)
  })

  longTest('restores staged and unstaged events, and commits the other work', () => {
    const { repo, path, text } = withEvent()
    const other = repo.event('--agent', 'crisp', '--done', 'todo 2')
    repo.commit('more', { 'b.txt': 'b\n' })
    const otherText = repo.read(other)
    repo.write(path, formatted(text))
    repo.git('add', path)
    repo.write(other, otherText.replaceAll('\n', '\r\n'))
    repo.write(other, formatted(otherText))
    repo.write('a.txt', 'b\n')
    repo.git('add', 'a.txt')
    repo.git('commit', '-q', '-m', 'style')
    expect(repo.changed()).toEqual(['a.txt'])
    expect([repo.read(path), repo.read(other)]).toEqual([text, otherText])
    expectSound(repo)
  })

  const SPACE: [string, (text: string) => string][] = [
    ['at the end of the file', (text: string) => `${text}\n  \n`],
    ['at the end of each line', (text: string) => text.replaceAll('\n', ' \n')],
  ]
  test.each(sampleOf(SPACE, 2))('restores an event with extra white space %s', (_where, change) => {
    const { repo, path, text } = withEvent()
    repo.write(path, change(text))
    repo.write('a.txt', 'b\n')
    repo.git('commit', '-q', '-am', 'space')
    expect(repo.read(path)).toBe(text)
    expect(repo.changed()).toEqual(['a.txt'])
  })

  longTest('restores a changed guard line like any other text of the event', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, text.replace(/(# rename-guard: )\S+/, '$1x'))
    repo.write('a.txt', 'b\n')
    repo.git('commit', '-q', '-am', 'guard')
    expect(repo.read(path)).toBe(text)
    expect(repo.changed()).toEqual(['a.txt'])
  })

  test('makes no commit of reformatted events alone', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, formatted(text))
    expect(refused(repo, '-a')).toContain('nothing else is in this commit')
    expect(repo.read(path)).toBe(text)
    expectSound(repo)
  })

  const WAYS = [['-a'], [], ['--', CURRENT]]
  test.each(sampleOf(WAYS, 3))('makes no commit of an edited current.md: commit %s', (...args) => {
    const { repo } = withEvent()
    repo.write(CURRENT, `${repo.read(CURRENT)}by hand\n`)
    if (args.length === 0) repo.git('add', CURRENT)
    const said = refused(repo, ...args)
    expect(said).toContain('nothing else is in this commit')
    expect(said).toContain('the edited text is kept')
    expect(said.match(/is kept/g)).toHaveLength(1)
    expect(repo.read(CURRENT)).not.toContain('by hand')
    expectSound(repo)
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty')
  })

  test('makes no commit of a removed current.md, however often it is tried', () => {
    const { repo } = withEvent()
    for (let i = 0; i < 2; i += 1) {
      repo.git('rm', '-q', '--cached', CURRENT)
      expect(refused(repo)).toContain('nothing else is in this commit')
    }
    expectSound(repo)
  })

  longTest('leaves the index in step after commit -- path', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, formatted(text))
    repo.write('a.txt', 'b\n')
    repo.git('commit', '-q', '-m', 'style', '--', path, 'a.txt')
    expect(repo.changed()).toEqual(['a.txt'])
    expect(repo.read(path)).toBe(text)
    expectSound(repo)
  })

  test('keeps an edit in the worktree beside a staged reformatting', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, formatted(text))
    repo.git('add', path)
    repo.write(path, byHand(text))
    expect(refused(repo)).toContain('commit stopped')
    expect(repo.read(path)).toBe(byHand(text))
  })

  longTest('restores another tool’s event, unless the change mends a fault in it', () => {
    const repo = ledgerRepo()
    const head = '---\nts: 2026-01-10T13:03:52Z\nagent: crisp\n---\n\n'
    const good = `${head}now: x\nthis_session:\n- one\n- two\ndecisions:\n  k: v\n`
    const bad = `${head}now: x\nthis_session:\n  - one\n - two\n`
    repo.commit('theirs', { [`${EVENTS}/good.md`]: good, [`${EVENTS}/bad.md`]: bad })
    repo.write(`${EVENTS}/good.md`, formatted(good))
    const mended = bad.replace('\n - two', '\n  - two')
    repo.write(`${EVENTS}/bad.md`, mended)
    repo.git('commit', '-q', '-am', 'style')
    expect(repo.read(`${EVENTS}/good.md`)).toBe(good)
    expect(repo.read(`${EVENTS}/bad.md`)).toBe(mended)
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })
})

describe('pre-commit, after a formatter changed an event that is in no commit', () => {
  const FORMATS: [string, (text: string) => string][] = [
    ['biome', (text: string) => text.replace('---\n', '---\n\n')],
    [
      'quotes and blank lines',
      (text: string) => text.replace('v1', '"v1"').replace(/\n(next|now):/, '\n\n$1:'),
    ],
  ]
  test.each(sampleOf(FORMATS, 2))(
    '%s: restores and commits the text of staged and pending events',
    (_tool, format) => {
      const repo = ledgerRepo()
      const paths = ['toast', 'crisp'].map((agent) =>
        repo.event('--agent', agent, '--next', 'a', '--decision', 'k1=v1'),
      )
      const texts = paths.map((path) => repo.read(path))
      paths.forEach((path, i) => repo.write(path, format(texts[i] ?? '')))
      const [first = ''] = paths
      repo.git('add', first)
      const ran = repo.tryGit('commit', '-q', '--allow-empty', '-m', 'work')
      expect(ran.status, ran.stderr).toBe(0)
      expect(ran.stderr).toContain('2 events were only reformatted')
      expect(paths.map((path) => repo.read(path))).toEqual(texts)
      expect(repo.changed().filter((path) => path.startsWith(EVENTS))).toEqual(paths.toSorted())
      expectSound(repo)
    },
  )
})

describe('pre-commit, after somebody changed what a committed event says', () => {
  test.each([
    ['staged', (repo: Repo) => repo.git('add', '-A')],
    ['in the worktree', () => {}],
  ])('%s: stops the commit and offers two ways out', (_how, stage) => {
    const { repo, path, file, text } = withEvent()
    repo.write(path, byHand(text))
    repo.write('a.txt', 'b\n')
    repo.git('add', 'a.txt')
    stage(repo)
    const said = refused(repo)
    expect(said).toContain('commit stopped: events are never edited')
    expect(said).toContain(`ledger-git event restore ${file}`)
    expect(said).toContain(`ledger-git event redact ${file}`)
    expect(repo.read(path)).toBe(byHand(text))
  })

  longTest('stops the commit of an event that is empty', () => {
    const { repo, path } = withEvent()
    repo.write(path, '')
    repo.write('a.txt', 'b\n')
    expect(refused(repo, '-a')).toContain(`${path} is empty`)
  })

  longTest('does not treat the removal of an event as an edit', () => {
    const { repo, path } = withEvent()
    const other = repo.event('--agent', 'crisp', '--done', 'todo 2')
    repo.commit('more', { 'b.txt': 'b\n' })
    repo.git('rm', '-q', path)
    rmSync(join(repo.folder, other))
    repo.git('commit', '-q', '-m', 'away')
    expect(words(repo)).toEqual(['todo 2'])
  })

  longTest('leaves hand-edited files of other people alone', () => {
    const repo = ledgerRepo()
    const text = '---\nts: 2026-01-10T13:03:52Z\nagent: crisp\n---\n\nnow: x\n'
    repo.commit('theirs', { [`${EVENTS}/notes.md`]: text })
    repo.write(`${EVENTS}/notes.md`, text.replace('x', 'y'))
    repo.git('commit', '-q', '-am', 'edit')
    expect(repo.read(`${EVENTS}/notes.md`)).toContain('now: y')
    expectSound(repo)
  })

  test('commits a change that makes an event fit its name again', () => {
    const { repo, path, text } = withEvent()
    repo.write(path, byHand(text))
    repo.git('commit', '-q', '-am', 'unseen', '--no-verify')
    repo.write(path, text)
    repo.git('commit', '-q', '-am', 'mended')
    expect(repo.git('show', `HEAD:${path}`)).toBe(text.trimEnd())
    expect(repo.tryLedger('check', '--rev', 'HEAD').status).toBe(0)
  })

  longTest('accepts, in a merge, what the other branch already did to events', () => {
    const { repo, path, text } = withEvent()
    repo.git('switch', '-q', '-c', 'topic')
    repo.write(path, byHand(text))
    const torn = repo.event('--agent', 'crisp', '--now', 'x')
    repo.write(torn, '')
    repo.git('add', '-A')
    repo.write('a.txt', 'topic\n')
    repo.git('commit', '-q', '-am', 'clash', '--no-verify')
    repo.git('switch', '-q', 'main')
    repo.commit('clash', { 'a.txt': 'main\n' })
    expect(repo.tryGit('merge', '-q', 'topic').status).toBe(1)
    repo.write('a.txt', 'both\n')
    repo.git('add', 'a.txt')
    const ran = repo.tryGit('commit', '-q', '-m', 'merge')
    expect(ran.status, ran.stderr).toBe(0)
  })
})

describe('pre-commit, with a torn new event', () => {
  test('leaves it out while it is pending, names it, and commits the whole ones', () => {
    const { repo } = withEvent()
    const torn = repo.event('--agent', 'toast', '--done', 'torn')
    repo.event('--agent', 'crisp', '--done', 'whole')
    const file = torn.slice(torn.lastIndexOf('/') + 1)
    const whole = repo.read(torn)
    for (const [text, next] of [
      ['', `event drop ${file}`],
      [whole.slice(0, 60), `event drop ${file}`],
      [whole.replace('- torn', '- edited'), `event redact ${file}`],
    ] as const) {
      repo.write(torn, text)
      repo.write('a.txt', `${text.length}\n`)
      const ran = repo.tryGit('commit', '-q', '-am', 'work')
      expect(ran.status, ran.stderr).toBe(0)
      expect(ran.stderr).toContain(`${torn} is ${text === '' ? 'empty' : 'torn'}`)
      expect(ran.stderr).toContain(`ledger-git ${next}`)
      expect(words(repo)).toEqual(['todo 1', 'whole'])
      expectSound(repo, { status: `?? ${torn}` })
    }
  })

  test('leaves it out of the ledger’s own commit', () => {
    const { repo } = withEvent()
    const torn = repo.event('--agent', 'toast', '--done', 'torn')
    repo.write(torn, '')
    repo.event('--agent', 'crisp', '--done', 'whole', '--commit')
    expect(words(repo)).toEqual(['todo 1', 'whole'])
    expectSound(repo, { status: `?? ${torn}` })
  })

  test('stops the commit when the user staged it', () => {
    const { repo } = withEvent()
    const torn = repo.event('--agent', 'toast', '--done', 'torn')
    repo.write(torn, '')
    repo.git('add', torn)
    expect(refused(repo)).toContain(`${torn} is empty`)
  })

  longTest('commits an event as a whole that was only announced with add -N', () => {
    const { repo } = withEvent()
    const path = repo.event('--agent', 'toast', '--done', 'announced')
    repo.git('add', '-N', path)
    repo.write('a.txt', 'b\n')
    repo.git('add', 'a.txt')
    repo.git('commit', '-q', '-m', 'work')
    expect(words(repo)).toEqual(['todo 1', 'announced'])
  })
})
