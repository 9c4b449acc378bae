import { expect, test } from 'vitest'
import { readStatusInput } from '../../../src/core/context/status-input.ts'

const input = (about: object) =>
  readStatusInput(
    JSON.stringify({
      session_id: 's1',
      transcript_path: '/home/ann/t.jsonl',
      cwd: '/repo',
      model: { id: 'claude-sonnet-5', display_name: 'Sonnet' },
      workspace: { current_dir: '/repo/web', project_dir: '/repo' },
      context_window: about,
    }),
  )

test('reads tokens of the last response, window and percentage', () => {
  const about = {
    total_input_tokens: 300_000,
    context_window_size: 1_000_000,
    used_percentage: 14.9,
    remaining_percentage: 85.1,
    current_usage: {
      input_tokens: 9,
      output_tokens: 700,
      cache_creation_input_tokens: 1000,
      cache_read_input_tokens: 148_000,
    },
  }
  expect(input(about)).toEqual({
    session: 's1',
    project: '/repo',
    model: 'claude-sonnet-5',
    window: 1_000_000,
    tokens: 149_009,
    percent: 14,
  })
})

test('knows only the window before the first reply: null is not 0', () => {
  const about = {
    total_input_tokens: 0,
    context_window_size: 200_000,
    used_percentage: null,
    current_usage: null,
  }
  expect(input(about)).toMatchObject({ window: 200_000, tokens: undefined, percent: undefined })
})

test('accepts a percentage alone', () => {
  expect(input({ context_window_size: 200_000, used_percentage: 42 })).toMatchObject({
    tokens: 84_000,
  })
  expect(input({ used_percentage: 42 })).toMatchObject({ tokens: undefined, percent: 42 })
})

test('rejects other input, and ignores invalid numbers', () => {
  for (const text of ['', '[]', 'null', '{', '{"session_id": 4}', '{"session_id": "../x"}']) {
    expect(readStatusInput(text)).toBeUndefined()
  }
  expect(input({ context_window_size: '1e9', current_usage: { input_tokens: -1 } })).toMatchObject({
    window: undefined,
    tokens: undefined,
  })
})
