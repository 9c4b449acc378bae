/** Of the files that a session changed those that it removed, and did not write again. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { placedCommands, placeOf } from '../agents/shell-files.ts'
import { changedFiles } from './changed-files.ts'
import type { SessionWork } from './session-work.ts'

type Work = Pick<SessionWork, 'files' | 'untold' | 'tops'>

export function removedAmong({ files, untold, tops }: Work): ReadonlySet<string> {
  const removed = new Set<string>()
  // Claude Code's shell stays in the folder that it moved to.
  let hasMoved = false
  for (const entry of untold) {
    const gone = removedBy(entry).filter((name) => !hasMoved || name.startsWith('/'))
    const written = new Set(changedFiles(entry))
    for (const file of gone.length + written.size === 0 ? [] : files) {
      const names = [file, ...tops.map((top) => `${top}/${file}`)]
      if (names.some((name) => isAmong(name, gone))) removed.add(file)
      else if (names.some((name) => written.has(name))) removed.delete(file)
    }
    hasMoved ||= movesOn(entry, tops)
  }
  return removed
}

/** Of a call that is not over, or failed, nobody knows. */
function removedBy(entry: TranscriptEntry): readonly string[] {
  if (entry.kind !== 'tool' || entry.isOpen === true) return []
  const { removed = [], command = '', folder } = entry.tool
  return [...removed, ...filesRemovedBy(command, folder)]
}

/** `rm -rf build`, `git rm old.ts`, each by its name. */
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

/** By its name, or by that of a folder above it. */
function isAmong(name: string, gone: readonly string[]): boolean {
  return gone
    .map((one) => one.replace(/^(?:\.\/)+|\/+$/g, ''))
    .some((one) => one !== '' && (name === one || name.startsWith(`${one}/`)))
}

function movesOn(entry: TranscriptEntry, tops: readonly string[]): boolean {
  if (entry.kind !== 'tool' || entry.tool.command?.includes('cd ') !== true) return false
  return placedCommands(entry.tool.command).some(
    ({ words: [name, to = ''] }) => name === 'cd' && !tops.includes(to.replace(/(?<=.)\/+$/, '')),
  )
}
