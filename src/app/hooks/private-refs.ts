/** What sessions hold leaves a machine only if somebody asks for it (docs/decisions/0018). A push cannot be taken back. */

import { CHECKPOINTS_BRANCH, CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { isNullOid } from '../../core/git/objects.ts'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'

/** Refs of which only this clone knows. */
const LOCAL_REFS = 'refs/ledger/'

/**
 * The message about a push such as `--all` or `--mirror` that would publish what sessions hold; undefined if none would.
 * `lines`: standard input of pre-push.
 */
export function unaskedPush(
  lines: readonly string[],
  remote: string,
  isAsked: (branch: string) => boolean,
): string | undefined {
  // A URL may hold a password.
  const place = /[:/]/.test(remote) ? 'REMOTE' : shellWord(remote)
  for (const line of lines) {
    const [local = '', oid = '', ref = '', before = ''] = line.split(' ')
    // What a remote has, somebody has put there.
    if (isNullOid(oid) || !isNullOid(before)) continue
    if (local.startsWith(LOCAL_REFS))
      return stopped(
        local,
        'what sessions keep on this machine only',
        'name the branches to push (to push as it is: LEDGER_GIT=0 git push)',
      )
    // Also as `refs/remotes/origin/…`, which `--mirror` pushes.
    const isCheckpoints = [local, ref].some((name) => name.endsWith(`/${CHECKPOINTS_BRANCH}`))
    if (isCheckpoints && !isAsked(CHECKPOINTS_BRANCH)) {
      const others = `'refs/heads/*' '^${CHECKPOINTS_REF}'`
      return stopped(
        CHECKPOINTS_BRANCH,
        'what was said in sessions, and the remote does not have it',
        `git push ${place} ${others}; to share it: git push ${place} ${CHECKPOINTS_BRANCH}`,
      )
    }
  }
  return undefined
}

function stopped(what: string, content: string, next: string): string {
  return stripControlChars(
    `ledger-git: push stopped: it would publish ${what} (${content})\n  next: ${next}`,
  )
}
