/** The output on stdout: the documented shape, or nothing. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignalKind } from '../../../src/core/agents/agent-signal.ts'
import type { AgentName } from '../../../src/core/agents/agents.ts'
import { AGENT_NAMES, writeAnswer } from '../../../src/core/agents/agents.ts'

const KINDS: readonly SignalKind[] = [
  'session_start',
  'turn_start',
  'turn_end',
  'session_end',
  'tool_used',
  'before_compaction',
  'subagent_end',
]
const BOTH = { context: 'for the model', message: 'for the person' }

/** The event as the agent calls it, and which part of the answer the agent reads. */
const READ: Record<AgentName, Partial<Record<SignalKind, string>>> = {
  claude: {
    session_start: 'SessionStart+',
    turn_start: 'UserPromptSubmit+',
    tool_used: 'PostToolUse+',
    turn_end: '',
  },
  codex: {
    session_start: 'SessionStart+',
    turn_start: 'UserPromptSubmit+',
    tool_used: 'PostToolUse+',
    turn_end: '',
  },
  gemini: {
    session_start: 'SessionStart+',
    turn_start: 'BeforeAgent+',
    tool_used: 'AfterTool+',
    turn_end: '',
    before_compaction: '',
    session_end: '',
  },
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  test.each(KINDS)('%s', (kind) => {
    const text = writeAnswer(agent, kind, BOTH)
    const read = READ[agent][kind]
    if (read === undefined) return expect(text).toBe('')
    expect(text.endsWith('}\n')).toBe(true)
    const hookEventName = read.replace('+', '')
    const context = { hookSpecificOutput: { hookEventName, additionalContext: BOTH.context } }
    const known = read.endsWith('+') ? context : {}
    return expect(JSON.parse(text)).toEqual({ systemMessage: BOTH.message, ...known })
  })

  test('writes nothing if there is nothing to say', () => {
    for (const kind of KINDS) {
      expect(writeAnswer(agent, kind, {})).toBe('')
      expect(writeAnswer(agent, kind, { context: '', message: undefined })).toBe('')
    }
    expect(writeAnswer(agent, 'turn_end', { context: 'x' })).toBe('')
  })

  test('makes the agent continue its turn if something is asked, with the word that the agent knows', () => {
    const decision = agent === 'gemini' ? 'deny' : 'block'
    expect(JSON.parse(writeAnswer(agent, 'turn_end', { ask: 'Record it' }))).toEqual({
      decision,
      reason: 'Record it',
    })
    for (const kind of KINDS.filter((one) => one !== 'turn_end')) {
      expect(writeAnswer(agent, kind, { ask: 'Record it' })).toBe('')
    }
  })

  test('omits keys without content', () => {
    expect(writeAnswer(agent, 'session_start', { context: 'x' })).toBe(
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}\n',
    )
    expect(writeAnswer(agent, 'session_start', { message: 'x' })).toBe('{"systemMessage":"x"}\n')
  })

  test('passes any text unchanged, on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (context) => {
        const text = writeAnswer(agent, 'session_start', { context })
        expect(text.indexOf('\n')).toBe(text.length - 1)
        const said = JSON.parse(text).hookSpecificOutput.additionalContext
        expect(said).toBe(context.toWellFormed())
      }),
    )
  })
})
