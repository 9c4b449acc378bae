import { expect, test } from 'vitest'
import {
  checkpointComment,
  markerOf,
  progressComment,
  shardDescription,
} from '../../../src/core/tracker/comment.ts'
import { webLink } from '../../../src/core/tracker/web-link.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const CHECKPOINT = {
  kind: 'checkpoint',
  title: 'Checkpoint',
  level: 'unknown',
  percent: undefined,
  iteration: undefined,
  path: 'a/b.md',
  text: '',
} as const

test('each text ends with its marker, and says only what is known', () => {
  expect(checkpointComment(ID, CHECKPOINT, undefined)).toBe(
    `**Checkpoint**\n\nHandoff: \`a/b.md\`\n\n\`${markerOf(ID)}\`\n`,
  )
  const shard = { kind: 'shard', title: 't', tokens: undefined, text: 'do\n' } as const
  expect(shardDescription(ID, shard)).toBe(`do\n\n\`${markerOf(ID)}\`\n`)
  expect(shardDescription(ID, { ...shard, tokens: 1_234_567 })).toMatch(/^About 1,234,567 tokens/)
  const progress = { kind: 'progress', plan: 'a`b.md', done: 1, total: 1 } as const
  expect(progressComment(ID, progress)).toContain('**Plan** `a b.md`: 1 of 1 part done')
})

test('a title and a path start nothing in Markdown', () => {
  const hostile = { ...CHECKPOINT, title: '![x](http://e.example/)\n# <b>', path: 'a](b)`c' }
  const text = checkpointComment(ID, hostile, 'https://github.com/o/r/blob/1/a')
  expect(text.split('\n')[0]).toBe('**\\!\\[x\\](http://e.example/) # \\<b\\>**')
  expect(text).toContain('[a\\](b)\\`c](https://github.com/o/r/blob/1/a)')
  expect(checkpointComment(ID, hostile, undefined)).toContain('Handoff: `a](b) c`')
})

test.each([
  ['https://github.com/o/r.git', 'https://github.com/o/r/blob/c0ffee/a/b.md'],
  ['git@github.com:o/r.git', 'https://github.com/o/r/blob/c0ffee/a/b.md'],
  ['ssh://git@github.com:22/o/r', 'https://github.com/o/r/blob/c0ffee/a/b.md'],
  [
    'https://user:token@gitlab.example.com/g/s/r/',
    'https://gitlab.example.com/g/s/r/-/blob/c0ffee/a/b.md',
  ],
  ['git@bitbucket.org:o/r', 'https://bitbucket.org/o/r/src/c0ffee/a/b.md'],
  ['https://codeberg.org/o/r', 'https://codeberg.org/o/r/src/commit/c0ffee/a/b.md'],
  // Nothing is guessed.
  ['https://git.example.com/o/r', undefined],
  ['/srv/git/r.git', undefined],
  ['../r', undefined],
  ['file:///srv/github.com/o/r', undefined],
  ['https://github.com/', undefined],
  ['https://evil.example/github.com/o/r', undefined],
])('links %s to %s', (remote, link) => {
  expect(webLink(remote, 'c0ffee', 'a/b.md')).toBe(link)
})

test('escapes a path so that nothing in it ends the link', () => {
  const link = webLink('git@github.com:o/r', '1', 'a b/#?(c).md')
  expect(link).toBe('https://github.com/o/r/blob/1/a%20b/%23%3F%28c%29.md')
})
