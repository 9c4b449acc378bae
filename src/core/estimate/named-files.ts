/** Finds paths named in a text. Whether they are files can only be checked in the worktree. Pure. */

/** More than a plan of a thousand tasks mentions. */
const MAX_PATHS = 2000
const MAX_PATH = 500

/** Characters of a path in prose, including brackets, which some frameworks use in file names. */
const WORD = /[\w@.~+\-/()[\]{}$]+/g

/**
 * Relative paths with a folder or a file extension, each once: `src/a.ts`, `src/a.ts:12-40`, `package.json`. Absolute
 * paths, paths with `..` and URLs are left out.
 */
export function namedPaths(text: string): string[] {
  const paths = new Set<string>()
  // A URL is not a path, and a link's text is separate from its target.
  const prose = text.replace(/:\/\/\S*|\]\(/g, ' ')
  for (const [word] of prose.matchAll(WORD)) {
    for (const path of readings(word)) if (isPath(path)) paths.add(path)
    if (paths.size >= MAX_PATHS) break
  }
  return [...paths]
}

/** A word without surrounding punctuation, and also without surrounding brackets. */
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
