/** `--agent --branch --since --type`, the same in every reading command. */

import type { Argv } from 'yargs'
import type { EventFilter } from '../app/ledger/view-ledger.ts'
import { LedgerError } from '../core/errors/errors.ts'
import { instantFromMillis, parseInstant } from '../core/event/instant.ts'
import { parseDuration } from '../core/settings/settings.ts'
import type { Arguments } from './command.ts'
import { text } from './command.ts'
import type { CliContext } from './context.ts'

export function filterOptions(yargs: Argv): Argv {
  return yargs
    .option('agent', { type: 'string', describe: 'only events of this agent' })
    .option('branch', { type: 'string', describe: 'only events of this branch' })
    .option('since', {
      type: 'string',
      describe: 'only events from this time on, or an age: 2h, 7d',
    })
}

export function typeOption(yargs: Argv): Argv {
  return yargs.option('type', { type: 'string', describe: 'only events of this type' })
}

export function readFilter(args: Arguments, context: CliContext): EventFilter {
  const since = text(args, 'since')
  const filter = {
    agent: text(args, 'agent'),
    branch: text(args, 'branch'),
    type: text(args, 'type'),
  }
  if (since === undefined) return filter
  const age = parseDuration(since)
  const instant =
    age === undefined
      ? parseInstant(since)?.instant
      : instantFromMillis(Math.max(0, context.clock.now() - age))
  if (instant !== undefined) return { ...filter, since: instant }
  throw new LedgerError(
    'USAGE',
    `--since ${since} is neither a time nor an age`,
    'for example --since 2026-01-31 or --since 7d',
  )
}
