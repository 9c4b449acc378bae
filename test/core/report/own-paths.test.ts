/** Where a clone lies is nobody's business, and no path of another clone. */

import { expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { NO_WORK } from './endings.ts'

const tops = ['/home/ada/shop', '/home/ada/shop.fix (2)']
const now = (lastMessage: string) =>
  summarizeTurn({ ...NO_WORK, entries: [], untold: [], tops, lastMessage })?.now

test.each([
  ['Wrote [cart.ts](/home/ada/shop/src/deep/cart.ts:3) anew.', 'Wrote src/deep/cart.ts anew.'],
  ['Wrote [cart.ts](file:///home/ada/shop/cart.ts) anew.', 'Wrote cart.ts anew.'],
  ['It is in `/home/ada/shop.fix (2)/src/cart.ts` now.', 'It is in `src/cart.ts` now.'],
  ['It is in /home/ada/shop/.env now.', 'It is in .env now.'],
  ['I looked into /home/ada/shop/ first.', 'I looked into /home/ada/shop/ first.'],
  ['It is in /mnt/home/ada/shop/cart.ts now.', 'It is in /mnt/home/ada/shop/cart.ts now.'],
  ['It is in /home/ada/shop2/cart.ts now.', 'It is in /home/ada/shop2/cart.ts now.'],
])('%s', (message, told) => {
  expect(now(message)).toBe(told)
})
