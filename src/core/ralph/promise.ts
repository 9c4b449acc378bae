/**
 * The promise with which an agent ends its loop: `<promise>COMPLETE</promise>` in its last words.
 *
 * Agents also mention the tag ("then I will print …"), and a loop must not end because of that. The tag therefore
 * counts only alone on a line, or at the very end of the last message.
 */

import { objectsIn, own, parseFields, parseRecords } from '../text/json-fields.ts'
import { messageText } from '../agents/tool-use.ts'
import type { Fields } from '../text/json-fields.ts'
import { isText, parseJson } from '../text/json-values.ts'

const TAG = /<promise>([^<]*)<\/promise>/g
/** Characters that Markdown may put around a line. */
const AROUND = '[\\s*_`>]*'

/** Undefined if there is no promise. `wanted`: the only text that counts. */
export function promiseIn(text: string, wanted?: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const alone = lines.filter((line) => TAG_ALONE.test(line))
  const ends = AT_END.test(lines.at(-1) ?? '') ? [lines.at(-1) ?? ''] : []
  return [...alone, ...ends]
    .flatMap((line) => [...line.matchAll(TAG)].map(([, promise = '']) => foldSpace(promise)))
    .findLast(
      (promise) => promise !== '' && (wanted === undefined || promise === foldSpace(wanted)),
    )
}

const TAG_ALONE = new RegExp(`^${AROUND}<promise>[^<]*</promise>${AROUND}$`)
const AT_END = new RegExp(`<promise>[^<]*</promise>[.!]?${AROUND}$`)

function foldSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/**
 * The agent's last words in the output of its program. If the program prints records (`--output-format json`,
 * `stream-json`, `codex exec --json`), the words in the newest record that has any; otherwise the whole output.
 */
export function lastWords(output: string): string {
  const whole = parseJson(output)
  const records = Array.isArray(whole) ? objectsIn(whole) : recordsOf(output)
  if (records.length === 0) return output
  return records.map(wordsOf).findLast((words) => words !== undefined) ?? ''
}

/** Empty if most lines are not records: other output may include JSON, and records may be mixed with warnings. */
function recordsOf(output: string): Fields[] {
  const whole = parseFields(output)
  if (whole !== undefined) return [whole]
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const records = parseRecords(lines).filter((record) => isText(own(record, 'type')))
  return records.length * 2 > lines.length ? records : []
}

/** The agent's words in a record: a result, a response, or a message by the agent. */
function wordsOf(record: Fields): string | undefined {
  for (const key of ['result', 'response']) {
    const said = own(record, key)
    if (isText(said)) return said
  }
  const type = own(record, 'type')
  const [message = record] = objectsIn([own(record, 'message') ?? own(record, 'item')])
  const isAgents = type === 'assistant' || own(message, 'type') === 'agent_message'
  if (!isAgents) return undefined
  const text = own(message, 'text')
  const said = isText(text) ? text : messageText(own(message, 'content'), (one) => one === 'text')
  return said === '' ? undefined : said
}
