/**
 * The promise with which an agent ends its loop: `<promise>COMPLETE</promise>` in its last words.
 *
 * Agents talk about the tag, too ("then I will print …"), and a loop that ends there ends with nothing
 * done. So it counts on a line of its own, or at the very end of what was said last.
 */

import { objectsIn, own, parseFields, parseRecords } from '../text/json-fields.ts'
import { messageText } from '../agents/tool-use.ts'
import type { Fields } from '../text/json-fields.ts'
import { isText, parseJson } from '../text/json-values.ts'

const TAG = /<promise>([^<]*)<\/promise>/g
/** What Markdown may put around a line. */
const AROUND = '[\\s*_`>]*'

/** Undefined where none is made. `wanted`: only this one counts. */
export function promiseIn(text: string, wanted?: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const alone = lines.filter((line) => ONLY.test(line))
  const ends = AT_END.test(lines.at(-1) ?? '') ? [lines.at(-1) ?? ''] : []
  return [...alone, ...ends]
    .flatMap((line) => [...line.matchAll(TAG)].map(([, promise = '']) => folded(promise)))
    .findLast((promise) => promise !== '' && (wanted === undefined || promise === folded(wanted)))
}

const ONLY = new RegExp(`^${AROUND}<promise>[^<]*</promise>${AROUND}$`)
const AT_END = new RegExp(`<promise>[^<]*</promise>[.!]?${AROUND}$`)

function folded(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/**
 * The agent's last words in what its program printed: of one that prints records (`--output-format json`,
 * `stream-json`, `codex exec --json`) the newest that holds any, else all of it.
 */
export function lastWords(output: string): string {
  const whole = parseJson(output)
  const records = Array.isArray(whole) ? objectsIn(whole) : recordsOf(output)
  if (records.length === 0) return output
  return records.map(wordsOf).findLast((words) => words !== undefined) ?? ''
}

/** None where most lines are none: somebody may print JSON among other things, and warnings among records. */
function recordsOf(output: string): Fields[] {
  const whole = parseFields(output)
  if (whole !== undefined) return [whole]
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const records = parseRecords(lines).filter((record) => isText(own(record, 'type')))
  return records.length * 2 > lines.length ? records : []
}

/** What an agent said in a record: a result, an answer, or a message of the agent's. */
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
