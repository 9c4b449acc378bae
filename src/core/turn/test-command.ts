/**
 * The command that tests the work: the last one that ran and passed.
 *
 * The exit code after a pipe or a `;` belongs to another command. In that case the output must say that tests passed.
 * A run does not count as passed if its output reports a failure or that no test ran.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { foldLine } from '../text/markdown-to-text.ts'
import { shellCommands } from '../text/shell-commands.ts'
import { changedFiles } from './changed-files.ts'

const RUNNERS = [
  String.raw`(?:npm|pnpm|yarn|bun)(?: -\S+(?: (?!-|run |tests?\b)[\w@./-]+)?)* (?:(?:run )?test[\w:.-]*|t)`,
  'vitest|jest|mocha|ava|playwright test|cypress run|node --test|deno test',
  String.raw`node (?:\S*/)?(?:[\w.-]+[._-])?[Tt]ests?\.[cm]?js`,
  String.raw`(?:\S*/)?(?:test_\w+|\w+_tests?)\.py`,
  'pytest|tox|nox|unittest|manage\\.py test',
  'go test|gotestsum|cargo (?:test|nextest)|swift test|dotnet test|(?:flutter|dart) test|mix test|ctest|bats',
  'rspec|phpunit|pest|(?:rails|rake|composer|make|just|task|mise run|mise) (?:test|check)[\\w:.-]*',
  '(?:mvn|\\./mvnw|gradle|\\./gradlew)(?: \\S+)*? (?:test|verify|check)',
]
/** Options of a launcher that are followed by a value. */
const VALUED =
  '(?:--(?:with(?:-editable|-requirements)?|extra|group|package|python|project|directory|env-file)|-p) '
const OPTIONS = String.raw`(?: ${VALUED}\S+| (?!${VALUED})--?\w[\w-]*(?:=\S+)?)*`
const BEFORE = String.raw`(?:env |\w+=\S+ |(?:(?:npx|uvx|uv run|poetry run)${OPTIONS}|(?:pnpm|npm|yarn)(?: -\S+(?: (?!-)[\w@./-]+)?)* exec(?: --)?|corepack|yarn|bunx|bundle exec|python3? -m|python3?|\.\/|node_modules\/\.bin\/|vendor\/bin\/) ?)*`
const IS_TEST = new RegExp(`^${BEFORE}(?:${RUNNERS.join('|')})(?=\\s|$)`)

const FAILED = [
  /\b[1-9]\d* (?:tests? |specs? |suites? )?(?:failed|failing|failures?|errors?)\b/i,
  // Where a runner counts, and not at the end of a message such as `upload failed: 503`.
  /(?:^|[,(])[ \t]*(?:ℹ |# )?(?:failures|errors|failed|fail)[:=]? ?[1-9]/im,
  /^[ \t]*(?:FAIL|--- FAIL|not ok)\b/m,
  /\bFAILED\b|\bpanicked at\b|^Traceback \(most recent call last\)/m,
]
/** The runner's own count. It outweighs other lines of the log, which may report failures on purpose. */
const NONE_FAILED = /^[ \t]*(?:ℹ )?(?:0 fail|fail 0)\b/m
const NO_TEST_RAN =
  /\bno tests? (?:to run|found|ran|collected)\b|\bran 0 tests\b|\bno test files found\b/i
const PASSED =
  /\b[1-9]\d* (?:\w+, )?(?:tests? |specs? |examples? )?(?:passed|passing|pass)\b|^(?:ok|PASS|OK)\b|\btest result: ok\b|\ball tests pass|\b(?:0|no) (?:failures|failed|errors)\b|\bBUILD SUCCESS|\bpass(?:ed)?:? [1-9]|^[ \t]*0 fail$/im

/** Operators after which the exit code belongs to another command. */
const MASKING = new Set(['|', '||', ';', '&'])

/** Builds that skip the tests, and commands that only query the runner. */
const RUNS_NO_TEST =
  /\s(?:-x|--exclude-task)[ =]test\b|-DskipTests\b|-Dmaven\.test\.skip\b|\s--(?:version|help|list|collect-only|co)\b/

/** `env PATH=… `: takes the room of the command. */
const ENVIRONMENT = /^(?:env )?(?:\w+=(?:"[^"]*"|'[^']*'|\S+) )+/

/** UTF-16 units; anything longer is a script. */
const MAX_COMMAND = 160

export interface PassedTest {
  readonly command: string
  /** `42 passed`, as counted by the output; undefined if the output has no count, or if tests failed since. */
  readonly count?: string
  /** Files were changed after the run. */
  readonly isBeforeChanges?: true
}

export function lastPassedTest(entries: readonly TranscriptEntry[]): PassedTest | undefined {
  let hasFailed = false
  let isBeforeChanges = false
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'tool') continue
    isBeforeChanges ||= changedFiles(entry).some((file) => !PROSE.test(file))
    const { ran, label = '' } = entry
    const command = ran && passedIn(ran.command, ran.output)
    if (ran === undefined || command === undefined) {
      hasFailed ||= testOutcome(ran?.command ?? label.replaceAll('`', ''), ran?.output) === 'failed'
      continue
    }
    const count = hasFailed || isCut(ran) ? undefined : countIn(ran.output)
    return {
      command,
      ...(count !== undefined && { count }),
      ...(isBeforeChanges && { isBeforeChanges }),
    }
  }
  return undefined
}

/** A line of output that states the failure; lines of code do not match. */
const REASON =
  /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b: |\b[1-9]\d* (?:tests? )?(?:failed|failing)\b/
/** Output filters: `2>&1 | tail -5` */
const FILTER = /\s*(?:2>&1)?\s*\|\s*(?:tail|head|grep)\b[^|]*$/

/** Files that no test reads. */
const PROSE = /\.(?:md|mdx|txt|rst|adoc)$/i

/** The last test run, if it failed; undefined if anything else in its script may have failed instead. */
export function lastFailedTest(entries: readonly TranscriptEntry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'tool' || (entry.ran === undefined && entry.failed === undefined)) continue
    const script = entry.ran?.command ?? entry.label?.replaceAll('`', '') ?? ''
    const outcome = testOutcome(script, entry.ran?.output)
    if (outcome === 'failed' && NOT_RUN.test(entry.failed ?? '')) continue
    if (outcome === 'failed') {
      if (!isOnlyTest(script) || !hasFailed(entry)) return undefined
      const why =
        entry.failed ?? entry.ran?.output.split('\n').findLast((line) => REASON.test(line))
      const command = foldLine(script.replace(FILTER, ''))
      return why === undefined ? command : `${command} (${foldLine(why)})`
    }
    if (outcome !== undefined) return undefined
  }
  return undefined
}

/**
 * Judged by the exit code. A filter hides that code, so the runner's output is used instead; other logs may report
 * unrelated failures.
 */
function hasFailed({ ran, failed }: TranscriptEntry & { kind: 'tool' }): boolean {
  if (failed !== undefined || ran === undefined) return failed !== undefined
  return FILTER.test(ran.command) && VERDICT.test(ran.output) && !NO_FAILURE.test(ran.output)
}

const VERDICT =
  /^Traceback \(most recent call last\)|^[ \t]*(?:FAIL|--- FAIL|not ok)\b|\btests?:?\s+[1-9]\d* failed\b|\b[1-9]\d* (?:tests? )?failed\b(?=[,;.| ])/im
const NO_FAILURE = /\b0 (?:fail|failed|failures)\b/i

/** The user or the program prevented the run or stopped it early, or there was no such program. */
const NOT_RUN =
  /permission|denied|reject|abort|interrupt|cancel|time(?:d )?.?out|failed to spawn|command not found/i

/** The script contains nothing else that may fail. A label that ends with `…` is cut, so the rest is unknown. */
function isOnlyTest(script: string): boolean {
  const commands = shellCommands(script.replace(FILTER, ''))
  const others = commands.filter(({ text }) => !IS_TEST.test(text) && !SETS_UP.test(text))
  return others.length === 0 && !script.endsWith('…')
}

const SETS_UP = /^(?:cd|export|source|set|\.)\s|^\w+=\S*$|^$/

/** Counts tests only. Runners also count files, suites, and snapshots. */
const COUNT = /(?<![\d,.])[1-9]\d* (?:tests? |specs? |examples? )?(?:passed|passing|pass)\b/i
const NOT_TESTS = /\b(?:files?|suites?|snapshots?)\b/i
/** `api test:  3 pass`: one of several packages. */
const OF_PACKAGE = /^\S+[ :]test\S*: /

interface Ran {
  readonly command: string
  readonly output: string
}

/**
 * Cargo counts each program by itself, and a filter may leave only the last of them. Not if the output has the start of
 * the run, or if the command names the one test that is in it.
 */
function isCut({ command, output }: Ran): boolean {
  if (!FILTER.test(command) || !/^test result:/m.test(output)) return false
  if (/^ *Finished `?test\b/m.test(output) && !/\| *head\b/.test(command)) return false
  const [name, ...others] = [...output.matchAll(/^test (\S+) \.\.\. ok$/gm)].map((line) => line[1])
  const isNamed = (word: string) => `::${name}`.endsWith(`::${word}`)
  return name === undefined || others.length > 0 || !command.split(/\s+/).some(isNamed)
}

/** Undefined if the output contains several runs, because none of them has the total. */
function countIn(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => COUNT.test(line) && !NOT_TESTS.test(line))
  const [line = '', ...others] = lines
  return others.length > 0 || OF_PACKAGE.test(line)
    ? undefined
    : COUNT.exec(line)?.[0].toLowerCase()
}

/**
 * The outcome of the tests that a script ran, as far as its output shows; undefined if it ran none. A script without
 * output has failed.
 */
export function testOutcome(
  script: string,
  output: string | undefined,
): 'passed' | 'failed' | 'unknown' | undefined {
  if (!shellCommands(script).some(({ text }) => IS_TEST.test(text) && !RUNS_NO_TEST.test(text)))
    return undefined
  if (output === undefined || reportsFailure(script, output)) return 'failed'
  return passedIn(script, output) === undefined ? 'unknown' : 'passed'
}

function reportsFailure(script: string, output: string): boolean {
  const runs = shellCommands(script).filter(({ text }) => IS_TEST.test(text))
  if (runs.length === 1 && NONE_FAILED.test(output)) return false
  return FAILED.some((sign) => sign.test(output))
}

function passedIn(script: string, output: string): string | undefined {
  const commands = shellCommands(script)
  const at = commands.findLastIndex(({ text }) => IS_TEST.test(text))
  // Of `pytest || unittest` it is unknown which one passed.
  const other = commands[at - 1]
  const isEither = other?.operator === '||' && IS_TEST.test(other.text)
  const texts = commands.slice(isEither ? at - 1 : at, at + 1).map(({ text }) => text)
  const whole = texts
    .join(' || ')
    .replace(/\s+(?:[12&]?>>?\s?(?:&[12]|\S+))/g, '')
    .trim()
  const command = whole.replace(whole.length > MAX_COMMAND ? ENVIRONMENT : '', '')
  if (at === -1 || foldLine(command) === '' || command.length > MAX_COMMAND) {
    return undefined
  }
  if (RUNS_NO_TEST.test(command)) return undefined
  // A quote is unbalanced: this is not a command that can be shown to others.
  if ((command.match(/["'`]/g) ?? []).length % 2 === 1) return undefined
  const isMasked = commands.slice(at).some(({ operator }) => MASKING.has(operator))
  if (reportsFailure(script, output) || NO_TEST_RAN.test(output)) return undefined
  return isMasked && !PASSED.test(output) ? undefined : foldLine(command)
}
