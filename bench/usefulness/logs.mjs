/**
 * Transcripts of coding agents as moments: what the user said, what the agent said and did, and how each
 * turn ended. The payloads of hooks are made from moments; the product itself reads the log.
 *
 * A moment is `{ kind, at, upTo, … }`, with the time in milliseconds and how much of the log existed then.
 *
 *   prompt {text}   words {text}   call {id, name, input}   answer {id, text, response, failed}
 *   finished {text}   aborted   compaction
 */

import { readClaude } from './claude-log.mjs'
import { readCodex } from './codex-log.mjs'
import { readGemini } from './gemini-log.mjs'

const READERS = { claude: readClaude, codex: readCodex, gemini: readGemini }

/**
 * Undefined if the file is not a transcript of a known agent.
 *
 * @param {string} text
 */
export function readLog(text) {
  const document = text.trimStart().startsWith('{\n') ? parse(text) : undefined
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const records = document === undefined ? lines.map((line) => parse(line) ?? {}) : [document]
  const agent = Object.keys(SIGNS).find((name) => records.some(SIGNS[name]))
  if (agent === undefined) return undefined
  const { moments, cwd, session, slice } = READERS[agent](records)
  const partOf =
    slice ??
    ((upTo) =>
      lines
        .slice(0, upTo)
        .map((line) => `${line}\n`)
        .join(''))
  return { agent, session, cwd, moments: withTimes(moments), partOf }
}

/** Recognizes each agent's log by features that only it has. */
const SIGNS = {
  codex: ({ type, payload }) => type === 'session_meta' && payload !== undefined,
  gemini: ({ projectHash, sessionId, kind }) =>
    sessionId !== undefined && kind !== 'subagent' && (projectHash ?? kind) !== undefined,
  claude: ({ type, sessionId, uuid }) =>
    sessionId !== undefined && uuid !== undefined && (type === 'user' || type === 'assistant'),
}

function parse(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** A moment without a time gets the time of the one before it. */
function withTimes(moments) {
  let last = moments.find(({ at }) => Number.isFinite(at))?.at ?? Date.UTC(2026, 0, 1)
  return moments.map((moment) => {
    if (Number.isFinite(moment.at)) last = Math.max(last, moment.at)
    return { ...moment, at: last }
  })
}
