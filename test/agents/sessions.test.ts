/**
 * The real agents, offline: what a session of each agent leaves behind. The records of `src/core/agents/` read what the
 * agents report to their hooks and write into their transcripts, and must understand it correctly.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/core/agents/agents.ts'
import { AGENT_NAMES, readEntries } from '../../src/core/agents/agents.ts'
import { age, checkpoints, events, ledger, sessionLog, trailers } from '../sessions/readers.ts'
import { connected, play, signals, start, told } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'
import { isWaiting, stopWaiting, waiting, working } from './scenes.ts'

/** These programs cut git off from its hooks, so commits have no trailer. */
const HIDES_GIT = new Set<AgentName>(['gemini'])

describe.each(AGENT_NAMES)('a session of %s', (agent) => {
  const isMissing = isNotHere(agent)

  test.skipIf(isMissing)('is followed from its start to its end', async () => {
    const repo = connected(agent)
    await play(repo, agent, 'Add a parser', working(repo, agent, 'parser'))

    const heard = signals(repo, agent)
    const [{ session, transcript } = { session: '', transcript: '' }] = heard
    expect(new Set(heard.map((one) => one.session)).size).toBe(1)
    expect(new Set(heard.map(({ cwd }) => cwd))).toEqual(new Set([repo.folder]))
    expect(heard).toMatchObject([
      { kind: 'session_start', source: 'startup' },
      { kind: 'turn_start', prompt: 'Add a parser' },
      { kind: 'tool_used', tool: { mayWrite: false } },
      {
        kind: 'tool_used',
        tool: { mayWrite: true, command: expect.stringContaining('git commit') },
      },
      { kind: 'turn_end', lastMessage: expect.stringContaining('The parser is in place.') },
      { kind: 'session_end', reason: expect.any(String) },
    ])
    const [, , wrote] = heard
    expect(wrote?.tool?.files.map((file) => join(repo.folder, file).slice(-11))).toEqual([
      '/parser.txt',
    ])

    const lines = readFileSync(transcript ?? '', 'utf8').split('\n')
    const entries = readEntries(agent, { lines })
    expect(entries.filter(({ kind }) => kind === 'prompt')).toMatchObject([
      { kind: 'prompt', text: 'Add a parser' },
    ])
    expect(entries.findLast(({ kind }) => kind === 'assistant')).toMatchObject({
      text: expect.stringContaining('The parser is in place.'),
    })
    const named = entries.flatMap((entry) => (entry.kind === 'tool' ? entry.tool.files : []))
    expect(named.join()).toContain('parser.txt')

    const commit = repo.git('rev-parse', 'HEAD~1')
    const [[id = '', stored] = []] = Object.entries(checkpoints(repo))
    expect(trailers(repo, commit)).toEqual(HIDES_GIT.has(agent) ? [] : [id])
    expect(stored?.[session]).toMatchObject({ commits: [commit], files: ['parser.txt'] })
    expect(stored?.[session]?.prompts).toContain('Add a parser')
    expect(stored?.[session]?.transcript).toContain('The parser is in place.')
    expect(repo.ledger('why', commit)).toContain(session)
    expect(events(repo)).toHaveLength(1)
    expect(ledger(repo)).toMatchObject({
      goal: { value: 'Add a parser' },
      now: { value: expect.stringContaining('The parser is in place.') },
      this_session: [{ text: expect.stringMatching(/^feat: parser/) }],
    })
    expect(repo.ledger('session', 'list', '--all')).toMatch(
      new RegExp(`^${session}  ended  ${agent}`),
    )
    expect(repo.status()).toBe('')
    expect(sessionLog(repo)).not.toMatch(/fail|error/i)
  })

  test.skipIf(isMissing)('is resumed with a summary of itself and stays one session', async () => {
    const repo = connected(agent)
    await play(repo, agent, 'Add a parser', working(repo, agent, 'parser'))
    const session = String(told(repo)[0]?.['session_id'])
    const { model } = await play(repo, agent, 'Go on', working(repo, agent, 'printer'), session)
    expect(model.requests[0]).toContain('The parser is in place.')
    const starts = signals(repo, agent).filter(({ kind }) => kind === 'session_start')
    expect(starts).toMatchObject([{ session }, { session, source: 'resume' }])
    expect(repo.ledger('session', 'list', '--all').split('\n')).toHaveLength(1)
    expect(events(repo)).toHaveLength(2)
    // With the commit's subject, if the program lets git run our hooks.
    expect(ledger(repo).now?.value).toMatch(/The printer is in place(?:\.|: feat: printer)$/)
    const stored = Object.values(checkpoints(repo)).map((sessions) => sessions[session]?.files)
    expect(stored.sort()).toEqual([['parser.txt'], ['printer.txt']])
  })

  test.skipIf(isMissing)('that was killed gets its event when the next one starts', async () => {
    const repo = connected(agent)
    const [writes] = working(repo, agent, 'parser')
    const script = [writes ?? {}, waiting(repo, agent)]
    const playing = await start(repo, agent, PROGRAMS[agent].once('Add a parser'), script)
    await isWaiting(repo)
    playing.kill('SIGKILL')
    await playing.ended
    const session = String(told(repo)[0]?.['session_id'])
    expect(events(repo)).toEqual([])
    age(repo, { session }, 31)
    const { model } = await play(repo, agent, 'What is here?', [{ text: 'A parser.' }])
    const event = events(repo).find((text) => text.includes(session))
    expect(event).toContain('goal: Add a parser')
    expect(event).toContain('parser.txt')
    expect(model.requests[0]).toContain('Add a parser')
  })

  test.skipIf(isMissing)('beside another one on its branch has a row of its own', async () => {
    const repo = connected(agent)
    const [writes = {}, commits = {}, says = {}] = working(repo, agent, 'parser')
    const words = PROGRAMS[agent].once('Add a parser')
    const first = await start(repo, agent, words, [waiting(repo, agent), writes, commits, says])
    await isWaiting(repo)
    await play(repo, agent, 'Add a printer', working(repo, agent, 'printer'))
    stopWaiting(repo)
    const { status, said } = await first.ended
    expect(status, said).toBe(0)
    const rows = repo.ledger('show').match(/^\| .*(?:parser|printer) is in place.*$/gm) ?? []
    expect(rows.map((row) => row.split(' | ')[0]).sort()).toEqual([
      `| ${agent}`,
      expect.stringMatching(new RegExp(`^\\| ${agent}-[0-9a-f]+$`)),
    ])
    const stored = Object.values(checkpoints(repo)).flatMap((one) => Object.values(one))
    const owners = stored.map(({ session, files }) => [files.join(), session])
    expect(new Set(owners.map(([, session]) => session)).size).toBe(2)
    // A session that has no part in a commit is included for the context.
    expect(owners.flatMap(([files]) => files || []).sort()).toEqual(['parser.txt', 'printer.txt'])
  })
})
