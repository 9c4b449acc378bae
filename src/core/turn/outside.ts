/**
 * What a session changed outside its working tree, where no commit records it: files it wrote, and commands that set
 * up the machine. Only simple commands are recognized, and values are never included. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { PlacedCommand } from '../agents/shell-files.ts'
import { filesWrittenBy, placedCommands } from '../agents/shell-files.ts'
import { changedFiles } from './changed-files.ts'
import type { SessionWork } from './session-work.ts'

/** Sorted so that what changed last comes last. */
export function changedOutside({ untold, tops }: Pick<SessionWork, 'untold' | 'tops'>): string[] {
  const home = HOME.exec(tops[0] ?? '')?.[0]
  const places = untold.flatMap((entry) => [...changedFiles(entry), ...changedByCommand(entry)])
  const names = places.flatMap((place) => nameOf(place, { tops, home }))
  return [...new Set(names.toReversed())].toReversed()
}

const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/

/** The agent program's plans and notes, and temporary files. */
const NOTES =
  /\/\.(?:claude|codex|gemini)\/(?:plans|projects|tmp)\/|^(?:\/private)?\/(?:tmp|var\/(?:tmp|folders))\/|^\/(?:dev|proc|run)\//
const SYSTEM = /^\/(?:etc|usr|opt|srv|lib|var|boot|root|Library)\//

/**
 * Full paths for system files and for programs' settings in the home folder. For other files, only the folder and
 * the name: a full path reveals who works where.
 */
function nameOf(
  place: string,
  { tops, home }: { tops: readonly string[]; home: string | undefined },
): string[] {
  if (!/^[~/]/.test(place)) return place.includes(' ') || place === CRONTAB ? [place] : []
  const path = place.startsWith('~/') && home !== undefined ? home + place.slice(1) : place
  if (NOTES.test(path) || tops.some((top) => `${path}/`.startsWith(`${top}/`))) return []
  const isOwn = home === undefined || path.startsWith(`${home}/`)
  const ofPrograms = isOwn ? path.replace(HOME, '~') : path
  if (ofPrograms.startsWith('~/.')) return [ofPrograms]
  if (SYSTEM.test(path)) return [path]
  return [path.split('/').slice(-2).join('/')]
}

/** Only commands that certainly succeeded: the exit code of the last command says nothing of those before a `;`. */
function changedByCommand(entry: TranscriptEntry): string[] {
  if (entry.kind !== 'tool' || entry.ran === undefined) return []
  const { command = '' } = entry.tool
  if (!CHANGES.test(command)) return []
  const commands = placedCommands(command)
  const certain = commands.findLastIndex(
    ({ after }) => after !== '&&' && after !== '(' && after !== ')',
  )
  return [
    ...filesWrittenBy(command).filter((file) => file.startsWith('~')),
    ...commands.slice(Math.max(certain, 0)).flatMap(changeOf),
  ]
}

const CHANGES = /~\/|\bgit config\b|\bcrontab\b|\bsystemctl\b|\b(?:cp|mv|ln|install|sed)\b/
const CRONTAB = 'crontab'

function changeOf({ words: [name = '', ...others] }: PlacedCommand): string[] {
  const rest = others.filter((word) => !/^-.|^\d*>/.test(word))
  switch (name) {
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
      return rest.length > 1 ? plainPath(rest.at(-1)) : []
    case 'sed':
      return others.some((word) => /^(?:-i|--in-place)/.test(word)) ? plainPath(rest.at(-1)) : []
    case 'crontab':
      return others.length > 0 && !/^-[el]/.test(others[0] ?? '') ? [CRONTAB] : []
    case 'systemctl':
      return unitChange(others, rest)
    case 'git':
      return rest[0] === 'config' ? settingChange(others, rest.slice(1)) : []
    default:
      return []
  }
}

function plainPath(word = ''): string[] {
  const path = word.replace(/^\$HOME\/|^\$\{HOME\}\//, '~/')
  return /^~?\/[\w./@+-]+$/.test(path) ? [path] : []
}

function unitChange(words: readonly string[], [verb = '', unit = '']: readonly string[]): string[] {
  const user = words.includes('--user') ? '--user ' : ''
  const isPersistent = /^(?:enable|disable|mask|unmask)$/.test(verb) && /^[\w@.:-]+$/.test(unit)
  return isPersistent ? [`systemctl ${user}${verb} ${unit}`] : []
}

/** A command without a value only reads the setting. */
function settingChange(words: readonly string[], rest: readonly string[]): string[] {
  const scope = words.find((word) => word === '--global' || word === '--system')
  const [key = '', ...value] = /^(?:set|unset)$/.test(rest[0] ?? '') ? rest.slice(1) : rest
  const isSet =
    value.length > 0 || rest[0] === 'unset' || words.some((one) => one.startsWith('--unset'))
  const isKnown = scope !== undefined && /^[A-Za-z][\w-]*(?:\.[\w-]+)+$/.test(key)
  return isKnown && isSet ? [`git config ${scope} ${key}`] : []
}
