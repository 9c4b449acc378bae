/** Checkpoints of sessions: `checkpoint list` and `show`. */

import type { ListedCheckpoint, ReadCheckpoint } from '../../app/checkpoint/read-checkpoints.ts'
import {
  checkpointsBeginning,
  listCheckpoints,
  readCheckpointOf,
} from '../../app/checkpoint/read-checkpoints.ts'
import type { RepositoryPort } from '../../app/ports.ts'
import type { CheckpointSession } from '../../core/checkpoint/checkpoint.ts'
import { CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { agoOf } from '../../core/event/age.ts'
import { whoOf } from '../../core/event/event.ts'
import type { Command } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { count, members, safeLines, safeText } from '../command/format.ts'

export const checkpointList: Command = {
  name: 'list',
  describe: 'List the checkpoints of sessions, oldest first',
  examples: [['ledger-git checkpoint list', 'id, time, agents, numbers of commits and files']],
  run: async (input) => {
    const { repository } = await input.context.open()
    const now = input.context.clock.now()
    const found = await listCheckpoints(repository)
    const checkpoints = found.map((one) => ({
      checkpoint: one.id,
      ...members(one, 'condensedAt', 'commits', 'files'),
      sessions: one.sessions.map((each) => members(each, 'session', 'agent', 'branch')),
      partial: one.isPartial,
    }))
    input.print(
      { checkpoints },
      found.map((one) => checkpointLine(one, now)),
    )
    const { refs } = await input.context.sessions()
    const [broken] = await refs.broken(CHECKPOINTS_REF)
    if (broken !== undefined) {
      input.context.stderr(
        `ledger-git: the branch of checkpoints is damaged: ${broken.file} names no commit\n` +
          '  next: ledger-git doctor\n',
      )
      return 1
    }
    if (found.length === 0 && !input.json) input.say('no checkpoints here')
    return 0
  },
}

function checkpointLine(
  { id, condensedAt, sessions, ...rest }: ListedCheckpoint,
  now: number,
): string {
  const who = sessions.map(whoOf)
  const when = safeText(agoOf(condensedAt ?? '-', now))
  const counts = `${count(rest.commits.length, 'commit')}, ${count(rest.files.length, 'file')}`
  const mark = rest.isPartial ? '  (parts of it cannot be read: update ledger-git)' : ''
  return `${id}  ${when}  ${safeText(who.join('; '))}  ${counts}${mark}`
}

export const checkpointShow: Command = {
  name: 'show',
  words: { '<id>': 'id of a checkpoint, or its beginning' },
  describe: 'Show what the sessions of one checkpoint did',
  examples: [
    ['ledger-git checkpoint show 0123456789ab', 'sessions, prompts, files, commits'],
    ['ledger-git checkpoint show 0123 --transcript', "the agents' logs as well"],
  ],
  options: { transcript: flag('print the transcripts as well') },
  run: async (input) => {
    const { repository } = await input.context.open()
    const found = await findCheckpoint(repository, input.word('id'))
    const now = input.context.clock.now()
    const withTranscript = input.flag('transcript')
    const sessions = found.sessions.map((one) => sessionJson(one, withTranscript))
    const blocks = found.sessions.map((one) => sessionLines(one, withTranscript, now).join('\n'))
    input.print(
      { checkpoint: found.id, sessions, partial: found.isPartial },
      `checkpoint ${found.id}\n\n${blocks.join('\n\n')}`,
    )
    if (found.isPartial && !input.json) {
      input.say('ledger-git: parts of it cannot be read; update ledger-git')
    }
  },
}

async function findCheckpoint(repository: RepositoryPort, word: string): Promise<ReadCheckpoint> {
  const ids = /^[0-9a-f]{4,12}$/.test(word) ? await checkpointsBeginning(repository, word) : []
  const [id] = ids
  if (id === undefined || ids.length > 1) {
    const what = id === undefined ? 'no checkpoint has the id' : 'several checkpoints begin with'
    const message = `${what} ${safeText(word)}`
    throw new LedgerError('CHECKPOINT_NOT_FOUND', message, 'ledger-git checkpoint list')
  }
  const found = await readCheckpointOf(repository, id)
  if (found !== undefined && found.sessions.length > 0) return found
  throw new LedgerError(
    'CHECKPOINT_UNREADABLE',
    `checkpoint ${id} has nothing that this release can read`,
    'npm install ledger-git@latest',
  )
}

function sessionJson(one: CheckpointSession, withTranscript: boolean): unknown {
  return {
    ...members(one, 'session', 'agent', 'branch', 'addedAt', 'condensedAt', 'turn', 'steps'),
    ...members(one, 'commits', 'files', 'prompts', 'context'),
    transcript: withTranscript ? one.transcript : null,
    transcript_cut: one.isCut,
    tasks: one.tasks.map(({ toolUseId, transcript }) => ({
      tool_use_id: toolUseId,
      transcript: withTranscript ? transcript : null,
    })),
  }
}

function sessionLines(one: CheckpointSession, withTranscript: boolean, now: number): string[] {
  const transcripts = [
    ['transcript', one.transcript] as const,
    ...one.tasks.map((task) => [`transcript of ${task.toolUseId}`, task.transcript] as const),
  ]
  return [
    `session ${safeText(one.session)}`,
    `  ${safeText(whoOf(one))}, ${safeText(agoOf(one.condensedAt, now))}, turn ${one.turn}`,
    ...one.prompts.map((prompt) => `  prompt: ${safeText(prompt)}`),
    ...one.commits.map((commit) => `  commit: ${safeText(commit)}`),
    ...one.files.map((file) => `  file: ${safeText(file)}`),
    ...one.tasks.map(({ toolUseId }) => `  subagent: ${safeText(toolUseId)}`),
    ...(one.context === '' ? [] : ['', ...safeLines(one.context).map((line) => `  ${line}`)]),
    ...(withTranscript
      ? transcripts.flatMap(([title, log]) => ['', `  ${safeText(title)}:`, ...safeLines(log)])
      : []),
  ]
}
