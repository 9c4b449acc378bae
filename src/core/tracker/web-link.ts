/** Where a file of a commit can be viewed in a browser, derived from the address of the remote. Pure. */

/** The form of each forge; nothing is guessed for other hosts. */
const FORGES: readonly (readonly [host: RegExp, infix: string])[] = [
  [/^(?:github\.com|github\..+|.+\.ghe\.com)$/, 'blob'],
  [/^(?:gitlab\.com|gitlab\..+)$/, '-/blob'],
  [/^bitbucket\.org$/, 'src'],
  [/^(?:codeberg\.org|gitea\..+|forgejo\..+)$/, 'src/commit'],
]

/** Undefined if the remote is not on a known forge. Never contains the address's user name or password. */
export function webLink(remote: string, commit: string, path: string): string | undefined {
  const place = placeOf(remote)
  const infix = FORGES.find(([host]) => place !== undefined && host.test(place.host))?.[1]
  if (place === undefined || infix === undefined) return undefined
  const words = [...place.path.split('/'), ...infix.split('/'), commit, ...path.split('/')]
  return `https://${place.host}/${words.map(urlWord).join('/')}`
}

/** `https://host/a/b.git`, `ssh://git@host:22/a/b`, `git@host:a/b.git`. */
function placeOf(remote: string): { readonly host: string; readonly path: string } | undefined {
  const short = /^(?:[^@/:\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)([^\s]+)$/.exec(remote)
  const long = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([A-Za-z0-9.-]+)(?::\d+)?\/([^\s?#]+)$/.exec(
    remote,
  )
  const [, host = '', rest = ''] = short ?? long ?? []
  const path = rest.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return /^[^/]+\/[^/]/.test(path) ? { host: host.toLowerCase(), path } : undefined
}

/** Also encodes characters that Markdown would read as the end of a link. */
function urlWord(word: string): string {
  return encodeURIComponent(word).replaceAll(/[()'!*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
