/** Commands that change the active ledger: `continuity save`, `bind`, `unbind`, `mode`, `tdd`, `heartbeat`. */

import { relative } from 'node:path'
import { bindActive, changeActive, setMode } from '../../app/active-ledger/change-active.ts'
import type { Mode } from '../../core/active-ledger/active-ledger.ts'
import { isId } from '../../core/active-ledger/agent-words.ts'
import { usage } from '../../core/errors/errors.ts'
import { formatMillis } from '../../core/event/instant.ts'
import type { Input } from '../command/command.ts'
import { flag, list, sentence, value } from '../command/command.ts'
import { BODY_OPTIONS, readBody } from '../command/event-body.ts'
import type { Opened } from './continuity.ts'
import { continuityCommand, printChanged } from './continuity.ts'

export const continuitySave = continuityCommand({
  name: 'save',
  describe: 'Write what you are doing, did and decided into the active ledger',
  examples: [
    ['ledger-git continuity save --done "JWT validation" --now "refresh tokens"', 'where you are'],
    ['ledger-git continuity save --decision "RS256 over HS256=key rotation"', 'a decision and why'],
  ],
  options: {
    ...BODY_OPTIONS,
    'done-now': flag('move the old Now to Done instead of Next'),
    modified: list('a file that was changed (repeatable)'),
    read: list('a file that was read (repeatable)'),
    reason: sentence('why it is saved; shown, but not stored'),
  },
  run: async (input, opened) => {
    const { thisSession, openQuestions, resolvedQuestions, checkpoints, ...body } = readBody(input)
    const { branch } = await opened.open.repository.history.head()
    const changed = await changeActive(opened.active, {
      ...body,
      branch,
      done: thisSession,
      isNowDone: input.flag('done-now'),
      questions: openQuestions,
      resolved: resolvedQuestions,
      checkpoints: checkpoints.map(({ phase = '', status = '', updated }) =>
        [
          `Phase ${phase}: ${status.toUpperCase()}`,
          ...(updated === undefined ? [] : [`(${updated})`]),
        ].join(' '),
      ),
      modified: filesIn(input, opened, 'modified'),
      read: filesIn(input, opened, 'read'),
    })
    printChanged(input, opened, changed, { reason: input.filled('reason') })
  },
})

/** Paths relative to the top, as hooks write them; a path outside it stays as typed. */
function filesIn(input: Input, { open }: Opened, name: 'modified' | 'read'): string[] {
  return input.texts(name).map((typed) => {
    const path = relative(open.top, input.absolute(typed))
    return path === '' || /^\.\.(?:\/|$)/.test(path) ? typed : path
  })
}

const TRACK = value('the track being worked on')
const BEAD = value('the bead (task) being worked on')

export const continuityBind = continuityCommand({
  name: 'bind',
  describe:
    'Bind the active ledger to a track or a bead; the work of another track is archived first',
  examples: [
    ['ledger-git continuity bind --track auth_20251227', 'a track'],
    ['ledger-git continuity bind --bead my-workflow:3-xyz', 'the bead that was claimed'],
  ],
  options: { track: TRACK, bead: BEAD },
  run: async (input, opened) => {
    const [track, bead] = [idIn(input, 'track'), idIn(input, 'bead')]
    if (track === undefined && bead === undefined) {
      throw usage('nothing to bind', 'for example --track auth_20251227')
    }
    printChanged(input, opened, await bindActive(opened.active, { track, bead }))
  },
})

export function idIn(input: Input, name: 'track' | 'bead'): string | undefined {
  const id = input.filled(name)?.trim()
  if (id === undefined || isId(id)) return id
  throw usage(`--${name} ${id} is not an id`, `for example --${name} auth_20251227`)
}

export const continuityUnbind = continuityCommand({
  name: 'unbind',
  describe: 'Clear the bindings of the active ledger; the work in it stays',
  examples: [
    ['ledger-git continuity unbind', 'track and bead'],
    ['ledger-git continuity unbind --bead', 'the bead alone'],
  ],
  options: { track: flag('only the track'), bead: flag('only the bead') },
  run: async (input, opened) => {
    const [track, bead] = [input.flag('track'), input.flag('bead')]
    const isAll = track === bead
    const fields = {
      ...((isAll || track) && { bound_track: null, tdd_phase: null }),
      ...((isAll || bead) && { bound_bead: null }),
    }
    printChanged(input, opened, await changeActive(opened.active, { fields }))
  },
})

export const continuityMode = continuityCommand({
  name: 'mode',
  words: { '<mode>': { describe: 'one agent, or several', choices: ['SA', 'MA'] } },
  describe: 'Set the mode of the session, once: SA (single agent) or MA (several agents)',
  examples: [['ledger-git continuity mode SA', 'a single agent']],
  run: async (input, opened) =>
    printChanged(input, opened, await setMode(opened.active, input.word('mode') as Mode)),
})

export const continuityTdd = continuityCommand({
  name: 'tdd',
  words: { '<phase>': { choices: ['RED', 'GREEN', 'REFACTOR', 'none', 'off'] } },
  describe: 'Set the phase of test-driven work; off: this session does not use it',
  examples: [['ledger-git continuity tdd GREEN', 'the test passes']],
  run: async (input, opened) => {
    const phase = input.word('phase')
    const fields = { tdd_phase: phase === 'none' ? null : phase }
    printChanged(input, opened, await changeActive(opened.active, { fields }))
  },
})

export const continuityHeartbeat = continuityCommand({
  name: 'heartbeat',
  describe: 'Record that the session is active; agents connected by install do this by themselves',
  examples: [['ledger-git continuity heartbeat', 'every five minutes of work']],
  run: async (input, opened) => {
    const heartbeat = formatMillis(input.context.clock.now())
    printChanged(input, opened, await changeActive(opened.active, { fields: { heartbeat } }))
  },
})
