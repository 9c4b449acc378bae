/** `PersonalFiles` in one worktree. */

import type { PersonalFiles } from '../../app/shadow/session-ports.ts'
import { namesIn } from '../files/files.ts'
import { withLock } from '../files/lock.ts'
import { refuseLinks } from '../git/git-worktree.ts'

/** How long an agent's hook waits for another process, in milliseconds. */
const LOCK_TIMEOUT = 2000

export function personalFiles(top: string): PersonalFiles {
  return {
    locked: (path, action) => {
      refuseLinks(top, path)
      return withLock(`${top}/${path}`, action, LOCK_TIMEOUT)
    },
    list: (folder) => namesIn(`${top}/${folder}`),
  }
}
