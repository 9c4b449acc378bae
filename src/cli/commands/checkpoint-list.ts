import type { ListedCheckpoint } from '../../app/checkpoint/read-checkpoints.ts'
import { listCheckpoints } from '../../app/checkpoint/read-checkpoints.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import { printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const checkpointList: Command = {
  name: 'list',
  describe: 'List the checkpoints of sessions, oldest first',
  examples: [['ledger-git checkpoint list', 'id, time, agents, numbers of commits and files']],
  options: (yargs) => yargs,
  run: async (args, context) => {
    const { repository } = await context.open()
    const found = await listCheckpoints(repository)
    if (flag(args, 'json')) {
      printJson(context, { checkpoints: found.map(checkpointJson) })
    } else {
      for (const checkpoint of found) context.stdout(`${checkpointLine(checkpoint)}\n`)
      if (found.length === 0) context.stderr('no checkpoints here\n')
    }
    return 0
  },
}

function checkpointJson({ id, condensedAt, sessions, ...rest }: ListedCheckpoint): unknown {
  return {
    checkpoint: id,
    condensed_at: condensedAt ?? null,
    sessions: sessions.map(({ session, agent, branch }) => ({
      session,
      agent,
      branch: branch ?? null,
    })),
    commits: rest.commits,
    files: rest.files,
    partial: rest.isPartial,
  }
}

function checkpointLine({ id, condensedAt, sessions, ...rest }: ListedCheckpoint): string {
  const who = sessions.map(({ agent, branch }) =>
    branch === undefined ? agent : `${agent} on ${branch}`,
  )
  const counts = `${count(rest.commits.length, 'commit')}, ${count(rest.files.length, 'file')}`
  const mark = rest.isPartial ? '  (not wholly readable: update ledger-git)' : ''
  return `${id}  ${safeText(condensedAt ?? '-')}  ${safeText(who.join('; '))}  ${counts}${mark}`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
