/** Files of the repository as they are named in it, where the agent's words have the folder of its clone. Pure. */

import type { SessionWork } from './session-work.ts'

/** In links, and in code that is the path of a file: what a command is given stays. */
export function withOwnPaths(work: SessionWork): SessionWork {
  const tops = [...new Set(work.tops)].filter((top) => top !== '' && top !== '/')
  if (tops.length === 0) return work
  // A worktree may lie in another one.
  const names = tops
    .toSorted((a, b) => b.length - a.length)
    .map((top) => top.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const above = String.raw`(?:file://)?(?:${names.join('|')})/`
  const file = new RegExp(
    String.raw`(?<=\]\()${above}(?=[\w.@])|(?<=\`)${above}(?=[^\s\`=]*\.\w+(?::\d+)*\`)`,
    'g',
  )
  const entries = work.entries.map((entry) =>
    entry.kind === 'assistant' ? { ...entry, text: entry.text.replace(file, '') } : entry,
  )
  return { ...work, entries, lastMessage: work.lastMessage?.replace(file, '') }
}
