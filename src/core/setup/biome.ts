/**
 * Which version of Biome is used here. Version 2 needs the key `root` in a settings file below the top; version 1 fails at
 * that key, and needs no such file: it formats no Markdown. Pure.
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
