/** The agents that are known, each with its dialect. Everything else in this folder is behind this table. */

import type { AgentName, AgentSignal, Refusal, SignalKind } from '../../core/agents/agent-signal.ts'
import type { TranscriptEntry } from '../../core/agents/transcript-entry.ts'
import type { Answer } from './answer.ts'
import { writeAnswer } from './answer.ts'
import { CLAUDE_ANSWERS, readClaudePayload } from './claude.ts'
import { CODEX_ANSWERS, readCodexPayload } from './codex.ts'
import { GEMINI_ANSWERS, readGeminiPayload } from './gemini.ts'
import { readClaudeLines } from './transcript-claude.ts'
import { readCodexLines } from './transcript-codex.ts'
import type { TranscriptSlice } from './transcript-file.ts'
import { readGeminiLines } from './transcript-gemini.ts'

export interface AgentAdapter {
  /** Never throws. `hookName`: the event as the installed command names it. */
  readPayload(hookName: string, text: string): AgentSignal | Refusal
  /** The text for standard output, often empty. */
  writeAnswer(kind: SignalKind, answer: Answer): string
  /** Lines that are none of the agent's records are passed over. */
  readLines(lines: readonly string[]): TranscriptEntry[]
}

export const AGENTS: Readonly<Record<AgentName, AgentAdapter>> = {
  claude: {
    readPayload: readClaudePayload,
    writeAnswer: (kind, answer) => writeAnswer(CLAUDE_ANSWERS, kind, answer),
    readLines: readClaudeLines,
  },
  codex: {
    readPayload: readCodexPayload,
    writeAnswer: (kind, answer) => writeAnswer(CODEX_ANSWERS, kind, answer),
    readLines: readCodexLines,
  },
  gemini: {
    readPayload: readGeminiPayload,
    writeAnswer: (kind, answer) => writeAnswer(GEMINI_ANSWERS, kind, answer),
    readLines: readGeminiLines,
  },
}

/**
 * What a slice of a transcript says. Its unfinished last line counts where it is a whole record already;
 * who goes on at `next` reads that line once more.
 */
export function readEntries(agent: AgentName, slice: TranscriptSlice): TranscriptEntry[] {
  const lines = slice.toEnd && slice.rest !== '' ? [...slice.lines, slice.rest] : slice.lines
  return AGENTS[agent].readLines(lines)
}
