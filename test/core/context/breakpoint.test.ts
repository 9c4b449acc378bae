import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { breakpointIn } from '../../../src/core/context/breakpoint.ts'
import type { Breakpoint } from '../../../src/core/context/decide.ts'

const SHELL = { name: 'Bash', files: [], mayWrite: true, todos: undefined }

const ran = (command: string, output = ''): TranscriptEntry => ({
  kind: 'tool',
  tool: { ...SHELL, command },
  ran: { command, output },
})
const failed = (command: string): TranscriptEntry => ({
  kind: 'tool',
  tool: SHELL,
  label: `\`${command}\``,
  failed: 'Exit code 1',
})
const edit: TranscriptEntry = {
  kind: 'tool',
  tool: { name: 'Edit', files: ['src/a.ts'], mayWrite: false, todos: undefined },
}
const read: TranscriptEntry = {
  kind: 'tool',
  tool: { name: 'Read', files: [], reads: ['src/a.ts'], mayWrite: false, todos: undefined },
}

describe('what a command says about the moment', () => {
  test.each<[string, string, Breakpoint]>([
    ['git commit -m "fix: it"', '[main 1a2b3c4] fix: it', 'good'],
    ['git add . && git -c user.name=x commit -qm fix', '', 'good'],
    ['GIT_EDITOR=true git -C /repo commit', '', 'good'],
    ['git commit --dry-run', '', 'none'],
    ['git log --grep commit', '', 'none'],
    ['echo "git commit"', '', 'none'],
    ['echo "next: a; git commit"', '', 'none'],
    ['npm test', 'Tests  12 passed (12)', 'good'],
    ['npm test', 'Tests  1 failed | 11 passed (12)', 'bad'],
    ['npm test; git commit -am wip', 'Tests  1 failed | 11 passed (12)', 'bad'],
    ['npm test && git commit -am fix', 'Tests  12 passed (12)', 'good'],
    ['npm test | tail -3', 'hard to say', 'none'],
    ['gh pr create --fill', 'https://example.com/pull/1', 'good'],
    ['gh issue close 12', '', 'good'],
    ['bd close bd-12', '', 'good'],
    ['gh pr view 12 --comments', '', 'bad'],
    ['gh pr review 12 --approve', '', 'bad'],
    ['gh pr view 12', '', 'none'],
    ['ls', '', 'none'],
  ])('%s → %s', (command, output, expected) => {
    expect(breakpointIn([ran(command, output)])).toBe(expected)
  })

  test('failing tests make the moment bad, and another failing command says nothing', () => {
    expect(breakpointIn([failed('npm test')])).toBe('bad')
    expect(breakpointIn([ran('git commit -m a'), failed('ls nothing')])).toBe('good')
    expect(breakpointIn([failed('git commit -m a')])).toBe('none')
  })
})

describe('the newest informative tool decides', () => {
  test('reading and talking do not change the moment', () => {
    const talk: TranscriptEntry = { kind: 'assistant', text: 'Done.' }
    expect(breakpointIn([ran('git commit -m a'), read, ran('ls'), talk])).toBe('good')
  })

  test('an edit starts new work', () => {
    expect(breakpointIn([ran('git commit -m a'), edit])).toEqual({ changed: ['src/a.ts'] })
    expect(breakpointIn([edit, ran('git commit -m a')])).toBe('good')
  })

  test('a commit after failing tests is a good moment', () => {
    expect(breakpointIn([failed('npm test'), ran('git commit -m a')])).toBe('good')
  })

  test('no tools say nothing', () => expect(breakpointIn([])).toBe('none'))
})
