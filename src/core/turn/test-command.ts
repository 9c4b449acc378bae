/**
 * The command that tests the work: the last one that ran and passed.
 *
 * An exit code behind a pipe or a `;` is another command's: then the output must say that tests passed.
 * An output that tells of a failure, or of no test, counts as none.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { foldLine } from '../text/markdown-to-text.ts'
import { shellCommands } from '../text/shell-commands.ts'
import { changedFiles } from './changed-files.ts'

const RUNNERS = [
  String.raw`(?:npm|pnpm|yarn|bun)(?: --?\S+)* (?:(?:run )?test[\w:.-]*|t)`,
  'vitest|jest|mocha|ava|playwright test|cypress run|node --test|deno test',
  String.raw`node (?:\S*/)?(?:[\w.-]+[._-])?[Tt]ests?\.[cm]?js`,
  String.raw`(?:\S*/)?(?:test_\w+|\w+_tests?)\.py`,
  'pytest|tox|nox|unittest|manage\\.py test',
  'go test|gotestsum|cargo (?:test|nextest)|swift test|dotnet test|mix test|ctest|bats',
  'rspec|phpunit|pest|(?:rails|rake|composer|make|just|task|mise run|mise) (?:test|check)[\\w:.-]*',
  '(?:mvn|\\./mvnw|gradle|\\./gradlew)(?: \\S+)*? (?:test|verify|check)',
]
const BEFORE = String.raw`(?:\w+=\S+ |(?:npx|pnpm exec|yarn|bunx|uv run|poetry run|bundle exec|python3? -m|python3?|\.\/|(?:\.\/)?node_modules\/\.bin\/|vendor\/bin\/) ?)*`
const IS_TEST = new RegExp(`^${BEFORE}(?:${RUNNERS.join('|')})(?=\\s|$)`)

const FAILED = [
  /\b[1-9]\d* (?:tests? |specs? |suites? )?(?:failed|failing|failures?|errors?)\b/i,
  /\b(?:failures|errors|failed|fail): ?[1-9]/i,
  /^\s*(?:FAIL|--- FAIL|not ok)\b/m,
  /\bFAILED\b|\bpanicked at\b|^Traceback \(most recent call last\)/m,
]
const NONE = /\bno tests? (?:to run|found|ran|collected)\b|\bran 0 tests\b|\bno test files found\b/i
const PASSED =
  /\b[1-9]\d* (?:\w+, )?(?:tests? |specs? |examples? )?(?:passed|passing|pass)\b|^(?:ok|PASS|OK)\b|\btest result: ok\b|\ball tests pass|\b(?:0|no) (?:failures|failed|errors)\b|\bBUILD SUCCESS|\bpass(?:ed)?:? [1-9]/im

/** Operators behind which the exit code is another command's. */
const MASKING = new Set(['|', '||', ';', '&'])

/** Builds that leave the tests out, and questions to the runner. */
const WITHOUT =
  /\s(?:-x|--exclude-task)[ =]test\b|-DskipTests\b|-Dmaven\.test\.skip\b|\s--(?:version|help|list|collect-only|co)\b/

/** UTF-16 units; a longer one is a script. */
const MAX_COMMAND = 160

export interface PassedTest {
  readonly command: string
  /** `42 passed`, as its output counts them; undefined where it does not, or tests failed since. */
  readonly count?: string
  /** Files were changed after it. */
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
    const count = hasFailed ? undefined : countIn(ran.output)
    return {
      command,
      ...(count !== undefined && { count }),
      ...(isBeforeChanges && { isBeforeChanges }),
    }
  }
  return undefined
}

/** Not a line of code in it. */
const WHY = /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b: |\b[1-9]\d* (?:tests? )?(?:failed|failing)\b/
/** `2>&1 | tail -5` */
const FILTER = /\s*(?:2>&1)?\s*\|\s*(?:tail|head|grep)\b[^|]*$/

/** What no test reads. */
const PROSE = /\.(?:md|mdx|txt|rst|adoc)$/i

/** The last run of tests, where it failed; undefined where anything else in its script may have. */
export function lastFailedTest(entries: readonly TranscriptEntry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'tool' || (entry.ran === undefined && entry.failed === undefined)) continue
    const script = entry.ran?.command ?? entry.label?.replaceAll('`', '') ?? ''
    const outcome = testOutcome(script, entry.ran?.output)
    if (outcome === 'failed' && NOT_RUN.test(entry.failed ?? '')) continue
    if (outcome === 'failed') {
      if (!isOnlyTest(script) || !hasFailed(entry)) return undefined
      const why = entry.failed ?? entry.ran?.output.split('\n').findLast((line) => WHY.test(line))
      const command = foldLine(script.replace(FILTER, ''))
      return why === undefined ? command : `${command} (${foldLine(why)})`
    }
    if (outcome === 'passed') return undefined
  }
  return undefined
}

/** By its exit code; behind a filter, which has one of its own, by what a runner prints. Logs tell of other failures. */
function hasFailed({ ran, failed }: TranscriptEntry & { kind: 'tool' }): boolean {
  if (failed !== undefined || ran === undefined) return failed !== undefined
  return FILTER.test(ran.command) && VERDICT.test(ran.output) && !NO_FAILURE.test(ran.output)
}

const VERDICT =
  /^Traceback \(most recent call last\)|^\s*(?:FAIL|--- FAIL|not ok)\b|\btests?:?\s+[1-9]\d* failed\b|\b[1-9]\d* (?:tests? )?failed\b(?=[,;.| ])/im
const NO_FAILURE = /\b0 (?:fail|failed|failures)\b/i

/** The user or the program did not let it run, or not to its end. */
const NOT_RUN = /permission|denied|reject|abort|interrupt|cancel|time(?:d )?.?out/i

/** Nothing runs beside it that may fail; a label may be cut. */
function isOnlyTest(script: string): boolean {
  const commands = shellCommands(script.replace(FILTER, ''))
  const others = commands.filter(({ text }) => !IS_TEST.test(text) && !SETS_UP.test(text))
  return others.length === 0 && !script.endsWith('…')
}

const SETS_UP = /^(?:cd|export|source|set|\.)\s|^\w+=\S*$|^$/

/** Of files, suites and snapshots there are others. */
const COUNT = /(?<![\d,.])[1-9]\d* (?:tests? |specs? |examples? )?(?:passed|passing)\b/i
const NO_COUNT = /\b(?:files?|suites?|snapshots?)\b/i

/** Of several runs at once none says how many there were. */
function countIn(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => COUNT.test(line) && !NO_COUNT.test(line))
  return lines.length === 1 ? COUNT.exec(lines[0] ?? '')?.[0].toLowerCase() : undefined
}

/**
 * What came of the tests that a script ran, as far as its output tells; undefined where it ran none. Without
 * an output the script failed.
 */
export function testOutcome(
  script: string,
  output: string | undefined,
): 'passed' | 'failed' | 'unknown' | undefined {
  if (!shellCommands(script).some(({ text }) => IS_TEST.test(text) && !WITHOUT.test(text)))
    return undefined
  if (output === undefined || FAILED.some((sign) => sign.test(output))) return 'failed'
  return passedIn(script, output) === undefined ? 'unknown' : 'passed'
}

function passedIn(script: string, output: string): string | undefined {
  const commands = shellCommands(script)
  const at = commands.findLastIndex(({ text }) => IS_TEST.test(text))
  const command = commands[at]?.text.replace(/\s+(?:[12&]?>>?\s?(?:&[12]|\S+))/g, '').trim()
  if (command === undefined || foldLine(command) === '' || command.length > MAX_COMMAND) {
    return undefined
  }
  if (WITHOUT.test(command)) return undefined
  // A quote is not closed: no command that can be given to another.
  if ((command.match(/["'`]/g) ?? []).length % 2 === 1) return undefined
  const isMasked = commands.slice(at).some(({ operator }) => MASKING.has(operator))
  if (FAILED.some((sign) => sign.test(output)) || NONE.test(output)) return undefined
  return isMasked && !PASSED.test(output) ? undefined : foldLine(command)
}
