/** Rewrites paths in the agent's words that contain the folder of its clone to paths in the repository. Pure. */

import type { SessionWork } from './session-work.ts'

/** Applies to links and to code that is a file path. Arguments of commands are left unchanged. */
export function withOwnPaths(work: SessionWork): SessionWork {
  const tops = [...new Set(work.tops)].filter((top) => top !== '' && top !== '/')
  if (tops.length === 0) return work
  // A worktree may be inside another one, so longer paths come first.
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
