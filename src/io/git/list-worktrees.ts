/** The worktrees of a repository as `git worktree list` reports them, the main one first. */

import type { Git } from '../process/exec.ts'

export interface WorktreeRecord {
  /** The path of the git folder, if that is elsewhere or the repository is bare. */
  readonly path: string
  readonly isBare: boolean
  readonly head: string | undefined
  /** Its full name: `refs/heads/main`. */
  readonly branch: string | undefined
  /** The reason, which may be empty. */
  readonly locked: string | undefined
}

export async function listWorktrees(git: Git): Promise<WorktreeRecord[]> {
  const args = ['worktree', 'list', '--porcelain']
  const listed = await git.run([...args, '-z'])
  // Before 2.36 the output has only lines, which cut off a path with a line break.
  const text =
    listed.status === 0
      ? listed.stdout.toString('utf8')
      : (await git.text(args)).replaceAll('\n', '\0')
  const records = text.split('\0\0').filter((record) => record.startsWith('worktree '))
  return records.map((record) => {
    const fields = new Map(
      record.split('\0').map((line): [string, string] => {
        const space = `${line} `.indexOf(' ')
        return [line.slice(0, space), line.slice(space + 1)]
      }),
    )
    return {
      path: fields.get('worktree') ?? '',
      isBare: fields.has('bare'),
      head: fields.get('HEAD'),
      branch: fields.get('branch'),
      locked: fields.get('locked'),
    }
  })
}
