/**
 * What commands and agents' hooks do to the active ledger. Each operation reads, calls a pure function and writes,
 * all under one lock. An archive is read back before the file changes.
 */

import type { ActiveLedger, Mode } from '../../core/active-ledger/active-ledger.ts'
import { isStaleLedger, readActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import type { Trigger } from '../../core/active-ledger/archive.ts'
import type { LedgerChange } from '../../core/active-ledger/change-ledger.ts'
import { changeLedger, withoutTrackWork } from '../../core/active-ledger/change-ledger.ts'
import type { GateName, GateResult, Judged } from '../../core/active-ledger/gates.ts'
import { judgeGate, MAX_RETRIES, STATUSES } from '../../core/active-ledger/gates.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import type { Active, ActiveContext } from './active-file.ts'
import {
  emptyLedger,
  lockedActive,
  nowOf,
  readActive,
  refuseOthers,
  timeOf,
} from './active-file.ts'
import { archiveActive } from './archive-active.ts'
import { unreportedInActive, tellActive } from './tell-active.ts'

export interface Changed {
  readonly ledger: ActiveLedger
  readonly text: string
  /** True if there was no file before. */
  readonly isNew: boolean
  /** Path of the archive that was made before the change. */
  readonly archived: string | undefined
  /** Path of the event that reports the work on the previous track. */
  readonly event?: string | undefined
}

type Change = Omit<LedgerChange, 'time'>

/** Fields of a ledger that is not bound to anything. */
const UNBOUND = { bound_track: null, bound_bead: null, tdd_phase: null } as const
const SWITCH = 'track-switch'
/** Validation state without any gates: passed gates belong to one track. */
const NO_GATES = { gates_passed: [], current_gate: null, retries: 0, last_failure: null } as const

export interface Binding {
  readonly track?: string | undefined
  readonly bead?: string | undefined
}

/** The ledger for a starting session: like `bindActive`, but a stale ledger is archived first. */
export function loadActive(context: ActiveContext, to: Binding = {}): Promise<Changed> {
  return open(context, to, true)
}

/** Binds track and bead. Work on another track is first reported and archived. Creates the ledger if there is none. */
export function bindActive(context: ActiveContext, to: Binding): Promise<Changed> {
  return open(context, to, false)
}

function open(context: ActiveContext, to: Binding, isStart: boolean): Promise<Changed> {
  return lockedActive(context, async () => {
    const found = await readActive(context)
    if (found !== undefined) refuseOthers(context, found.ledger)
    const isStale = isStart && found !== undefined && isStaleLedger(found.ledger, nowOf(context))
    const stale = isStale ? await archiveActive(context, found, 'stale') : undefined
    const before = found === undefined || isStale ? await emptyLedger(context) : found
    const { text, archived, event } = await boundTo(context, before, to)
    const beat = isStart && context.writer.isKnown ? { heartbeat: timeOf(context) } : {}
    const fields = { ...ownerFields(context, before.ledger), ...beat }
    const saved = await save(context, found?.text, apply(context, text, { fields }))
    return { ...saved, isNew: found === undefined, archived: stale?.path ?? archived, event }
  })
}

/** Changes the ledger's content; creates the file if there is none. */
export function changeActive(
  context: ActiveContext,
  change: Change | ((ledger: ActiveLedger) => Change),
): Promise<Changed> {
  return lockedActive(context, async () => {
    const found = await readActive(context)
    const before = found ?? (await emptyLedger(context))
    refuseOthers(context, before.ledger)
    const asked = typeof change === 'function' ? change(before.ledger) : change
    const fields = { ...ownerFields(context, before.ledger), ...asked.fields }
    const text = apply(context, before.text, { ...asked, fields })
    const saved = await save(context, found?.text, text)
    return { ...saved, isNew: found === undefined, archived: undefined }
  })
}

export async function recordGate(
  context: ActiveContext,
  gate: GateName,
  about: { result: GateResult; isFull: boolean; notes: string | undefined },
): Promise<Changed & Judged> {
  let judged = judgeGate(NO_GATES, gate, about)
  const changed = await changeActive(context, ({ validation }) => {
    judged = judgeGate(validation, gate, about)
    const reason = about.notes === undefined ? '' : `: ${about.notes}`
    return {
      validation: { ...judged.validation },
      gate: { name: gate, status: STATUSES[about.result], notes: about.notes },
      questions: judged.needsHuman
        ? [`Gate ${gate} failed ${MAX_RETRIES + 1} times${reason}. How shall the work go on?`]
        : [],
    }
  })
  return { ...changed, ...judged }
}

/** Throws `MODE_LOCKED`. */
export function setMode(context: ActiveContext, mode: Mode): Promise<Changed> {
  return changeActive(context, (ledger) => {
    if (ledger.mode !== null && ledger.mode !== mode) {
      throw new LedgerError(
        'MODE_LOCKED',
        `the mode is ${ledger.mode} until the work is handed off; it does not change within a session, nor with its track`,
        'ledger-git continuity handoff',
      )
    }
    return { fields: { mode } }
  })
}

interface Ending {
  /** Remove the file. */
  readonly isRemoved?: boolean
  /** Only make a copy, because the work goes on. */
  readonly isCopy?: boolean
  readonly isWanted?: (ledger: ActiveLedger) => boolean
}

/**
 * Archives the ledger, then clears its bindings and its mode. A compaction does not end the session, so it only makes a
 * copy. Undefined if there is no ledger.
 */
export function endActive(
  context: ActiveContext,
  trigger: Trigger,
  { isRemoved = false, isCopy = trigger === 'pre-compact', isWanted = () => true }: Ending = {},
) {
  return lockedActive(context, async () => {
    const found = await readActive(context)
    if (found === undefined || !isWanted(found.ledger)) return undefined
    refuseOthers(context, found.ledger)
    const { path: archived, wasThere } = await archiveActive(context, found, trigger)
    // The ledger as it was. `wasThere`: the archive is an older one that says the same.
    const ended = { ledger: found.ledger, archived, wasThere, isRemoved }
    if (isCopy) return ended
    if (isRemoved) await context.session.repository.worktree.remove(textToName(ACTIVE_FILE))
    else await save(context, found.text, unbound(context, found.text, trigger))
    return ended
  })
}

/** Ends a piece of work, and reports it as an event unless the ledger said nothing. Undefined if there is no ledger. */
export async function handOff(
  context: ActiveContext,
  trigger: Trigger,
  { isRemoved = trigger === 'track-complete' }: Pick<Ending, 'isRemoved'> = {},
) {
  const ended = await endActive(context, trigger, { isRemoved })
  return ended && { ...ended, event: await tellActive(context, ended.ledger, trigger) }
}

/** The ledger without bindings, and without the work of a track that is over. A track switch keeps the session. */
function unbound(context: ActiveContext, before: string, trigger: Trigger): string {
  const isSwitch = trigger === 'track-switch'
  const fields = {
    ...UNBOUND,
    ...(!isSwitch && { mode: null }),
    ...(trigger === 'session-end' && { heartbeat: null }),
  }
  const isOver = isSwitch || trigger === 'track-complete'
  const text = isOver ? withoutTrackWork(before) : before
  return apply(context, text, { fields, validation: NO_GATES })
}

/**
 * The ledger bound as requested. If it was bound to another track, what is new is reported, and the work so far is
 * archived and cleared.
 */
async function boundTo(
  context: ActiveContext,
  before: Active,
  { track, bead }: Binding,
): Promise<Pick<Changed, 'text' | 'archived' | 'event'>> {
  const { bound_track: old } = before.ledger
  const fields = {
    ...(track !== undefined && { bound_track: track }),
    ...(bead !== undefined && { bound_bead: bead }),
  }
  if (track === undefined || old === null || old === track) {
    return { archived: undefined, text: apply(context, before.text, { fields }) }
  }
  // Report first, because archived content counts as reported.
  const event = await tellActive(
    context,
    await unreportedInActive(context.session, before.ledger),
    SWITCH,
  )
  const { path: archived } = await archiveActive(context, before, SWITCH)
  return {
    archived,
    event,
    text: apply(context, unbound(context, before.text, SWITCH), { fields }),
  }
}

/** A session that writes becomes the owner of the ledger. */
function ownerFields({ writer }: ActiveContext, { session_id: id }: ActiveLedger) {
  // A ledger without an owner gets one, but a person does not take it over from an agent.
  if (id === writer.session || (id !== null && !writer.isKnown)) return {}
  return { session_id: writer.session, platform: writer.platform }
}

function apply({ session }: ActiveContext, text: string, change: Change): string {
  return changeLedger(text, { ...change, time: session.localTime(session.clock.now()) })
}

/** Every save updates the time. */
async function save(
  context: ActiveContext,
  before: string | undefined,
  text: string,
): Promise<Active> {
  const saved = apply(context, text, { fields: { updated: timeOf(context) } })
  if (saved !== before) await context.session.repository.worktree.write(ACTIVE_FILE, saved)
  return { text: saved, ledger: readActiveLedger(saved) }
}
