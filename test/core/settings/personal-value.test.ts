/** Which settings that name a command count: it depends on where they are set. */

import { expect, test } from 'vitest'
import { personalValue } from '../../../src/core/settings/personal-value.ts'

const PLACES = {
  gitFolders: ['/home/me/shop/.git'],
  worktrees: ['/home/me/shop', '/home/me/topic'],
}

test.each([
  ['command line:'],
  ['file:/home/me/.gitconfig'],
  ['file:/etc/gitconfig'],
  ['file:/home/me/shop/.git/config'],
  ['file:/home/me/shop/.git/worktrees/topic/config.worktree'],
  ['file:/home/me/shopping/config'],
])('%s counts', (origin) => {
  expect(personalValue(origin, 'summarize', PLACES)).toEqual({ kind: 'value', value: 'summarize' })
})

test.each([
  ['file:/home/me/shop/.gitconfig', '/home/me/shop/.gitconfig'],
  ['file:/home/me/topic/tools/config', '/home/me/topic/tools/config'],
  ['file:/home/me/shop/.github', '/home/me/shop/.github'],
  ['file:/home/me/shop', '/home/me/shop'],
  ['blob:HEAD:config', 'blob:HEAD:config'],
  ['standard input:', 'standard input:'],
  [undefined, ''],
])('%s is refused', (origin, named) => {
  expect(personalValue(origin, 'summarize', PLACES)).toEqual({ kind: 'refused', origin: named })
})
