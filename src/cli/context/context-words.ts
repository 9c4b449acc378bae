/** What the commands about the context share: what they open, and sizes as text. */

import type { Window } from '../../app/estimate/estimate-task.ts'
import { DEFAULT_WINDOW } from '../../app/estimate/estimate-task.ts'
import { writerOf } from '../../app/active-ledger/active-file.ts'
import { observeContext } from '../../app/context/observe-context.ts'
import type { SessionContext } from '../../app/shadow/session-context.ts'
import { standing } from '../../core/context/record.ts'
import { usage } from '../../core/errors/errors.ts'
import type { Input, OpenWorktree } from '../command/command.ts'
import { value } from '../command/command.ts'

export const WINDOW_OPTION = {
  window: value(
    "size of the agent's window in tokens, such as 200k or 1M (default: what hooks know of this session, else 200k)",
  ),
}
export const ROOM_OPTIONS = {
  ...WINDOW_OPTION,
  remaining: value('tokens left in the window (default: what hooks know of this session)'),
}

export interface OpenContext {
  readonly session: SessionContext
  readonly open: OpenWorktree
}

export async function openContext(input: Input): Promise<OpenContext> {
  const open = await input.openWorktree()
  return { open, session: await input.context.sessions() }
}

/** The sizes given as options, else what hooks know of the session that runs the command. */
export async function readRoom(input: Input, context: OpenContext): Promise<Window> {
  const room = await readWindow(input, context)
  return { ...room, remaining: tokensIn(input, 'remaining') ?? room.remaining }
}

/** Reads the window alone; `remaining` comes along if the hooks know it. */
export async function readWindow(input: Input, context: OpenContext): Promise<Window> {
  const given = tokensIn(input, 'window')
  const known = given === undefined ? await knownRoom(context) : undefined
  const window = given ?? known?.window ?? DEFAULT_WINDOW
  if (window === 0) throw usage('--window 0: a window has at least one token')
  return { window, remaining: known?.remaining }
}

async function knownRoom(context: OpenContext): Promise<Partial<Window> | undefined> {
  const { session, open } = context
  const id = sessionOf(context)
  const state = id === undefined ? undefined : session.sessions.read(id)
  if (state === undefined || !session.contexts.isFollowed()) return undefined
  const record = await observeContext(session, state, open.settings, false)
  const now = standing(record, open.settings.contextLevels)
  if (now?.limit === undefined) return undefined
  return { window: now.window ?? now.limit, remaining: Math.max(now.limit - now.tokens, 0) }
}

/** The agent's session that runs this command, if it is followed. */
export function sessionOf({ session }: OpenContext): string | undefined {
  const { session: id, isKnown } = writerOf(session)
  return isKnown && session.sessions.read(id) !== undefined ? id : undefined
}

const UNITS = { '': 1, k: 1000, m: 1_000_000 } as const

function tokensIn(input: Input, name: string): number | undefined {
  const read = (text: string) => {
    const [, digits, unit = ''] = /^(\d{1,9})([km]?)$/i.exec(text.trim()) ?? []
    const size = UNITS[unit.toLowerCase() as keyof typeof UNITS]
    return digits === undefined ? undefined : Number(digits) * size
  }
  return input.parsed(name, read, ' is not a number of tokens', `for example --${name} 200k`)
}

/** `41,000` */
export function thousands(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `20.5 %` */
export function percent(number: number): string {
  return `${number} %`
}
