/** The coding agents that ledger-git knows, with reading and writing that work for all of them. Pure. */

import type { Agent } from './agent.ts'
import type { AgentSignal, SignalAnswer, SignalKind, TranscriptEntry } from './agent-signal.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { readHookPayload, writeHookAnswer } from './hook-payload.ts'

const RECORDS = { claude, codex, gemini }

export type AgentName = keyof typeof RECORDS

export const AGENTS: Readonly<Record<AgentName, Agent>> = RECORDS

export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[]

/** The agent that a session's state or an event names, such as `claude` for `claude-code`. */
export function agentNamed(name: string): AgentName | undefined {
  return AGENT_NAMES.find((known) => name === known || name.startsWith(`${known}-`))
}

/** Undefined for a payload that is not followed. `hookName`: the event as the installed command names it. */
export function readPayload(
  agent: AgentName,
  hookName: string,
  text: string,
): AgentSignal | undefined {
  return readHookPayload({ name: agent, ...AGENTS[agent] }, hookName, text)
}

/** The text for standard output, often empty. */
export function writeAnswer(agent: AgentName, kind: SignalKind, answer: SignalAnswer): string {
  return writeHookAnswer(AGENTS[agent], kind, answer)
}

/** The lines of a transcript reduced to what `readEntries` uses. */
export function toldLines(agent: string, lines: readonly string[]): readonly string[] {
  const name = agentNamed(agent)
  return (name && AGENTS[name].toldLines?.(lines)) ?? lines
}

/** What lines that `readEntries` ignores have among their first fields, if the agent writes many of them. */
export function unusedLineOf(agent: string): string | undefined {
  const name = agentNamed(agent)
  return name && AGENTS[name].unusedLine
}

/**
 * The entries in a slice of a transcript. An unfinished last line counts if it is already a whole record; a caller
 * that continues at `next` reads that line again.
 */
export function readEntries(
  agent: string,
  slice: {
    readonly lines: readonly string[]
    readonly rest?: string
    readonly toEnd?: boolean
  },
): TranscriptEntry[] {
  const name = agentNamed(agent)
  const { lines, rest = '', toEnd = true } = slice
  if (name === undefined) return []
  return AGENTS[name].readLines(toEnd && rest !== '' ? [...lines, rest] : lines)
}
