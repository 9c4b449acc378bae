/**
 * Biome, as it is used here. Version 1 formats no Markdown, so none of the ledger's files, and `biome ci` fails at settings
 * below the top that say `root`, without which version 2 fails. Pure.
 */

/** Where a version stands; what is installed counts before what is asked for. */
const VERSIONS: readonly (readonly [file: string, version: RegExp])[] = [
  ['node_modules/@biomejs/biome/package.json', /"version"\s*:\s*"(\d+)/],
  ['package.json', /"@biomejs\/biome"\s*:\s*"(?:npm:@biomejs\/biome@)?[\^~>=v\s]*(\d+)/],
  ['biome.json', /biomejs\.dev\/schemas\/(\d+)/],
  ['biome.jsonc', /biomejs\.dev\/schemas\/(\d+)/],
]

/** False where no version is said. `read`: a file at the worktree's top. */
export function isBiome1(read: (name: string) => string | undefined): boolean {
  for (const [file, version] of VERSIONS) {
    const [, major] = version.exec(read(file) ?? '') ?? []
    if (major !== undefined) return major === '1'
  }
  return false
}
