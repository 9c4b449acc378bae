/** Installs the real formatters once, before the tests that need them. */

import { fileURLToPath } from 'node:url'
import { installPackages } from '../support/install-packages.ts'

export default function setup(): void {
  installPackages(fileURLToPath(new URL('./', import.meta.url)), 'formatters')
}
