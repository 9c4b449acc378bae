/**
 * The input that an agent gives to its status line, the only place where a program reports how full its context is
 * and how large its window is. Interactive runs only. Never throws; null or missing values are undefined, not 0.
 */

import { isSessionId } from '../session/session-state.ts'
import type { Fields } from '../text/json-fields.ts'
import { fieldsIn, own, parseFields, textIn } from '../text/json-fields.ts'

export interface StatusInput {
  readonly session: string
  /** The folder that the program was started in. */
  readonly project: string | undefined
  readonly model: string | undefined
  /** Tokens. */
  readonly window: number | undefined
  /** Tokens in the context; undefined before the first reply. */
  readonly tokens: number | undefined
  /** Percent of the window, as the program shows it. */
  readonly percent: number | undefined
}

/** Undefined for a text that is not such an input, or that names no session. */
export function readStatusInput(text: string): StatusInput | undefined {
  const input = parseFields(text.replace(/^\ufeff/, ''))
  const session = input && textIn(input, 'session_id')
  if (input === undefined || session === undefined || !isSessionId(session)) return undefined
  const about = fieldsIn(input, 'context_window')
  const window = positive(about, 'context_window_size')
  const percent = percentIn(about)
  return {
    session,
    project: textIn(fieldsIn(input, 'workspace'), 'project_dir'),
    model: textIn(fieldsIn(input, 'model'), 'id'),
    window,
    tokens: tokensIn(about, window, percent),
    percent,
  }
}

/**
 * The totals are cumulative in older releases, so the input of the last response is used as the context. If only a
 * percentage is given, the result is approximate.
 */
function tokensIn(
  about: Fields,
  window: number | undefined,
  percent: number | undefined,
): number | undefined {
  const usage = fieldsIn(about, 'current_usage')
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
  const tokens = parts.reduce((sum, part) => sum + (positive(usage, part) ?? 0), 0)
  if (tokens > 0) return tokens
  if (window === undefined || percent === undefined) return undefined
  return Math.floor((window * percent) / 100) || undefined
}

function percentIn(about: Fields): number | undefined {
  const value = own(about, 'used_percentage')
  const isPercent = typeof value === 'number' && Number.isFinite(value) && value >= 0
  return isPercent ? Math.floor(value) : undefined
}

function positive(fields: Fields, key: string): number | undefined {
  const value = own(fields, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
