/** What the page shows of the fleet: kept in the address, so that a link or a reload shows the same. */

export interface View {
  /** Words that must occur; `agent:NAME` and `branch:NAME` ask for exactly that. */
  readonly query: string
  /** An instant or a revision; null: now. */
  readonly at: string | null
}

/** The fragment never leaves the browser. `token`: only in the link that the server printed. */
export function readFragment(fragment: string): { view: View; token: string | null } {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const at = fields.get('at')
  return {
    view: { query: fields.get('q') ?? '', at: at === '' ? null : at },
    token: fields.get('t'),
  }
}

export function writeFragment({ query, at }: View): string {
  const fields = new URLSearchParams()
  if (query.trim() !== '') fields.set('q', query.trim())
  if (at !== null) fields.set('at', at)
  const text = fields.toString()
  return text === '' ? '' : `#${text}`
}

/** `agent:claude` as a word of a query; a name with spaces is quoted. */
export function facetWord(facet: 'agent' | 'branch', name: string): string {
  return `${facet}:${/[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name}`
}

/** Adds this facet's word to the query, in place of another word of the facet; removes it if it is already there. */
export function toggleFacet(query: string, facet: 'agent' | 'branch', name: string): string {
  const word = facetWord(facet, name)
  const words = wordsOf(query)
  const others = words.filter((other) => !other.startsWith(`${facet}:`))
  return (words.includes(word) ? others : [...others, word]).join(' ')
}

export interface Filter {
  /** `agents`, `branches`: whom the entry is about; `texts`: everything that it says. */
  accepts(entry: Entry): boolean
}

export interface Entry {
  readonly agents: readonly (string | null)[]
  readonly branches: readonly (string | null)[]
  readonly texts: readonly (string | null)[]
}

export function parseFilter(query: string): Filter {
  const words = wordsOf(query)
  const facet = (name: string) =>
    words
      .filter((word) => word.startsWith(`${name}:`))
      .map((word) => word.slice(name.length + 1).replaceAll('"', ''))
  const agents = facet('agent')
  const branches = facet('branch')
  const plain = words
    .filter((word) => !/^(?:agent|branch):/.test(word))
    .map((word) => word.replaceAll('"', '').toLowerCase())
  return {
    accepts: (entry) => {
      if (agents.length > 0 && !entry.agents.some((name) => agents.includes(name ?? '')))
        return false
      if (branches.length > 0 && !entry.branches.some((name) => branches.includes(name ?? ''))) {
        return false
      }
      if (plain.length === 0) return true
      const all = [...entry.agents, ...entry.branches, ...entry.texts].join('\n').toLowerCase()
      return plain.every((word) => all.includes(word))
    },
  }
}

/** Splits a query at spaces, but not inside quotes. */
function wordsOf(query: string): string[] {
  return query.match(/(?:"[^"]*"|[^\s"])+/g) ?? []
}
