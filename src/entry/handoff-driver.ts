/** `ledger-git handoff-driver %O %A %B %L %P`, which git starts through the launcher. */

import { mergeHandoffFiles } from '../app/merge/merge-handoff.ts'
import { openMergeFiles } from '../io/merge/merge-session.ts'
import { openTextMerge } from '../io/git/text-merge.ts'
import { Git } from '../io/process/exec.ts'
import { printUsage } from './run-process.ts'

/** Returns the exit status for git: 0, or 1 with conflict markers. Anything else leaves `%A` unchanged. */
export function runHandoffDriver(words: readonly string[]): 0 | 1 | 2 {
  const [base, ours, theirs, markerSize = '', path] = words
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined) {
    return printUsage(words, 'handoff-driver %O %A %B %L %P (run by git)')
  }
  const [cwd, env] = [process.cwd(), process.env]
  const labels = { base: '', ours: '', theirs: '' }
  const files = openMergeFiles({ base, ours, theirs, markerSize, path, labels }, cwd, env)
  const mergeText = openTextMerge(new Git(cwd, env), markerSize)
  const merge = env['LEDGER_GIT'] === '0' ? mergeText : mergeHandoffFiles
  const { content, isConflict } = merge(files.read(), mergeText)
  files.write(content)
  return isConflict ? 1 : 0
}
