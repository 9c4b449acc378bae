/**
 * How many tokens a session may hold before its agent compacts it, or refuses to go on.
 *
 * Levels count to this limit, not to the window: compaction comes well below the window's end, so that a
 * share of the window would warn after it. Measured on Claude Code 2.1 (docs/context.md).
 */

import { isObject } from '../text/json-values.ts'

/** Between the window's end and the point at which Claude Code compacts by itself, in tokens. */
const COMPACTION_RESERVE = 33_000

/** What Claude Code takes off the window before it applies a percentage. */
const PERCENT_RESERVE = 20_000

/** With compaction switched off: what is left when the program refuses to go on. */
const REFUSAL_RESERVE = 23_000

/** What a person set about compaction, wherever it was set. */
export interface CompactionSettings {
  /** `CLAUDE_CODE_AUTO_COMPACT_WINDOW`, `autoCompactWindow`: tokens. */
  readonly window?: number | undefined
  /** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`: 1 to 100. Some releases ignore it, so it only ever lowers. */
  readonly percent?: number | undefined
  /** `DISABLE_AUTO_COMPACT`, `DISABLE_COMPACT`, `autoCompactEnabled: false`. */
  readonly isOff?: boolean | undefined
}

/**
 * Tokens, at least 1. `window`: the model's, in tokens.
 *
 * A window that is set counts where it is the smaller one. Small windows keep a half of themselves, so that
 * no reserve leaves nothing.
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

/** What is known of the agent's window and of what a person set. */
export interface KnownLimits {
  /** The model's window in tokens; undefined where nothing says it. */
  readonly window: number | undefined
  /** `context.limit`: it decides alone. */
  readonly set?: number | undefined
  readonly compaction?: CompactionSettings | undefined
}

/** Undefined where nobody knows the window, and nobody set a limit. `agent`: its record's name. */
export function limitOf(
  agent: string | undefined,
  { window, set, compaction }: KnownLimits,
): number | undefined {
  if (set !== undefined || window === undefined) return set
  if (agent === 'claude') return effectiveLimit(window, compaction)
  // When Gemini compresses is not measured: its window is what is known.
  return agent === 'codex' ? codexLimit(window) : window
}

/** Codex reports 95 % of its window as the window, and compacts at 90 % of it. Tokens. */
function codexLimit(reportedWindow: number): number {
  return Math.max(Math.floor((reportedWindow * 90) / 95), 1)
}

/**
 * Reads what a person set. The environment is asked first, then the settings files, the most particular
 * one first; their `env` block counts as environment. What does not fit is as good as not set.
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
