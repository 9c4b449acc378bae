/** Whether a setting that names a command counts depends on where it is set. */

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
])('accepts a setting from %s', (origin) => {
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
])('refuses a setting from %s', (origin, named) => {
  expect(personalValue(origin, 'summarize', PLACES)).toEqual({ kind: 'refused', origin: named })
})
