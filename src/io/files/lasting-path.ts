/**
 * A path of the package that its next update keeps. Pnpm and others keep each release in its own folder, and link
 * `node_modules/NAME` to the one in use, but Node reports the folder behind the link.
 */

import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { attempt } from './files.ts'

/** A folder that holds the releases; the links are in the `node_modules` around it, or next to it. */
const STORE = /^(.*?)(?:\/node_modules)?\/\.(?:pnpm|store|bun)\//

/**
 * The link, if one leads to this very package. `folders`: folders of the project. Folders around the project may
 * belong to anybody, who could make the link lead to something else.
 */
export function lastingPath(packageRoot: string, folders: readonly string[]): string {
  const root = resolve(packageRoot)
  const [, holder] = STORE.exec(root) ?? []
  return (
    [...(holder === undefined ? [] : [holder]), ...folders]
      .map((folder) => join(folder, 'node_modules', basename(root)))
      .find((path) => attempt(() => realpathSync(path)) === root) ?? root
  )
}
