/** The files that a session removed and did not write again. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { placedCommands, placeOf } from '../agents/shell-files.ts'
import { changedFiles } from './changed-files.ts'
import type { SessionWork } from './session-work.ts'

type Work = Pick<SessionWork, 'files' | 'untold' | 'tops'>

export function removedAmong({ files, untold, tops }: Work): ReadonlySet<string> {
  const removed = new Set<string>()
  // Claude Code's shell stays in the folder it changed to.
  let hasMoved = false
  for (const entry of untold) {
    const deleted = removedBy(entry).filter((name) => !hasMoved || name.startsWith('/'))
    const written = new Set(changedFiles(entry))
    for (const file of deleted.length + written.size === 0 ? [] : files) {
      const names = [file, ...tops.map((top) => `${top}/${file}`)]
      if (names.some((name) => isAmong(name, deleted))) removed.add(file)
      else if (names.some((name) => written.has(name))) removed.delete(file)
    }
    hasMoved ||= changesFolder(entry, tops)
  }
  return removed
}

/** Files that the call removed. Nothing is known about a call that is still open or that failed. */
function removedBy(entry: TranscriptEntry): readonly string[] {
  if (entry.kind !== 'tool' || entry.isOpen === true) return []
  const { removed = [], command = '', folder } = entry.tool
  return [...removed, ...filesRemovedBy(command, folder)]
}

/** `rm -rf build`, `git rm old.ts`: each file that such a command names. */
function filesRemovedBy(script: string, start: string | undefined): string[] {
  if (!/\brm\b/.test(script)) return []
  return placedCommands(script, start).flatMap((command) => {
    const [name, ...others] = command.words
    const names = name === 'git' && others[0] === 'rm' ? others.slice(1) : others
    const isRemoval = name === 'rm' || names.length < others.length
    if (!isRemoval || command.after === '||' || names.includes('--cached')) return []
    return names.filter((word) => !/^-|^\d*>/.test(word)).flatMap(placeOf(command))
  })
}

/** The file itself was removed, or a folder above it. */
function isAmong(name: string, deleted: readonly string[]): boolean {
  return deleted
    .map((one) => one.replace(/^(?:\.\/)+|\/+$/g, ''))
    .some((one) => one !== '' && (name === one || name.startsWith(`${one}/`)))
}

function changesFolder(entry: TranscriptEntry, tops: readonly string[]): boolean {
  if (entry.kind !== 'tool' || entry.tool.command?.includes('cd ') !== true) return false
  return placedCommands(entry.tool.command).some(
    ({ words: [name, to = ''] }) => name === 'cd' && !tops.includes(to.replace(/(?<=.)\/+$/, '')),
  )
}
