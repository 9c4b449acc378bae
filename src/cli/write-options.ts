/** What the commands that write an event share: `--agent --stage --commit`, and the context. */

import type { Argv } from 'yargs'
import type { AddEventContext, AddEventRequest } from '../app/commit/add-event.ts'
import type { Arguments } from './command.ts'
import { filled, flag } from './command.ts'
import type { CliContext, OpenRepository } from './context.ts'

export function writeOptions(yargs: Argv): Argv {
  return yargs
    .option('agent', { type: 'string', describe: 'who writes (default: from the environment)' })
    .option('stage', { type: 'boolean', describe: 'stage the event and the refreshed current.md' })
    .option('commit', { type: 'boolean', describe: "make a commit of the ledger's own" })
    .conflicts('stage', 'commit')
}

export function readWriteOptions(args: Arguments): Pick<AddEventRequest, 'agent' | 'afterwards'> {
  const staged = flag(args, 'stage') ? 'stage' : 'leave'
  return { agent: filled(args, 'agent'), afterwards: flag(args, 'commit') ? 'commit' : staged }
}

export function writeContext(
  { repository, settings }: OpenRepository,
  context: CliContext,
): AddEventContext {
  return {
    repository,
    settings,
    clock: context.clock,
    env: context.env,
    folder: context.cwd,
    isSetUp: context.files.kind(`${repository.place.commonDir}/ledger-git/run`) === 'file',
    say: (message) => context.stderr(`${message}\n`),
  }
}
