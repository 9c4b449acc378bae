import { expect, test } from 'vitest'
import { paintFor } from '../../src/cli/command/paint.ts'

const CASES: readonly (readonly [env: Record<string, string>, tty: boolean, coloured: boolean])[] =
  [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: '' }, false, false],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  ]

test.each(CASES)('%j, on a terminal: %s; colours: %s', (env, tty, coloured) => {
  expect(paintFor(env, tty).red('x')).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x')
})
