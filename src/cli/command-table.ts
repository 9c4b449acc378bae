/** All commands: the groups, and those of one word. */

import type { Command } from './command.ts'
import { archive } from './commands/archive.ts'
import { checkpointList } from './commands/checkpoint-list.ts'
import { checkpointShow } from './commands/checkpoint-show.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { config } from './commands/config.ts'
import { contextCommands } from './commands/context.ts'
import { ralphCommands } from './commands/ralph.ts'
import { continuityGate, continuityHandoff, continuityLoad } from './commands/continuity-load.ts'
import {
  continuityBind,
  continuityHeartbeat,
  continuityMode,
  continuitySave,
  continuityTdd,
  continuityUnbind,
} from './commands/continuity-save.ts'
import { continuitySearch, continuityStatus } from './commands/continuity-status.ts'
import { diff, preview } from './commands/diff.ts'
import { dashboard } from './commands/dashboard.ts'
import { doctor } from './commands/doctor.ts'
import { eventAdd, eventRetract } from './commands/event-add.ts'
import { eventList, eventShow } from './commands/event-list.ts'
import { eventAccept, eventDrop, eventRedact, eventRestore } from './commands/event-repair.ts'
import { eventValidate } from './commands/event-validate.ts'
import { fleet } from './commands/fleet.ts'
import { handoffComplete, handoffCreate, handoffUpdate } from './commands/handoff.ts'
import { handoffPhase, handoffResume } from './commands/handoff-phase.ts'
import { handoffCheck, handoffList, handoffShow } from './commands/handoff-read.ts'
import { install } from './commands/install.ts'
import { log } from './commands/log.ts'
import { migrate } from './commands/migrate.ts'
import { resolve } from './commands/resolve.ts'
import { sessionRecover } from './commands/session-recover.ts'
import { sessionList, sessionReset, sessionShow } from './commands/session.ts'
import { show } from './commands/show.ts'
import { status } from './commands/status.ts'
import { statusline } from './commands/statusline.ts'
import { synthesize } from './commands/synthesize.ts'
import { trackerCommands } from './commands/tracker.ts'
import { uninstall } from './commands/uninstall.ts'
import { why } from './commands/why.ts'

interface Group {
  readonly describe: string
  readonly commands: readonly Command[]
}

/** Commands of two words, by the first. */
export const GROUPS: Readonly<Record<string, Group>> = {
  event: {
    describe: 'Add, list, show, validate, retract, restore, redact, accept and drop events',
    commands: [
      eventAdd,
      eventList,
      eventShow,
      eventValidate,
      eventRetract,
      eventRestore,
      eventRedact,
      eventAccept,
      eventDrop,
    ],
  },
  handoff: {
    describe: 'Create, change, check and go on with handoffs',
    commands: [
      handoffCreate,
      handoffUpdate,
      handoffPhase,
      handoffResume,
      handoffShow,
      handoffList,
      handoffCheck,
      handoffComplete,
    ],
  },
  session: {
    describe: "List, show, reset and recover agents' sessions",
    commands: [sessionList, sessionShow, sessionReset, sessionRecover],
  },
  continuity: {
    describe: 'Keep the active ledger, the live state of your session',
    commands: [
      continuityLoad,
      continuitySave,
      continuityBind,
      continuityUnbind,
      continuityGate,
      continuityMode,
      continuityTdd,
      continuityHeartbeat,
      continuityHandoff,
      continuityStatus,
      continuitySearch,
    ],
  },
  context: {
    describe: 'Hand a full context over, say what fits into one, and cut plans into parts that do',
    commands: contextCommands,
  },
  ralph: {
    describe: 'Run loops that feed an agent its task again, and hand over between iterations',
    commands: ralphCommands,
  },
  tracker: {
    describe: 'Tell an issue tracker of checkpoints and shards',
    commands: trackerCommands,
  },
  checkpoint: {
    describe: 'List and show checkpoints',
    commands: [checkpointList, checkpointShow],
  },
}

export const COMMANDS: readonly Command[] = [
  install,
  uninstall,
  doctor,
  status,
  fleet,
  dashboard,
  config,
  synthesize,
  check,
  show,
  log,
  why,
  diff,
  preview,
  resolve,
  archive,
  migrate,
  statusline,
  completion,
]
