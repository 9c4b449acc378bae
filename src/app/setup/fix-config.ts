/**
 * If git cannot read the configuration that `install` wrote, no git command works in the repository, not even one that
 * says where the repository is. So that file is rewritten before anything else.
 */

import { BrokenConfig } from '../../core/errors/errors.ts'
import { configHooksText, configText } from '../../core/setup/install-texts.ts'
import { HOOKS } from '../hooks/hook-context.ts'
import type { FilesPort } from '../ports.ts'
import type { Change } from './install-record.ts'

/** `open` finds the repository with git. Its errors are thrown on, unless one of our own files is the cause. */
export async function fixConfig(
  open: () => Promise<unknown>,
  files: FilesPort,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (;;) {
    try {
      await open()
      return changes
    } catch (error) {
      const path = error instanceof BrokenConfig ? error.ownFile : undefined
      if (path === undefined || changes.some((change) => change.path === path)) throw error
      files.write(path, path.endsWith('-hooks') ? configHooksText(HOOKS) : configText())
      changes.push({ path, change: 'edit', what: 'configuration that git could not read' })
    }
  }
}
