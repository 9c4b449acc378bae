/** The table of all commands: the groups, and the one-word commands. */

import type { Command } from './command/command.ts'
import type { CommandTable } from './completion-words.ts'
import { archive } from './ledger/archive.ts'
import { checkpointList, checkpointShow } from './session/checkpoint.ts'
import { check } from './ledger/check.ts'
import { completion } from './setup/completion.ts'
import { config } from './setup/config.ts'
import { contextCheckpoint, contextOrient, contextUndoWip } from './context/context-checkpoint.ts'
import { contextEstimate } from './context/context-estimate.ts'
import { contextMetrics } from './context/context-metrics.ts'
import { contextPlan } from './context/context-plan.ts'
import { contextShard } from './context/context-shard.ts'
import { contextDefer, contextStatus } from './context/context-status.ts'
import { ralphRun } from './context/ralph-run.ts'
import { ralphCheckpoint, ralphContext, ralphStatus, ralphStop } from './context/ralph-state.ts'
import { continuityGate, continuityHandoff, continuityLoad } from './continuity/continuity-load.ts'
import {
  continuityBind,
  continuityHeartbeat,
  continuityMode,
  continuitySave,
  continuityTdd,
  continuityUnbind,
} from './continuity/continuity-save.ts'
import { continuitySearch, continuityStatus } from './continuity/continuity-status.ts'
import { diff, preview } from './ledger/diff.ts'
import { dashboard } from './fleet/dashboard.ts'
import { doctor } from './setup/doctor.ts'
import { eventAdd, eventRetract } from './event/event-add.ts'
import { eventList, eventShow } from './event/event-list.ts'
import { eventAccept, eventDrop, eventRedact, eventRestore } from './event/event-repair.ts'
import { eventValidate } from './event/event-validate.ts'
import { fleet } from './fleet/fleet.ts'
import { handoffComplete, handoffCreate, handoffUpdate } from './handoff/handoff.ts'
import { handoffPhase, handoffResume } from './handoff/handoff-phase.ts'
import { handoffCheck, handoffList, handoffShow } from './handoff/handoff-read.ts'
import { install } from './setup/install.ts'
import { log } from './ledger/log.ts'
import { migrate } from './ledger/migrate.ts'
import { resolve } from './ledger/resolve.ts'
import { sessionRecover } from './session/session-recover.ts'
import { sessionList, sessionReset, sessionShow } from './session/session.ts'
import { show } from './ledger/show.ts'
import { status } from './fleet/status.ts'
import { statusline } from './context/statusline.ts'
import { synthesize } from './ledger/synthesize.ts'
import { trackerFlush, trackerStatus } from './context/tracker.ts'
import { uninstall } from './setup/uninstall.ts'
import { why } from './ledger/why.ts'

/** Two-word commands, by their first word. */
export const GROUPS: CommandTable['groups'] = {
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
    describe: 'Create, update, check and resume handoffs',
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
    describe:
      'Hand over a full context, estimate what fits into one, and split plans into parts that fit',
    commands: [
      contextStatus,
      contextDefer,
      contextEstimate,
      contextShard,
      contextPlan,
      contextMetrics,
      contextCheckpoint,
      contextOrient,
      contextUndoWip,
    ],
  },
  ralph: {
    describe: 'Run loops that give an agent its task repeatedly, and hand over between iterations',
    commands: [ralphRun, ralphStatus, ralphContext, ralphCheckpoint, ralphStop],
  },
  tracker: {
    describe: 'Report checkpoints and shards to an issue tracker',
    commands: [trackerStatus, trackerFlush],
  },
  checkpoint: {
    describe: 'List and show checkpoints',
    commands: [checkpointList, checkpointShow],
  },
}

/** In the order that help lists them: what a newcomer needs comes first. */
export const COMMANDS: readonly Command[] = [
  install,
  status,
  fleet,
  dashboard,
  show,
  log,
  why,
  diff,
  preview,
  check,
  resolve,
  synthesize,
  archive,
  migrate,
  doctor,
  config,
  completion,
  statusline,
  uninstall,
]
