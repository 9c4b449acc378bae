/** Writes one event. By default the event stays an untracked file, which blocks no git command. */

import type { GivenBody } from '../../core/event/canonical-body.ts'
import { readCanonicalEvent } from '../../core/event/canonical-event.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { LedgerEvent, NewEvent } from '../../core/event/event.ts'
import { BODY_KEYS } from '../../core/event/event.ts'
import { resolveAgent, resolveBranch } from '../../core/event/identity.ts'
import { formatInstant, parseInstant } from '../../core/event/instant.ts'
import { problemText } from '../../core/event/problem.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import { didYouMean, nearest } from '../../core/text/did-you-mean.ts'
import { isOutOfReach } from '../ledger/event-files.ts'
import { isLeftOut, ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import { bytesOrUnreadable } from '../ledger/unreadable-files.ts'
import { findUnmanaged } from '../ledger/unmanaged-ledger.ts'
import type { Clock, LedgerContext } from '../ports.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'
import { refuseSecrets } from '../secrets/find-secrets.ts'
import type { CommitContext, LedgerChange } from './commit-ledger.ts'
import { commitLedger } from './commit-ledger.ts'
import { createEvent } from './event-copies.ts'
import { nextInstant } from './next-instant.ts'
import { stageFresh } from './refresh-current.ts'
import { previewWorktree, writeSynthesis } from './synthesize.ts'

export interface AddEventContext extends CommitContext {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** A person reads the messages. Agents' hooks do not start git only to produce a message. */
  readonly isTyped?: boolean
}

export interface AddEventRequest {
  readonly fields: Omit<NewEvent, 'ts' | 'agent'>
  /** As the user wrote it; defaults to now. */
  readonly ts?: string | undefined
  readonly agent: string | undefined
  readonly afterwards: 'leave' | 'stage' | 'commit'
  /** Other changes that the commit includes besides the event. */
  readonly also?: LedgerChange | undefined
  /** The secret scanner; if set, an event that holds a secret is refused. */
  readonly secrets?: LoadSecretScanner | undefined
}

export interface AddedEvent {
  readonly event: LedgerEvent
  /** Path from the top of the repository. */
  readonly path: string
  /** The commit that holds it, when one was made. */
  readonly commit: string | undefined
  /** True if exactly this event already existed. */
  readonly existed: boolean
  /** Why the event was not staged or committed and is still pending. */
  readonly obstacle: LedgerError | undefined
}

/** Throws `EVENT_INVALID`, `SECRET_FOUND`. */
export async function addEvent(
  context: AddEventContext,
  request: AddEventRequest,
): Promise<AddedEvent> {
  const { repository, settings, env, folder } = context
  const { body, type } = request.fields
  if (body !== undefined) await checkBody(body, type !== undefined)
  const given = body === undefined ? undefined : await toCanonicalBody(body)
  const said = given?.head ?? {}
  const head = await repository.history.head()
  const named = request.agent?.trim() ? request.agent : said['agent']
  const userName = named?.trim() ? undefined : await repository.config('user.name')
  const agent = resolveAgent({ flag: named, env, folder, userName }).trim()
  const ts = request.ts ?? said['ts'] ?? formatInstant(await nextInstant(context))
  const instant = parseInstant(ts)?.instant
  if (instant === undefined) {
    const name = request.ts === undefined ? 'ts' : '--ts'
    throw invalid(`${name} ${ts} is not an ISO 8601 time`, 'for example --ts 2026-01-31T09:00:00Z')
  }
  const fields = {
    type: 'note',
    commit: head.oid,
    branch: resolveBranch(head.branch, env),
    ...said,
    ...defined({ ...request.fields, body: given?.body }),
  }
  const written = { ...fields, ts: ts.trim(), agent }
  if (request.secrets !== undefined) await refuseSecrets({ ...written, body }, request.secrets)
  const text = renderEvent(written)
  const file = eventFileName(instant, agent, text)
  const event = await readBack(file, text)
  const path = `${ledgerPaths(settings.root).events}/${file}`
  const existed = !(await createEvent(repository, path, text))
  try {
    const commit = await stageOrCommit(context, request, path, event)
    return { event, path, commit, existed, obstacle: undefined }
  } catch (error) {
    // Whatever fails after the write, the event exists, so its path is still the answer.
    if (!(error instanceof LedgerError)) throw error
    return { event, path, commit: undefined, existed, obstacle: error }
  }
}

/** Stages or commits the written event, or says what will happen to it if that is unusual. */
async function stageOrCommit(
  context: AddEventContext,
  { afterwards, also }: AddEventRequest,
  path: string,
  event: LedgerEvent,
): Promise<string | undefined> {
  const { repository, settings, say, isTyped = false, untaken } = context
  const isIgnored = isTyped && afterwards !== 'stage' && (await isOutOfReach(path, repository))
  if (isIgnored) {
    const what = 'git ignores the event, so no commit takes it'
    if (afterwards === 'commit') throw new LedgerError('COMMIT_SKIPPED', what, 'ledger-git doctor')
    say(`ledger-git: ${what}; next: ledger-git doctor`)
  } else if (afterwards === 'commit') {
    return commitLedger(context, `${event.type} by ${event.agent}`, also)
  } else if (afterwards === 'stage') {
    await stageFresh(context, (index) => index.addFiles([textToName(path)]))
  } else if (settings.onEvent === 'file') {
    // If current.md is replaced right away, the message comes from that step.
    await synthesizeIfPossible(context)
  } else if (untaken !== undefined) {
    say(`ledger-git: ${untaken.what}; next: ${untaken.next}`)
  } else if (await hasCurrent(context)) {
    const unmanaged = await findUnmanaged(repository, settings.root)
    if (unmanaged === undefined || unmanaged.isMigrated || settings.mode === 'untracked') return
    say(
      'ledger-git: current.md is kept by hand; the commit with this event replaces it with the rendering of events/\n' +
        '  next: ledger-git migrate',
    )
  } else if (isLeftOut(await placeOfIndex(repository, settings.root))) {
    say(
      'ledger-git: this sparse checkout leaves the ledger out; the event is written anyway, and your next commit takes it along',
    )
  }
  return undefined
}

/** False for a current.md that may not be read: the next commit reports it, so there is nothing to say here. */
async function hasCurrent({ repository, settings }: LedgerContext): Promise<boolean> {
  const path = textToName(ledgerPaths(settings.root).current)
  return typeof (await bytesOrUnreadable(repository.worktree, path)) === 'object'
}

/** A failure is only reported, since the event is written: in an agent's sandbox, nothing below `.git` is writable. */
async function synthesizeIfPossible(context: AddEventContext): Promise<void> {
  try {
    await writeSynthesis(context, await previewWorktree(context.repository, context.settings.root))
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    context.say(
      `ledger-git: the event is written, but current.md is not updated yet: ${error.message}\n` +
        '  next: commit as usual, which brings it up to date',
    )
  }
}

const STDIN_EXAMPLE = "printf 'now: fix the parser\\n' | ledger-git event add --stdin"

/**
 * A body from standard input must be valid and say something: either a field that the ledger knows, or any key if the
 * event has a custom type.
 */
async function checkBody(body: string, hasType: boolean): Promise<void> {
  const { parseYaml, whyNoYaml } = await import('../../core/event/yaml-value.ts')
  const parsed = parseYaml(body)
  if (parsed?.kind !== 'map') {
    const why = whyNoYaml(body) ?? 'expected lines such as now: text'
    throw invalid(`the body on standard input is not a YAML map (${why})`, STDIN_EXAMPLE)
  }
  if (await saysSomething(body)) return
  const keys = parsed.entries.map(({ key }) => key).filter((key) => key !== '')
  if (hasType && keys.some(isCustomKey)) return
  throw invalid(`an event must say something${foundHint(keys)}`, STDIN_EXAMPLE)
}

/** True for a custom key: neither a known field nor a misspelled one. */
function isCustomKey(key: string): boolean {
  return !BODY_KEYS.some((known) => known === key) && nearest(key, BODY_KEYS) === undefined
}

function foundHint(keys: readonly string[]): string {
  const known: readonly string[] = BODY_KEYS
  const [first] = keys
  const unknown = keys.find((key) => !known.includes(key))
  if (unknown !== undefined) return ` (found: ${unknown}${didYouMean(nearest(unknown, known))})`
  return first === undefined ? '' : ` (${first} is empty)`
}

async function saysSomething(body: string): Promise<boolean> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const text = `---\nts: 2026-01-01T00:00:00Z\nagent: a\n---\n\n${body}`
  const { event, problems } = parseEvent({ file: '', id: '', text })
  // Anything unreadable is reported when the event is read back.
  if (event === undefined || problems.length > 0) return true
  const { title, goal, test, now, next } = event
  const { thisSession, decisions, checkpoints, openQuestions, resolvedQuestions } = event
  const lists = [thisSession, decisions, checkpoints, openQuestions, resolvedQuestions]
  return (
    [title, goal, test, now, next].some((value) => value !== undefined) ||
    [...lists, event.retracts, event.supersedes].some((list) => list.length > 0)
  )
}

/** A valid body from standard input, in the form in which events are written. */
async function toCanonicalBody(body: string): Promise<GivenBody> {
  const { canonicalBody } = await import('../../core/event/canonical-body.ts')
  return canonicalBody(body) ?? { head: {}, body }
}

/** Reads a written event back; throws `EVENT_INVALID` if that finds a problem. */
export async function readBack(file: string, text: string): Promise<LedgerEvent> {
  const canonical = readCanonicalEvent({ file, id: '', text })
  if (canonical !== undefined) return canonical
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  const { event, problems } = parseEvent({ file, id: '', text: decodeEventText(Buffer.from(text)) })
  const [problem] = problems
  if (event !== undefined && problem === undefined) return event
  const why = problem === undefined ? 'no front matter' : problemText(problem)
  throw invalid(`the event could not be read back: ${why}`, 'ledger-git event add --help')
}

function invalid(message: string, next: string): LedgerError {
  return new LedgerError('EVENT_INVALID', message, next)
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
