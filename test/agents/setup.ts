/** Installs the real coding agents, hundreds of megabytes, once and only if all tests are run. */

import { fileURLToPath } from 'node:url'
import { installPackages } from '../support/install-packages.ts'
import { IS_LONG } from '../support/long.ts'

/** Without a registry their tests are reported as not run. */
export default function setup(): void {
  if (IS_LONG) installPackages(fileURLToPath(new URL('./', import.meta.url)), 'coding agents')
}
