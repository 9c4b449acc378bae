/** A subagent of a real agent works for its parent's session and does not speak for it. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpoints, events, ledger } from '../sessions/readers.ts'
import type { Answer, ToolCall } from './model.ts'
import { connected, play, signals, told } from './play.ts'
import { isNotHere, PROGRAMS } from './programs.ts'

const SAID = 'The file is written.'
const TASK = 'Subagent, write sub.txt'

/** How a model starts a subagent, what the subagent says at its end, and the event that reports it. */
const SUBAGENTS = {
  // It runs in the background: its end arrives as a prompt that nobody typed.
  claude: {
    call: {
      name: 'Agent',
      input: { description: 'Write it', prompt: TASK, subagent_type: 'general-purpose' },
    },
    done: { text: SAID },
    end: 'SubagentStop',
  },
  // Codex offers none to its model in `exec`.
  gemini: {
    call: { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: TASK } },
    done: { tools: [{ name: 'complete_task', input: { result: { response: SAID } } }] },
    end: 'AfterTool',
  },
} satisfies Record<string, { call: ToolCall; done: Answer; end: string }>

describe.each(['claude', 'gemini'] as const)('a subagent of %s', (agent) => {
  test.skipIf(isNotHere(agent))('leaves its work to the session that started it', async () => {
    const repo = connected(agent)
    const { write, shell } = PROGRAMS[agent]
    const { call, done, end } = SUBAGENTS[agent]
    const isOver = `grep -q '"${end}"' '${repo.sandbox.folder}/told'`
    const commit = `until ${isOver}; do sleep 0.2; done; git add . && git commit -q -m 'feat: sub'`
    await play(repo, agent, 'Add a parser', [
      { tools: [call] },
      { to: TASK, tools: [write(join(repo.folder, 'sub.txt'), 'sub\n')] },
      { to: TASK, ...done },
      { tools: [shell(commit)] },
      { text: 'All is in place.' },
      { text: 'All is in place.' }, // once more if the end is reported later
    ])
    expect(new Set(told(repo).map((payload) => payload['session_id'])).size).toBe(1)
    const heard = signals(repo, agent)
    const prompts = heard.flatMap(({ kind, prompt }) => (kind === 'turn_start' && prompt) || [])
    expect(prompts).toEqual(['Add a parser'])
    const session = heard[0]?.session ?? ''
    const [stored] = Object.values(checkpoints(repo))
    expect(stored?.[session]).toMatchObject({ files: ['sub.txt'], commits: [expect.any(String)] })
    expect(stored?.[session]?.prompts.trim()).toBe('Add a parser')
    expect(repo.ledger('why', stored?.[session]?.commits[0] ?? '')).toContain(session)
    if (agent === 'claude') {
      const [transcript = '', ...others] = Object.values(stored?.[session]?.tasks ?? {})
      expect(others).toEqual([])
      expect(transcript).toContain(SAID)
      expect(heard.find(({ kind }) => kind === 'subagent_end')?.lastMessage).toBe(SAID)
    }
    expect(events(repo)).toHaveLength(1)
    expect(ledger(repo)).toMatchObject({
      goal: { value: 'Add a parser' },
      now: { value: 'All is in place.' },
    })
    expect(repo.status()).toBe('')
  })
})
