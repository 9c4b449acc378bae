/** What a hook needs from git and from its own folder. */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookContext } from '../../app/run-hook.ts'
import { withoutControls } from '../../core/without-controls.ts'
import { readStdin } from '../stdin.ts'
import { findCommitProcess } from './git-ancestor.ts'
import { openRepository } from './repository.ts'

/** In the worktree's own git folder; the post-commit shim tests for it. */
const REPAIR_FILE = 'ledger-git-index-repair'

export async function openHookSession(
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<HookContext & { close(): void }> {
  const repository = await openRepository(cwd, env)
  const repair = join(repository.place.gitDir, REPAIR_FILE)
  return {
    repository,
    indexFile: env['GIT_INDEX_FILE'],
    stdin: readStdin,
    commitProcess: findCommitProcess,
    isSequencing: () =>
      ['rebase-merge', 'rebase-apply', 'sequencer', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'].some(
        (name) => existsSync(join(repository.place.gitDir, name)),
      ),
    isMerging: () => existsSync(join(repository.place.gitDir, 'MERGE_HEAD')),
    indexRepair: {
      isNeeded: () => existsSync(repair),
      request: () => writeFileSync(repair, ''),
      done: () => rmSync(repair, { force: true }),
    },
    say: (message) => void process.stderr.write(`${withoutControls(message)}\n`),
    close: () => repository.close(),
  }
}
