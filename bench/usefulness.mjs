/**
 * `npm run bench:usefulness -- FOLDER [--only NAME]... [--json]`: shows the events that sessions leave behind,
 * so that a person can judge them.
 *
 * Replays every transcript below FOLDER (Claude Code, Codex or Gemini CLI, recognized by content) the way hooks
 * would. Prints how many sessions have each field, and then each session's event next to the end of its
 * transcript. `--only` takes a part of a file name. Nothing makes it fail: the reader decides whether an event
 * is useful.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { load } from './bundle.mjs'
import { Sandbox } from './sandbox.mjs'
import { endOf, FIELD_NAMES, fieldsOf } from './usefulness/judge.mjs'
import { play } from './usefulness/play.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    json: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (folder === undefined || positionals.length > 1 || !isFolder(folder)) {
  console.error('usage: npm run bench:usefulness -- FOLDER [--only NAME]... [--json]')
  process.exit(2)
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

const sandbox = new Sandbox(fileURLToPath(new URL('../dist/main.js', import.meta.url)))
try {
  const sessions = await playAll(
    await load(
      'core/agents/agents.ts',
      'app/session/handle-signal.ts',
      'io/sessions/session-context.ts',
      'core/event/parse-event.ts',
    ),
  )
  console.log(options.json ? JSON.stringify(sessions, undefined, 2) : report(sessions))
} finally {
  sandbox.remove()
}

async function playAll(product) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name) && options.only.some((part) => name.includes(part)))
    .toSorted()
  const sessions = []
  for (const name of names) {
    const text = readFileSync(resolve(folder, name), 'utf8')
    const played = await play(product, sandbox, { text, name })
    if (played === undefined) console.error(`${name}: not a transcript of a known agent`)
    else {
      const { agent, moments, event, earlier, files } = played
      const before = earlier.map((one) => fieldsOf(one, []))
      sessions.push({ name, agent, end: endOf(moments), before, event: fieldsOf(event, files) })
    }
  }
  return sessions
}

function report(sessions) {
  const counts = FIELD_NAMES.map((field) => {
    const having = sessions.filter(({ event }) => field in event).length
    return `  ${field.padEnd(14)}${having}`
  })
  const none = sessions.filter(({ event }) => Object.keys(event).length === 0).length
  const head = [`${sessions.length} sessions, ${none} without an event; with`, ...counts]
  return [...head, ...sessions.map(sideBySide)].join('\n')
}

function sideBySide({ name, agent, end, before, event }) {
  const block = (title, texts) =>
    texts.map((text) => `${title.padEnd(14)}${text.replace(/\n/g, `\n${' '.repeat(14)}`)}`)
  const linesOf = (fields) =>
    Object.entries(fields).flatMap(([field, value]) => block(field, [value].flat()))
  return [
    '',
    `==== ${name} (${agent}, ${end.turns} turns, ${end.ending})`,
    ...before.flatMap((fields) => ['at a checkpoint', ...linesOf(fields), 'at its end']),
    ...linesOf(event),
    ...(Object.keys(event).length === 0 ? ['no event'] : []),
    '---- the transcript',
    ...block('first asked', [end.first]),
    ...block('user', end.user),
    ...block('agent', end.agent),
    ...block('tool', end.tools),
  ].join('\n')
}
