/**
 * Where a package is found after its next update, too. Pnpm and others keep each release in a folder of its own, and
 * link `node_modules/NAME` to the one that is in use; Node names the folder behind the link.
 */

import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** Around which the links stand, in `node_modules` or beside it. */
const STORE = /^(.*?)(?:\/node_modules)?\/\.(?:pnpm|store|bun)\//

/**
 * The link, where one leads to this very package. `folders`: of the project; folders around it may be anybody's, who
 * would let the link lead to something else.
 */
export function lastingPath(packageRoot: string, folders: readonly string[]): string {
  const root = resolve(packageRoot)
  const [, holder] = STORE.exec(root) ?? []
  return (
    [...(holder === undefined ? [] : [holder]), ...folders]
      .map((folder) => join(folder, 'node_modules', basename(root)))
      .find((path) => realPathOf(path) === root) ?? root
  )
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined // not there
  }
}
