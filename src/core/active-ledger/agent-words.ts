/** Prompts to an agent, and commands that it runs, that bind or clear a track or a bead. */

import { shellCommands } from '../text/shell-commands.ts'

/** What a prompt does to the track binding. */
export type TrackWord =
  | { readonly kind: 'implement'; readonly track: string }
  | { readonly kind: 'finish' }

const ID = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,199}$/

/** Finds `/conductor-implement TRACK` or `/conductor-finish`, also with a plugin's name in front. */
export function trackWordIn(prompt: string): TrackWord | undefined {
  const [, command, rest = ''] =
    /^\s*[/$](?:[\w-]+:)?(?:conductor[-:])(implement|finish)(?![\w-])([^\r\n]*)/.exec(prompt) ?? []
  if (command === undefined) return undefined
  if (command === 'finish') return { kind: 'finish' }
  const track = rest.split(/\s+/).find((word) => word !== '' && !word.startsWith('-'))
  return track !== undefined && isId(track) ? { kind: 'implement', track } : undefined
}

/** True for a text that can be the name of a track or the id of a bead. */
export function isId(text: string): boolean {
  return ID.test(text)
}

export type BeadWord = { readonly kind: 'claim' | 'close'; readonly bead: string }

/** The beads that `bd` commands in this script claim or close, in order. */
export function beadWordsIn(command: string): BeadWord[] {
  if (!/\bbd\b/.test(command)) return []
  return shellCommands(command).flatMap(({ words }) => {
    const at = words.findIndex((word) => !/^\w+=/.test(word))
    const [program = '', ...rest] = words.slice(at)
    if (!/(?:^|\/)bd$/.test(program)) return []
    return beadWord(rest)
  })
}

/** Options of `bd` that take a value, before or after its subcommand. */
const WITH_VALUE = new Set([
  '--db',
  '--actor',
  '--status',
  '-s',
  '--reason',
  '-r',
  '--assignee',
  '-a',
  '--notes',
  '--title',
  '--priority',
  '-p',
  '--description',
  '-d',
  '--session',
  '--design',
  '--acceptance',
  '--add-label',
  '--remove-label',
])

function beadWord(words: readonly string[]): BeadWord[] {
  const plain: string[] = []
  let status: string | undefined
  let isClaim = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const [name = '', given] = /^(--?[\w-]+)(?:=(.*))?$/s.exec(word)?.slice(1) ?? []
    if (name === '') {
      plain.push(word)
      continue
    }
    const value = given ?? (WITH_VALUE.has(name) ? words[++i] : undefined)
    if (name === '--status' || name === '-s') status = value
    if (name === '--claim') isClaim = true
  }
  const [verb, ...beads] = plain
  const known = beads.filter(isId)
  if (verb === 'close') return known.map((bead) => ({ kind: 'close', bead }))
  if (verb !== 'update') return []
  const kind =
    isClaim || status === 'in_progress' ? 'claim' : status === 'closed' ? 'close' : undefined
  return kind === undefined ? [] : known.map((bead) => ({ kind, bead }))
}
