/** The cost of hooks and commits in a session with a long log, in starts of a bare Node. */

import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, timeOf } from '../measure.mjs'
import { valueRow } from '../rows.mjs'

const LONG = 20_000_000
const MORE = 50_000

export function measureLongLogs({ sandbox, repositories, quick }) {
  const from = repositories.withEvents(1000)
  const samples = {}
  const sample = (work, action) => (samples[work] ??= []).push(timeOf(action))
  for (let round = 0; round < (quick ? 3 : 10); round++) {
    sample('node', () => sandbox.run(sandbox.folder, process.execPath, ['-e', '0']))
    playSession(sandbox, repositories.copyOf(from), sample)
  }
  const start = median(samples.node)
  const starts = (work, budget) =>
    valueRow({
      work: `${work}, log of 20 MB`,
      unit: 'Node starts',
      budget,
      samples: samples[work].map((millis) => millis / start),
      note: `Node start ${start.toFixed(1)} ms`,
    })
  return [
    starts('PostToolUse, a file', 2),
    starts('the first Stop', 8),
    starts('Stop after 50 KB more', 8),
    // Includes git's own part.
    starts('the first commit, whole'),
    starts('SessionEnd', 8),
  ]
}

/** One session whose log has not been read before. */
function playSession(sandbox, folder, sample) {
  const log = join(folder, '.git', 'log.jsonl')
  const hook = (hook_event_name, fields = {}) => {
    const payload = { session_id: 'long', transcript_path: log, cwd: folder, hook_event_name }
    const input = JSON.stringify({ ...payload, ...fields })
    const launcher = join(folder, '.git/ledger-git/run')
    sandbox.run(folder, launcher, ['agent-hook', 'claude', hook_event_name], { input })
  }
  const path = join(folder, 'parser.ts')
  const write = (content) => {
    writeFileSync(path, content)
    const tool = { tool_name: 'Write', tool_input: { file_path: path, content }, tool_response: {} }
    hook('PostToolUse', { ...tool, tool_use_id: 'tool-1' })
  }
  writeFileSync(log, logOf(LONG))
  hook('UserPromptSubmit', { prompt: 'Write a parser' })
  sample('PostToolUse, a file', () => write('parser\n'))
  const stop = () => hook('Stop', { last_assistant_message: 'The parser is in place.' })
  sample('the first Stop', stop)
  appendFileSync(log, logOf(MORE))
  hook('UserPromptSubmit', { prompt: 'And errors' })
  write('parser with errors\n')
  sample('Stop after 50 KB more', stop)
  sandbox.run(folder, 'git', ['add', 'parser.ts'])
  sample('the first commit, whole', () =>
    sandbox.run(folder, 'git', ['commit', '-q', '-m', 'feat: parser']),
  )
  appendFileSync(log, logOf(MORE))
  sample('SessionEnd', () => hook('SessionEnd', { reason: 'prompt_input_exit' }))
}

/** Lines as Claude Code writes them: a request now and then, edits, and the long output of tools. */
function logOf(bytes) {
  const lines = []
  for (let length = 0, n = 0; length < bytes; n++) {
    const line = JSON.stringify(recordOf(n))
    lines.push(line)
    length += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

function recordOf(n) {
  const about = { uuid: `record-${n}`, sessionId: 'long' }
  const user = (content) => ({ type: 'user', ...about, message: { role: 'user', content } })
  if (n % 20 === 0) return user(`Go on with part ${n}`)
  if (n % 2 === 0) {
    return user([{ type: 'tool_result', tool_use_id: `tool-${n - 1}`, content: textOf(5000, n) }])
  }
  const input = { file_path: `/home/dev/app/src/file-${n % 9}.ts`, new_string: textOf(800, n) }
  const content = [{ type: 'tool_use', id: `tool-${n}`, name: 'Edit', input }]
  return {
    type: 'assistant',
    ...about,
    message: { id: `message-${n}`, role: 'assistant', content },
  }
}

function textOf(length, seed) {
  const line = (i) =>
    `const value${i % 97} = compute(${(i * 7919) % 1009}) // src/lib/file-${i % 50}.ts\n`
  return Array.from({ length: Math.ceil(length / 50) }, (_, i) => line(seed + i)).join('')
}
