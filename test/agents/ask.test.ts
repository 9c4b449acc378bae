/** The real agents, asked to record their own account when a turn ends (`session.ask`), each in its own way. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENT_NAMES } from '../../src/core/agents/agents.ts'
import { events, ledger } from '../sessions/readers.ts'
import { CLI } from '../support/git-repo.ts'
import { connected, play } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'

const ASKED = 'nothing of it is recorded yet'

describe.each(AGENT_NAMES)('a turn of %s that changed a file', (agent) => {
  test.skipIf(isNotHere(agent))('continues with the question once, and ends', async () => {
    const repo = connected(agent)
    const settings = 'session: {ask: on, checkpoint_interval: 1ms}\n'
    repo.commit('chore: ask for words', { '.ledger-git.yaml': settings })
    const { write, shell } = PROGRAMS[agent]
    // Gemini CLI runs no command that contains another one.
    const session = '"$(basename .git/ledger-git/sessions/*.json .json)"'
    const add = `'${process.execPath}' '${CLI}' event add --agent ${agent} --session ${session}`
    repo.write('../record.sh', `${add} --now 'Said by hand.'\n`)
    const { model } = await play(repo, agent, 'Add a parser', [
      { text: 'I write it.', tools: [write(join(repo.folder, 'parser.txt'), 'parser\n')] },
      { text: 'The parser is in place.' },
      { text: 'I record it.', tools: [shell(`sh '${join(repo.folder, '../record.sh')}'`)] },
      { text: 'It is recorded.' },
    ])
    const isAsked = model.requests.map((body) => body.includes(ASKED))
    expect(isAsked).toEqual([false, false, true, true])
    const asked = model.requests[2] ?? ''
    expect(asked).toContain(`ledger-git event add --agent ${agent} --session`)
    expect(asked).toContain('The parser is in place.')
    // The agent's own words stay, and the event of the end adds what they leave open.
    expect(ledger(repo).now?.value).toBe('Said by hand.')
    const [end = ''] = events(repo)
    expect(end).toContain('Changed, not committed: parser.txt')
    expect(end).not.toMatch(/^now:/m)
  })
})
