/**
 * Detects the version of Biome. Version 2 needs the key `root` in a settings file below the top. Version 1 fails at
 * that key, but it formats no Markdown and so needs no such file. Pure.
 */

/** Where the version can be found. The installed version takes precedence over the requested one. */
const VERSIONS: readonly (readonly [file: string, version: RegExp])[] = [
  ['node_modules/@biomejs/biome/package.json', /"version"\s*:\s*"(\d+)/],
  ['package.json', /"@biomejs\/biome"\s*:\s*"(?:npm:@biomejs\/biome@)?[\^~>=v\s]*(\d+)/],
  ['biome.json', /biomejs\.dev\/schemas\/(\d+)/],
  ['biome.jsonc', /biomejs\.dev\/schemas\/(\d+)/],
]

/** False if no version is found. `read`: reads a file at the worktree's top. */
export function isBiome1(read: (name: string) => string | undefined): boolean {
  for (const [file, version] of VERSIONS) {
    const [, major] = version.exec(read(file) ?? '') ?? []
    if (major !== undefined) return major === '1'
  }
  return false
}
