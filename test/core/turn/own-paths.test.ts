/**
 * Paths inside the clone become relative: the location of a clone is private, and means nothing in
 * another clone.
 */

import { expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { NO_WORK } from '../report/endings.ts'

const tops = ['/home/ada/shop', '/home/ada/shop.fix (2)', '/home/ada/shop/.claude/worktrees/a']
const now = (lastMessage: string) =>
  summarizeTurn({ ...NO_WORK, entries: [], untold: [], tops, lastMessage })?.now

test.each([
  ['Wrote [cart.ts](/home/ada/shop/src/deep/cart.ts:3) anew.', 'Wrote src/deep/cart.ts anew.'],
  ['Wrote [cart.ts](file:///home/ada/shop/cart.ts) anew.', 'Wrote cart.ts anew.'],
  ['It is in `/home/ada/shop.fix (2)/src/cart.ts:3` now.', 'It is in `src/cart.ts:3` now.'],
  ['It is in `/home/ada/shop/.claude/worktrees/a/b.ts` now.', 'It is in `b.ts` now.'],
  // Command arguments, and paths outside the clone.
  [
    'Then `ln -s /home/ada/shop/a.sh ~/a` is done.',
    'Then `ln -s /home/ada/shop/a.sh ~/a` is done.',
  ],
  ['It has `Exec=/home/ada/shop/a.sh` now.', 'It has `Exec=/home/ada/shop/a.sh` now.'],
  ['Your PATH has `/home/ada/shop/bin` now.', 'Your PATH has `/home/ada/shop/bin` now.'],
  ['It is in `/mnt/home/ada/shop/a.ts` now.', 'It is in `/mnt/home/ada/shop/a.ts` now.'],
  ['It is in `/home/ada/shop2/a.ts` now.', 'It is in `/home/ada/shop2/a.ts` now.'],
])('%s', (message, told) => {
  expect(now(message)).toBe(told)
})
