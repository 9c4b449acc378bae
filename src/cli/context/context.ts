/** Commands of `context`: how full an agent's context is, and what fits into it. */

import type { Command } from '../command/command.ts'
import { contextCheckpoint, contextOrient, contextUndoWip } from './context-checkpoint.ts'
import { contextEstimate } from './context-estimate.ts'
import { contextMetrics } from './context-metrics.ts'
import { contextPlan } from './context-plan.ts'
import { contextShard } from './context-shard.ts'
import { contextDefer, contextStatus } from './context-status.ts'

export const contextCommands: readonly Command[] = [
  contextStatus,
  contextDefer,
  contextEstimate,
  contextShard,
  contextPlan,
  contextMetrics,
  contextCheckpoint,
  contextOrient,
  contextUndoWip,
]
