/** What tests of the built tool are about, for `npx vitest related`: it follows imports, and they start `dist/`. */

/** The import is named and never made. */
export function builtFrom(..._sources: (() => Promise<unknown>)[]): void {}
