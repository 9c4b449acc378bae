/** Installs the real hook managers once, before the tests that need them. */

import { installPackages } from '../support/install-packages.ts'

export default function setup(): void {
  installPackages(new URL('.', import.meta.url).pathname, 'hook managers')
}
