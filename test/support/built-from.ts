/**
 * Names the sources that tests of the built tool cover, for `npx vitest related`: it follows imports, but these tests
 * start `dist/`.
 */

/** The import is only named, never executed. */
export function builtFrom(..._sources: (() => Promise<unknown>)[]): void {}
