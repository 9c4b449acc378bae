/** Installs the real formatters once, before the tests that need them. */

import { installPackages } from '../support/install-packages.ts'

export default function setup(): void {
  installPackages(new URL('.', import.meta.url).pathname, 'formatters')
}
