/** Files that a sparse checkout leaves out are not written: a new file would replace all that git has at that path. */

import { textToName } from '../../core/git/objects.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { InstallPlan } from './install-plan.ts'
import { folderOf } from './install-record.ts'

export async function leaveOut(plan: InstallPlan): Promise<void> {
  const { files, repository } = plan.setup
  const { index, isSparse, objects, place } = repository
  const top = `${place.top}/`
  const isNew = (path: string) => path.startsWith(top) && files.read(path) === undefined
  const edits = plan.edits.filter(({ path }) => isNew(path))
  // Without a path, git would list all files.
  if (!isSparse || edits.length === 0) return
  const nameOf = ({ path }: { path: string }) => path.slice(top.length)
  const blobs = await index.blobs(...edits.map(nameOf))
  const left: string[] = []
  for (const edit of edits) {
    const name = nameOf(edit)
    const blob = blobs.get(textToName(name))
    if (blob?.skipWorktree !== true) continue
    plan.drop(edit)
    const text = Buffer.from((await objects.read(blob.oid))?.content ?? []).toString()
    // Git can read a file from the index, but agents read settings, and hooks run, only in the worktree.
    const isInWorktree = edit.kind === 'agent' || edit.mode !== undefined
    if (isInWorktree || !text.includes(edit.content)) left.push(name)
  }
  if (left.length === 0) return
  const ways = left.map((name) => shellWord(name.includes('/') ? folderOf(name) : `/${name}`))
  plan.notes.push(
    `this sparse checkout leaves out ${left.join(', ')}: not changed; next: git -C "$(git rev-parse --show-toplevel)" sparse-checkout add ${[...new Set(ways)].join(' ')}, then install again`,
  )
}
