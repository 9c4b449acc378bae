import { expect, test } from 'vitest'
import { changedLines } from '../../../src/core/context/changed-lines.ts'
import { findingsIn, reloadFrom } from '../../../src/core/context/findings.ts'

const said = (...texts: string[]) =>
  findingsIn(texts.map((text) => ({ kind: 'assistant', text }) as const))

test.each([
  'The root cause is that the cookie had no path.',
  'It turns out the cache is shared between workers.',
  'The bug was in `parse()`: it drops the last line.',
])('%s is a finding', (text) => {
  expect(said(text)).toHaveLength(1)
})

test.each([
  'Let me find the root cause.',
  'Maybe the problem is the cache.',
  'Is the cause the cache?',
  'The form is in place.',
  '```\nthe root cause is code\n```',
])('%s is not a finding', (text) => {
  expect(said(text)).toEqual([])
})

test('keeps each finding once, and the newest eight', () => {
  const texts = Array.from({ length: 12 }, (_, i) => `I found that case ${i} fails.`)
  expect(said(...texts, ...texts)).toEqual(texts.slice(-8))
})

const CLAUDE = `# Rules

## Errors

Say what failed.

## Login

Files in src/login/ take no cookie without a path.
`

test('names the headings that concern the changed files', () => {
  const file = { path: 'CLAUDE.md', text: CLAUDE, wasRead: false }
  expect(reloadFrom([file], ['src/login/form.ts'])).toEqual([
    { title: 'CLAUDE.md', sections: ['Login'] },
  ])
})

test('names instructions even without a heading, and another document only if it was read', () => {
  const files = [
    { path: 'CLAUDE.md', text: CLAUDE, wasRead: false },
    { path: 'specs/login.md', text: '# Login\n', wasRead: true },
    { path: 'specs/other.md', text: '# Other\n', wasRead: false },
  ]
  expect(reloadFrom(files, ['src/api.ts'])).toEqual([
    { title: 'CLAUDE.md', sections: [] },
    { title: 'specs/login.md', sections: [] },
  ])
})

test('reports the changed lines of a file from the first change to the last', () => {
  const diff = `diff --git a/old.txt b/old.txt
index 1..2 100644
--- a/old.txt
+++ b/old.txt
@@ -3 +3 @@
-three
+THREE
@@ -5,0 +6,2 @@
+++ b/no-file.txt
+@@ -1 +900 @@
diff --git a/gone.txt b/gone.txt
--- a/gone.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
diff --git a/one line.txt b/one line.txt
--- a/one line.txt\t
+++ b/one line.txt\t
@@ -7 +7 @@
-a
+b
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
`
  expect([...changedLines(diff)]).toEqual([
    ['old.txt', '3-7'],
    ['one line.txt', '7'],
  ])
})
