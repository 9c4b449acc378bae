/**
 * How many tokens a session may hold before its agent compacts it or refuses to continue.
 *
 * Levels are based on this limit and not on the window, because compaction comes well before the end of the window:
 * a level based on the window would warn too late. Measured on Claude Code 2.1 (docs/context.md).
 */

import { isObject } from '../text/json-values.ts'

/** Tokens between the point at which Claude Code compacts automatically and the end of the window. */
const COMPACTION_RESERVE = 33_000

/** Tokens that Claude Code subtracts from the window before it applies a percentage. */
const PERCENT_RESERVE = 20_000

/** Tokens that are left, with compaction switched off, when the program refuses to continue. */
const REFUSAL_RESERVE = 23_000

/** Compaction settings of the user, from any place. */
export interface CompactionSettings {
  /** `CLAUDE_CODE_AUTO_COMPACT_WINDOW`, `autoCompactWindow`: tokens. */
  readonly window?: number | undefined
  /** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`: 1 to 100. Some releases ignore it, so it only ever lowers. */
  readonly percent?: number | undefined
  /** `DISABLE_AUTO_COMPACT`, `DISABLE_COMPACT`, `autoCompactEnabled: false`. */
  readonly isOff?: boolean | undefined
}

/**
 * The limit in tokens, at least 1. `window`: the model's window, in tokens.
 *
 * A window in the settings counts only if it is smaller. At least half of a window remains, so that no reserve takes
 * all of a small one.
 */
export function effectiveLimit(window: number, settings: CompactionSettings = {}): number {
  const whole = Math.min(window, settings.window ?? window)
  const less = (reserve: number) => Math.max(whole - reserve, Math.ceil(whole / 2), 1)
  if (settings.isOff === true) return less(REFUSAL_RESERVE)
  const { percent } = settings
  if (percent === undefined) return less(COMPACTION_RESERVE)
  const asked = Math.floor(((whole - PERCENT_RESERVE) * percent) / 100)
  return Math.max(Math.min(asked, less(COMPACTION_RESERVE)), 1)
}

/** The agent's window and the user's settings, as far as they are known. */
export interface KnownLimits {
  /** The model's window in tokens; undefined if unknown. */
  readonly window: number | undefined
  /** `context.limit`; overrides everything else. */
  readonly set?: number | undefined
  readonly compaction?: CompactionSettings | undefined
}

/** The limit in tokens; undefined if the window is unknown and no limit is set. `agent`: name of its record. */
export function limitOf(
  agent: string | undefined,
  { window, set, compaction }: KnownLimits,
): number | undefined {
  if (set !== undefined || window === undefined) return set
  if (agent === 'claude') return effectiveLimit(window, compaction)
  // Codex reports 95 % of its real window, and compacts at 90 % of the real window.
  if (agent === 'codex') return Math.max(Math.floor((window * 90) / 95), 1)
  // When Gemini compresses was not measured, so its window is used.
  return window
}

/**
 * Reads the user's settings: first from the environment, then from the settings files, the most specific file first.
 * The `env` block of a file counts as environment. Invalid values are ignored.
 */
export function readCompactionSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settingsFiles: readonly unknown[] = [],
): CompactionSettings {
  const files = settingsFiles.filter(isObject)
  const blocks = [environment, ...files.map(({ env }) => env).filter(isObject)]
  const variable = (name: string) => first(blocks, name)
  const window = positive(
    variable('CLAUDE_CODE_AUTO_COMPACT_WINDOW') ?? first(files, 'autoCompactWindow'),
  )
  const percent = positive(variable('CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'))
  return {
    window,
    percent: percent !== undefined && percent <= 100 ? percent : undefined,
    isOff:
      isTrue(variable('DISABLE_AUTO_COMPACT')) ||
      isTrue(variable('DISABLE_COMPACT')) ||
      first(files, 'autoCompactEnabled') === false,
  }
}

function first(objects: readonly Readonly<Record<string, unknown>>[], name: string): unknown {
  return objects.find((object) => object[name] !== undefined && object[name] !== '')?.[name]
}

function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

function isTrue(value: unknown): boolean {
  return ['1', 'true', 'yes', 'on'].includes(String(value).toLowerCase())
}
