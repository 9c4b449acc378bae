/** Files of the repository as they are named in it, where the agent's words have the folder of its clone. Pure. */

import type { SessionWork } from './session-work.ts'

/** `/home/ada/shop/src/cart.ts` is nowhere else. */
export function withOwnPaths(work: SessionWork): SessionWork {
  const tops = work.tops.filter((top) => top !== '' && top !== '/')
  if (tops.length === 0) return work
  const names = [...new Set(tops)].map((top) => top.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const top = new RegExp(
    String.raw`(?<![\w.~/-])(?:file://)?(?:${names.join('|')})/(?=[\w.@])`,
    'g',
  )
  const entries = work.entries.map((entry) =>
    entry.kind === 'assistant' ? { ...entry, text: entry.text.replace(top, '') } : entry,
  )
  return { ...work, entries, lastMessage: work.lastMessage?.replace(top, '') }
}
