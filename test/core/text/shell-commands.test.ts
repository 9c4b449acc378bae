/** Scripts as agents write them, taken apart. */

import { expect, test } from 'vitest'
import { shellCommands } from '../../../src/core/text/shell-commands.ts'

test.each<[string, string[], string[]]>([
  [
    'a && b||c | d;e & f\n\ng',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    ['&&', '||', '|', ';', '&', '\n', ''],
  ],
  ['(cd web; npm test) | tail', ['cd web', 'npm test', 'tail'], [';', ')|', '']],
  ['a &&\n  b \\\n  --c', ['a', 'b    --c'], ['&&', '']],
  ['a 2>&1 &>out', ['a 2>&1 &>out'], ['']],
  [`a "b; c" 'd && e' f\\;g`, [`a "b; c" 'd && e' f\\;g`], ['']],
  ['a $(b; c) <(d)', ['a $(b; c) <(d)'], ['']],
  ["# don't\na # b; c\n# it's", ['a'], ['\n']],
  [
    `git commit -m "$(cat <<'X'\nfix "it"; x\nX\n)" && b`,
    [`git commit -m "$(cat <<'X'\n)"`, 'b'],
    ['&&', ''],
  ],
  ['cat <<EOF > f; a\nb\n  EOF\nc <<<d', ['cat <<EOF > f', 'a', 'c <<<d'], [';', '\n', '']],
  ['a "b; c', ['a "b', 'c'], [';', '']],
  [' ;; \n', [], []],
])('%j', (script, texts, operators) => {
  const commands = shellCommands(script)
  expect(commands.map(({ text }) => text)).toEqual(texts)
  expect(commands.map((command) => command.operators)).toEqual(operators)
})

test('words have no quotes', () => {
  const [command] = shellCommands(`a"b c"'d' \\e "f\\"g"`)
  expect(command?.words).toEqual(['ab cd', 'e', 'f\\"g'])
})
