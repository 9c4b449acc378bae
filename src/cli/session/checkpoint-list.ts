import type { ListedCheckpoint } from '../../app/checkpoint/read-checkpoints.ts'
import { listCheckpoints } from '../../app/checkpoint/read-checkpoints.ts'
import type { Command } from '../command/command.ts'
import { count, safeText } from '../command/format.ts'

export const checkpointList: Command = {
  name: 'list',
  describe: 'List the checkpoints of sessions, oldest first',
  examples: [['ledger-git checkpoint list', 'id, time, agents, numbers of commits and files']],
  run: async (input) => {
    const { repository } = await input.context.open()
    const found = await listCheckpoints(repository)
    const checkpoints = found.map(({ id, condensedAt, sessions, commits, files, isPartial }) => ({
      checkpoint: id,
      condensed_at: condensedAt,
      sessions: sessions.map(({ session, agent, branch }) => ({ session, agent, branch })),
      commits,
      files,
      partial: isPartial,
    }))
    input.print({ checkpoints }, found.map(checkpointLine))
    if (found.length === 0 && !input.json) input.say('no checkpoints here')
  },
}

function checkpointLine({ id, condensedAt, sessions, ...rest }: ListedCheckpoint): string {
  const who = sessions.map(({ agent, branch }) =>
    branch === undefined ? agent : `${agent} on ${branch}`,
  )
  const counts = `${count(rest.commits.length, 'commit')}, ${count(rest.files.length, 'file')}`
  const mark = rest.isPartial ? '  (not wholly readable: update ledger-git)' : ''
  return `${id}  ${safeText(condensedAt ?? '-')}  ${safeText(who.join('; '))}  ${counts}${mark}`
}
