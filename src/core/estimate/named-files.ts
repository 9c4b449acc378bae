/** Paths that a text names. Which of them are files, only the worktree knows. Pure. */

/** More than a plan of a thousand tasks names. */
const MAX_PATHS = 2000
const MAX_PATH = 500

/** What a path is made of, in prose: brackets too, which some frameworks have in file names. */
const WORD = /[\w@.~+\-/()[\]{}$]+/g

/**
 * Relative paths with a folder or an ending, each once: `src/a.ts`, `src/a.ts:12-40`, `package.json`. Paths
 * that lead out of a folder, absolute ones and addresses are none.
 */
export function namedPaths(text: string): string[] {
  const paths = new Set<string>()
  // An address is no path, and what a link shows is not a part of where it leads.
  const prose = text.replace(/:\/\/\S*|\]\(/g, ' ')
  for (const [word] of prose.matchAll(WORD)) {
    for (const path of readings(word)) if (isPath(path)) paths.add(path)
    if (paths.size >= MAX_PATHS) break
  }
  return [...paths]
}

/** A word as it stands, and without the punctuation around it. */
function readings(word: string): string[] {
  const plain = word.replace(/^[^\w@.[(/]+|[^\w\])]+$/g, '').replace(/^\.\/+/, '')
  const bare = plain.replace(/^[([{]+|[)\]}.]+$/g, '')
  return [...new Set([plain, bare])]
}

function isPath(path: string): boolean {
  if (path.length > MAX_PATH || path.startsWith('/') || path.endsWith('/')) return false
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '..' || part === '.git')) return false
  return /\.[A-Za-z]\w{0,9}$/.test(path) || parts.length > 1
}
