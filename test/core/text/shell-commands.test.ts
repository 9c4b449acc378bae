/** Scripts as agents write them, split into commands. */

import { expect, test } from 'vitest'
import { shellCommands } from '../../../src/core/text/shell-commands.ts'

/** Each command, and the operator that ends it. */
test.each<[string, string[]]>([
  [
    'a && b||c | d;e & f\n\ng',
    ['a', '&&', 'b', '||', 'c', '|', 'd', ';', 'e', '&', 'f', '\n', 'g', ''],
  ],
  ['(cd web; npm test) | b', ['', '(', 'cd web', ';', 'npm test', ')', '', '|', 'b', '']],
  ['a &&\n  b \\\n  --c', ['a', '&&', 'b    --c', '']],
  ['a 2>&1 &>out', ['a 2>&1 &>out', '']],
  [`a "b; c" 'd && e' f\\;g`, [`a "b; c" 'd && e' f\\;g`, '']],
  ['a $(b; c) <(d)', ['a $(b; c) <(d)', '']],
  ["# don't\na # b; c\n# it's", ['', '\n', 'a', '\n', '', '']],
  [
    `git commit -m "$(cat <<'X'\nfix "it"; x\nX\n)" && b`,
    [`git commit -m "$(cat <<'X'\n)"`, '&&', 'b', ''],
  ],
  ['cat <<EOF > f; a\nb\n  EOF\nc <<<d', ['cat <<EOF > f', ';', 'a', '\n', 'c <<<d', '']],
  ['a "b; c', ['a "b', ';', 'c', '']],
])('%j', (script, expected) => {
  expect(shellCommands(script).flatMap(({ text, operator }) => [text, operator])).toEqual(expected)
})

test('removes quotes from words', () => {
  const [command] = shellCommands(`a"b c"'d' \\e "f\\"g\\h"`)
  expect(command?.words).toEqual(['ab cd', 'e', 'f"g\\h'])
})
