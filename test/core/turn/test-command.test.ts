/** Which command of a session tested the work, judged by the command and its output. */

import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { lastFailedTest, lastPassedTest, testOutcome } from '../../../src/core/turn/test-command.ts'

const ran = (command: string, output: string): TranscriptEntry => ({
  kind: 'tool',
  tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined, command },
  label: `\`${command}\``,
  ran: { command, output },
})

describe('a test log with intended failures', () => {
  const LOG = 'Retry 2 failed: 84 left\n'

  test.each([
    ['bun', 'bun test', `${LOG} 98 pass\n 0 fail\n`, '98 pass'],
    ['node', 'node --test', `${LOG}ℹ pass 98\nℹ fail 0\n`, undefined],
  ])('passes if %s counted no failures', (_, command, output, count) => {
    expect(lastPassedTest([ran(command, output)])).toEqual({ command, ...(count && { count }) })
    expect(testOutcome(command, output)).toBe('passed')
  })

  test('fails if the runner counted a failure, or nothing', () => {
    expect(testOutcome('bun test', `${LOG} 97 pass\n 1 fail\n`)).toBe('failed')
    expect(testOutcome('bun test', LOG)).toBe('failed')
    expect(testOutcome('bun test', ' 97 pass\n 10 fail\n 2 failed\n')).toBe('failed')
  })

  test('passes if a message of the program ends with an error code', () => {
    expect(testOutcome('npm test', 'upload failed: 503\nAll tests passed (29)\n')).toBe('passed')
  })

  test.each(['Tests: 9, Failures: 1, Errors: 0.', 'FAILED (errors=2)', '# fail 3', 'failed: 1'])(
    'fails if a runner counts: %s',
    (line) => {
      expect(testOutcome('npm test', `9 passed\n${line}\n`)).toBe('failed')
    },
  )

  test('fails if only one of two runners counted no failures', () => {
    expect(testOutcome('bun test; npx vitest run', ' 98 pass\n 0 fail\n 2 failed\n')).toBe('failed')
  })
})

/** What cargo prints when it begins to run what it compiled. */
const RUN =
  '    Finished `test` profile [unoptimized + debuginfo] target(s) in 4.35s\n     Running unittests\n'

test('reports no count of a runner that counts per program if a filter may have cut off others', () => {
  const output = 'test result: ok. 35 passed; 0 failed'
  expect(lastPassedTest([ran('cargo test', output)])).toMatchObject({ count: '35 passed' })
  expect(lastPassedTest([ran('cargo test 2>&1 | tail -15', output)])).not.toHaveProperty('count')
  expect(lastPassedTest([ran('pytest -q | tail -3', '35 passed in 1s')])).toMatchObject({
    count: '35 passed',
  })
})

test.each([
  ['cargo test reads_all 2>&1 | tail -4', '', 'reads_all', '1 passed'],
  ['cargo test file::tests::reads_all 2>&1 | tail -4', '', 'reads_all', '1 passed'],
  // Others may match, too, in programs that the filter cut off.
  ['cargo test reads 2>&1 | tail -4', '', 'reads_all', undefined],
  ['cargo test reads 2>&1 | tail -9', RUN, 'reads_all', '1 passed'],
  ['cargo test reads 2>&1 | head -9', RUN, 'reads_all', undefined],
])('counts what cargo ran under %s after %j', (command, start, name, count) => {
  const output = `${start}running 1 test\ntest file::tests::${name} ... ok\n\ntest result: ok. 1 passed; 0 failed; 41 filtered out`
  expect(lastPassedTest([ran(command, output)])?.count).toBe(count)
})

test('names both of two commands if it is unknown which one passed', () => {
  const named = (command: string) => lastPassedTest([ran(command, '7 passed')])?.command
  const both = 'pytest -q || python3 -m unittest'
  expect(named(`cd api && ${both} 2>&1`)).toBe(both)
  expect(named('which pytest || python3 -m unittest')).toBe('python3 -m unittest')
})

test('reports no count of one package among several', () => {
  const output = '@shop/api test:  12 pass\n@shop/api test:  0 fail\n'
  expect(lastPassedTest([ran('bun run test', output)])).toEqual({ command: 'bun run test' })
  expect(lastPassedTest([ran('bun run test', ' 12 pass\n 0 fail\n')])).toMatchObject({
    count: '12 pass',
  })
})

test('counts a run that was cut to its last lines as passed, without the count of an earlier one', () => {
  const runs = [
    ran('bun test', ' 12 pass\n 0 fail\n'),
    ran('bun test | tail -2', ' 0 fail\nRan 12\n'),
  ]
  expect(lastPassedTest(runs)).toEqual({ command: 'bun test' })
})

test('says nothing of a failure before a run with an unknown result', () => {
  const failed = ran('jest | tail -3', 'Tests: 2 failed, 3 passed')
  expect(lastFailedTest([failed])).toMatch(/^jest /)
  expect(lastFailedTest([failed, ran('jest | grep Time', 'Time: 3 s')])).toBeUndefined()
})

test('says nothing of a runner that is not there', () => {
  const missing = (command: string, failed: string): TranscriptEntry => ({
    kind: 'tool',
    tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined },
    label: `\`${command}\``,
    failed,
  })
  const spawn = missing('uv run pytest', 'Exit code 2, error: Failed to spawn: `pytest`')
  const shell = missing('pytest', 'Exit code 127, zsh: command not found: pytest')
  expect(lastFailedTest([spawn, shell])).toBeUndefined()
  const failed = ran('jest | tail -3', 'Tests: 2 failed, 3 passed')
  expect(lastFailedTest([failed, spawn])).toMatch(/^jest /)
})

test('omits a long environment before the runner, and keeps a short one', () => {
  const runner = './node_modules/.bin/vitest run test/policy.test.ts'
  const long = `env PATH=/opt/${'x'.repeat(200)}/bin:$PATH CI=1 ${runner}`
  expect(lastPassedTest([ran(long, '94 passed')])?.command).toBe(runner)
  expect(lastPassedTest([ran(`CI=1 ${runner}`, 'ok')])?.command).toBe(`CI=1 ${runner}`)
})

test.each([
  ['pnpm --filter api test', true],
  ['pnpm --filter @shop/api run test', true],
  ['npm -w api test', true],
  ['pnpm --filter api exec jest', true],
  ['npm exec -- vitest run', true],
  ['corepack pnpm run test', true],
  ['pnpm --filter api exec tsc', false],
  ['npm --silent test', true],
  ['npm --prefix web run test:unit', true],
  ['npm --prefix web install', false],
  ['npm install test', false],
  ['uv run pytest', true],
  ['uv run --with pytest pytest', true],
  ['uv run --with pytest --extra=dev -q pytest', true],
  ['uv run --with pytest python app.py', false],
  ['uv run -m pytest', true],
  ['uvx pytest', true],
  ['poetry run -q pytest', true],
  ['npx --yes vitest run', true],
  ['npx -p jest tsc', false],
])('recognizes a test command, %s: %s', (command, isTest) => {
  expect(lastPassedTest([ran(command, 'ok')])?.command).toBe(isTest ? command : undefined)
})

test.each([
  ['pnpm', ' -a'],
  ['pnpm', ' --a b'],
  ['pnpm', ' exec'],
  ['', 'corepack yarn exec '],
  ['uv run', ' --with a'],
  ['npx', ' -a'],
  ['npx', ' --a'],
  ['', './node_modules/.bin/'],
])('judges a command of %j and very many of %j', (start, words) => {
  expect(testOutcome(`${start}${words.repeat(20_000)} x`, 'ok')).toBeUndefined()
})
