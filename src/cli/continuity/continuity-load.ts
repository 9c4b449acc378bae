/** Commands that begin and end work on the active ledger: `continuity load`, `handoff`, `gate`. */

import { livingOwner, readActive } from '../../app/active-ledger/active-file.ts'
import { handOff, loadActive, recordGate } from '../../app/active-ledger/change-active.ts'
import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import type { Trigger } from '../../core/active-ledger/archive.ts'
import { TRIGGERS } from '../../core/active-ledger/archive.ts'
import type { GateName, GateResult } from '../../core/active-ledger/gates.ts'
import { GATE_RESULTS, GATES } from '../../core/active-ledger/gates.ts'
import type { Input } from '../command/command.ts'
import { flag, nonEmpty, sentence } from '../command/command.ts'
import { safeLines } from '../command/format.ts'
import { continuityCommand, printChanged, sayWhatCameFirst, shown } from './continuity.ts'
import { idIn } from './continuity-save.ts'

export const continuityLoad = continuityCommand({
  name: 'load',
  describe:
    'Print the active ledger; if it is stale, or belongs to another track, it is archived first',
  examples: [
    ['ledger-git continuity load', 'where the last session stopped'],
    ['ledger-git continuity load --track auth_20251227', 'for work on this track'],
  ],
  options: { track: nonEmpty('the track that you are about to work on') },
  run: async (input, opened) => {
    const { open, active } = opened
    const path = open.fromHere(ACTIVE_FILE)
    const found = await readActive(active)
    const owner = found && active.writer.isKnown ? livingOwner(active, found.ledger) : undefined
    if (found !== undefined && owner !== undefined) {
      input.say(
        `ledger-git: ${path} belongs to session ${owner}, which is active here: read it, do not change it`,
      )
      const about = { path, created: false, archived: null, owner, ledger: found.ledger }
      return printText(input, about, found.text)
    }
    const loaded = await loadActive(active, { track: idIn(input, 'track') })
    const { archived, isNew, ledger, text } = loaded
    sayWhatCameFirst(input, open, loaded)
    const about = { path, created: isNew, archived: shown(open, archived), owner: null, ledger }
    printText(input, about, text)
  },
})

/** Prints the text unchanged; on a terminal, nothing in it moves the cursor. */
function printText(input: Input, about: object, text: string): void {
  if (input.json || input.context.isStdoutTty) input.print(about, safeLines(text))
  else input.context.stdout(text)
}

export const continuityHandoff = continuityCommand({
  name: 'handoff',
  words: { '[reason]': { describe: 'why it is archived', choices: TRIGGERS, default: 'manual' } },
  writes: true,
  describe:
    'Archive the active ledger, clear its bindings, and add an event that says what was done',
  examples: [
    ['ledger-git continuity handoff', 'the work stops here for now'],
    ['ledger-git continuity handoff track-complete', 'the track is done: the file is removed'],
  ],
  run: async (input, { open, active }) => {
    const done = await handOff(active, input.word('reason') as Trigger)
    if (done === undefined)
      input.say(`ledger-git: there is no ${open.fromHere(ACTIVE_FILE)} to archive`)
    else if (done.wasThere)
      input.say('ledger-git: nothing has changed since that archive, so no new one was made')
    const archived = shown(open, done?.archived)
    const about = { archived, event: shown(open, done?.event), removed: done?.isRemoved ?? false }
    input.print(about, archived === null ? [] : archived)
  },
})

/** The exit status is the answer. */
export const continuityGate = continuityCommand({
  name: 'gate',
  isAnswer: true,
  words: {
    '<gate>': { describe: 'the gate', choices: GATES },
    '<result>': { describe: 'the result', choices: GATE_RESULTS },
  },
  describe: 'Record the result of a validation gate; exit 1 when the work must stop',
  examples: [
    ['ledger-git continuity gate design pass', 'the design holds'],
    [
      'ledger-git continuity gate plan-execution fail --full --notes "coverage 60 %"',
      'the work stops',
    ],
  ],
  options: {
    notes: sentence('what was found'),
    full: flag('a full run: a failure of design, plan-execution or completion stops the work'),
  },
  run: async (input, opened) => {
    const [gate, result] = [input.word('gate') as GateName, input.word('result') as GateResult]
    const notes = input.filled('notes')
    const about = { result, isFull: input.flag('full'), notes }
    const { isHalt, needsHuman, ...changed } = await recordGate(opened.active, gate, about)
    printChanged(input, opened, changed, { gate, result, halt: isHalt, human: needsHuman })
    if (result !== 'fail') return 0
    const reason = notes === undefined ? '' : `: ${notes}`
    if (!isHalt) {
      input.say(`ledger-git: warning: gate ${gate} failed${reason}; the work may go on`)
      return 0
    }
    input.say(
      needsHuman
        ? `ledger-git: gate ${gate} failed again${reason}; it was already retried twice, so a person decides how the work goes on\n  next: ask the user; the question is in ${ACTIVE_FILE}`
        : `ledger-git: gate ${gate} failed${reason}\n  next: fix it, then run the gate again`,
    )
    return 1
  },
})
