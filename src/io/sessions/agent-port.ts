/** `AgentPort`: the adapters of `io/agents/` as use cases see them. */

import type { AgentPort, TranscriptSlice } from '../../app/shadow/session-ports.ts'
import type { AgentName } from '../../core/agents/agent-signal.ts'
import { AGENTS, readEntries } from '../agents/agents.ts'
import type { TranscriptSlice as FileSlice, Unreadable } from '../agents/transcript-file.ts'
import { readFrom, readTail } from '../agents/transcript-file.ts'

export const agentPort: AgentPort = {
  readPayload: (agent, hookName, text) => AGENTS[agent].readPayload(hookName, text),
  writeAnswer: (agent, kind, answer) => AGENTS[agent].writeAnswer(kind, answer),
  readFrom: (agent, path, offset, maxBytes) => sliceOf(agent, readFrom(path, offset, { maxBytes })),
  readTail: (agent, path, maxBytes) => sliceOf(agent, readTail(path, { maxBytes })),
  readLines: (agent, lines) => AGENTS[agent].readLines(lines),
}

function sliceOf(agent: AgentName, slice: FileSlice | Unreadable): TranscriptSlice | undefined {
  if ('unreadable' in slice) return undefined
  const { lines, next, toEnd } = slice
  return { entries: readEntries(agent, slice), lines, next, toEnd }
}
