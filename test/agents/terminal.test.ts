/** The real agents in a terminal, where a person compacts, clears, interrupts and leaves. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../src/core/agents/agents.ts'
import { events } from '../sessions/readers.ts'
import type { Repo } from '../support/git-repo.ts'
import { hasScript, notRunUnless } from '../support/not-run.ts'
import type { Answer } from './model.ts'
import { connected, signals, start, until } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'
import { isWaiting, stopWaiting, waiting } from './scenes.ts'

const ESCAPE = '\x1b'
/** A person's pause: keys that arrive all at once are taken for pasted text. */
const PAUSE = 1500

/** Starts the program and waits until it can be typed to. */
async function open(repo: Repo, agent: AgentName, script: readonly Answer[]) {
  const playing = await start(repo, agent, PROGRAMS[agent].open, script, { inTerminal: true })
  const { screen } = PROGRAMS[agent]
  const shows = (what: RegExp) =>
    until(
      () => what.test(playing.said()),
      () => `${what} in ${playing.said().slice(-2000)}`,
    )
  await shows(screen.ready)
  await sleep(PAUSE)
  return {
    ...playing,
    shows,
    say: async (text: string) => {
      await sleep(PAUSE)
      playing.type(text)
      await sleep(PAUSE)
      playing.type('\r')
    },
    /** Waits until hooks have reported this kind for the given number of times. */
    tells: (kind: string, count = 1) =>
      until(
        () => signals(repo, agent).filter((one) => one.kind === kind).length >= count,
        () => `${kind} after ${JSON.stringify(briefs(repo, agent))}`,
      ),
  }
}

/** Signals as words, with the number of their session. */
function briefs(repo: Repo, agent: AgentName): string[] {
  const heard = signals(repo, agent)
  const sessions = [...new Set(heard.map(({ session }) => session))]
  return heard.map(({ kind, session, source, reason }) =>
    [sessions.indexOf(session) + 1, kind, source ?? reason].filter(Boolean).join(' '),
  )
}

const HEARD = {
  claude: [
    '1 session_start startup',
    '1 turn_start',
    '1 tool_used',
    '1 turn_end',
    '1 before_compaction manual',
    '1 subagent_end', // it writes the summary
    '1 session_start compact',
    '1 session_end clear',
    '2 session_start clear',
    '2 turn_start',
    '2 session_end prompt_input_exit',
  ],
  codex: [
    '1 session_start startup',
    '1 turn_start',
    '1 tool_used',
    '1 turn_end',
    '1 before_compaction manual',
    '1 session_end other',
    '2 session_start clear',
    '2 turn_start',
    '2 turn_end', // the interruption
    '2 session_end other',
  ],
  gemini: [
    '1 session_start startup',
    '1 turn_start',
    '1 tool_used',
    '1 turn_end',
    '1 before_compaction manual',
    '1 session_end clear',
    '2 session_start clear',
    '2 turn_start',
    '2 tool_used', // the command that was stopped
    '2 session_end exit',
    '2 session_end exit',
  ],
}

/** The counts once `/clear` is done: Codex starts a session with its first prompt, and asks for titles. */
const STARTS = { claude: 3, codex: 1, gemini: 2 }
const REQUESTS = { claude: 3, codex: 4, gemini: 3 }
const TITLE = { to: 'task title', text: 'A title' }

const SUMMARY = `<summary>
1. Primary Request and Intent:
   Add a parser

7. Pending Tasks:
   - Wire it into the CLI
</summary>`

const isTerminal = !notRunUnless(hasScript(), 'agents in a terminal', 'there is no script(1) here')

describe.each(['claude', 'codex', 'gemini'] as const)('%s in a terminal', (agent) => {
  test.skipIf(!isTerminal || isNotHere(agent))(
    'reports a compaction, /clear, an interruption and its end, with one event for each session',
    async () => {
      const repo = connected(agent)
      const { write, commands, screen } = PROGRAMS[agent]
      const { said, say, type, tells, shows, ended, model } = await open(repo, agent, [
        { text: 'I write it.', tools: [write(join(repo.folder, 'parser.txt'), 'parser\n')] },
        { text: 'The parser is written.' },
        { to: 'summary', text: SUMMARY },
        TITLE,
        TITLE,
        waiting(repo, agent),
      ])
      await say('Add a parser')
      await tells('turn_end')
      await say(commands.compact)
      await model.asked(REQUESTS[agent])
      await sleep(PAUSE)
      await say('/clear')
      await tells('session_end')
      await tells('session_start', STARTS[agent])
      await say('Add a printer')
      await isWaiting(repo)
      type(ESCAPE)
      await shows(screen.interrupted)
      await say(commands.quit)
      const { status } = await ended
      stopWaiting(repo)
      expect(status, said().slice(-2000)).toBe(0)
      expect(briefs(repo, agent)).toEqual(HEARD[agent])

      const [first = '', second = '', ...others] = events(repo)
      expect(others).toEqual([])
      expect(first).toContain(
        `reason: ${agent === 'codex' ? 'other' : 'clear'}\ngoal: Add a parser\n`,
      )
      expect(first).toContain('parser.txt')
      expect(second).toContain('goal: Add a printer\n')
      expect(second).not.toContain('The parser is written.')
      const rows = repo.ledger('session', 'list', '--all').split('\n')
      expect(rows.map((row) => row.split('  ')[1])).toEqual(['ended', 'ended'])
    },
  )
})
