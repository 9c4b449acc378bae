import { describe, expect, test } from 'vitest'
import { readContextUsage, windowOfModel } from '../../../src/core/agents/context-usage.ts'

const line = (record: unknown) => JSON.stringify(record)

describe('Claude Code', () => {
  const response = (usage: object, rest: object = {}) =>
    line({
      type: 'assistant',
      isSidechain: false,
      message: { model: 'claude-opus-4-5', role: 'assistant', content: [], usage },
      ...rest,
    })
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 2000,
    cache_read_input_tokens: 150_000,
    output_tokens: 900,
  }

  test('reads the newest response, with cached tokens and without output tokens', () => {
    const older = response({ input_tokens: 3 })
    expect(
      readContextUsage('claude-code', [older, response(usage), line({ type: 'user' })]),
    ).toEqual({ tokens: 152_010, model: 'claude-opus-4-5', window: undefined, isCompaction: false })
  })

  test('ignores the responses of subagents and responses without tokens', () => {
    const side = response({ input_tokens: 190_000 }, { isSidechain: true })
    const synthetic = response({ input_tokens: 0, output_tokens: 0 })
    expect(readContextUsage('claude', [response(usage), side, synthetic])?.tokens).toBe(152_010)
  })

  test('ignores everything before a compaction', () => {
    const boundary = line({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto', preTokens: 155_250, postTokens: 18_000 },
    })
    const compacted = { tokens: 18_000, isCompaction: true }
    expect(readContextUsage('claude', [response(usage), boundary])).toMatchObject(compacted)
    const after = [response(usage), boundary, response({ input_tokens: 21_000 })]
    expect(readContextUsage('claude', after)?.tokens).toBe(21_000)
  })

  test('reports a compaction by an older release without the tokens that it left', () => {
    const boundary = line({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto', preTokens: 155_250 },
    })
    expect(readContextUsage('claude', [boundary])).toMatchObject({ tokens: 0, isCompaction: true })
  })

  test('does not treat text about usage as usage', () => {
    const prompt = line({ type: 'user', message: { content: 'the "usage" of "compact_boundary"' } })
    expect(readContextUsage('claude', [prompt, '{"usage": broken', ''])).toBeUndefined()
  })
})

describe('Codex', () => {
  const tokens = (info: unknown) =>
    line({ type: 'event_msg', payload: { type: 'token_count', info } })
  const info = {
    total_token_usage: { input_tokens: 900_000, total_tokens: 950_000 },
    last_token_usage: {
      input_tokens: 100_000,
      cached_input_tokens: 90_000,
      output_tokens: 500,
      total_tokens: 100_500,
    },
    model_context_window: 258_400,
  }

  test('reads the last response, never the total', () => {
    expect(readContextUsage('codex', [tokens(info)])).toMatchObject({
      tokens: 100_500,
      window: 258_400,
    })
  })

  test('skips records without numbers', () => {
    const empty = tokens({ ...info, last_token_usage: {} })
    expect(readContextUsage('codex', [tokens(info), tokens(null), empty])?.tokens).toBe(100_500)
  })

  test('ignores everything before a compaction', () => {
    const compacted = line({ type: 'compacted', payload: { message: 'a summary' } })
    expect(readContextUsage('codex', [tokens(info), compacted])?.isCompaction).toBe(true)
  })
})

describe('Gemini CLI', () => {
  const message = {
    type: 'gemini',
    model: 'gemini-3-pro',
    tokens: { input: 900, cached: 500, output: 100, total: 1000 },
  }

  test('reads a message on its own line, or the newest message of a snapshot', () => {
    expect(readContextUsage('gemini', [line(message)])).toMatchObject({
      tokens: 1000,
      model: 'gemini-3-pro',
    })
    const snapshot = {
      $set: {
        messages: [message, { ...message, tokens: { total: 2000 } }, { type: 'user' }, null],
      },
    }
    expect(readContextUsage('gemini', [line(snapshot)])?.tokens).toBe(2000)
  })
})

test('reads nothing for an unknown agent', () => {
  expect(readContextUsage('aider', ['{"usage":{"input_tokens":5}}'])).toBeUndefined()
})

test.each([
  ['claude-opus-4-5-20251101', 200_000],
  ['us.anthropic.claude-sonnet-4-5', 200_000],
  ['claude-sonnet-4-5[1m]', 1_000_000],
  ['claude-sonnet-5', 1_000_000],
  ['gemini-2.5-pro', 1_048_576],
  ['gpt-5.5', undefined],
])('knows the context window of %s: %s', (model, window) => {
  expect(windowOfModel(model)).toBe(window)
})
