/** `git commit` in a repository with idle agent sessions that it does not concern, compared with no sessions. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interleave, median, timeOf } from '../measure.mjs'
import { valueRow } from '../rows.mjs'

/** Sessions that only talked, and one with an uncommitted file. */
export function measureIdleSessions({ sandbox, repositories, quick }) {
  const none = repositories.copyOf(repositories.withEvents(1000))
  const [one, eleven, withFile] = [none, none, none].map((from) => repositories.copyOf(from))
  talkIn(sandbox, one, 1)
  talkIn(sandbox, eleven, 11)
  talkIn(sandbox, withFile, 1, 'parser.txt')
  const samples = interleave(
    {
      none: () => commitIn(sandbox, none),
      one: () => commitIn(sandbox, one),
      eleven: () => commitIn(sandbox, eleven),
      withFile: () => commitIn(sandbox, withFile),
      node: () => timeOf(() => sandbox.run(sandbox.folder, process.execPath, ['-e', '0'])),
    },
    quick ? 15 : 60,
  )
  const start = median(samples.node)
  const note = `whole git commit ${median(samples.none).toFixed(1)} ms with none; Node start ${start.toFixed(1)} ms`
  const starts = (work, name) =>
    valueRow({
      work,
      unit: 'Node starts',
      budget: 2,
      samples: samples[name].map((millis, i) => (millis - samples.none[i]) / start),
      note,
    })
  return [
    starts('commit with one idle session without work', 'one'),
    starts('commit with one idle session, its file not in it', 'withFile'),
    valueRow({
      work: 'commit with idle sessions, each further one',
      unit: 'ms',
      budget: 5,
      samples: samples.eleven.map((millis, i) => (millis - samples.one[i]) / 10),
      note: 'a tenth of the difference between eleven sessions and one',
    }),
  ]
}

/** The agent runs as a separate process, because the process tells whose session made a commit. */
const AGENT = `
const { execFileSync } = require('node:child_process')
const { launcher, payloads } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
for (const one of payloads) {
  execFileSync(launcher, ['agent-hook', 'claude', one.hook_event_name], { input: JSON.stringify(one) })
}`

function talkIn(sandbox, folder, count, file) {
  const payloads = []
  for (let n = 0; n < count; n++) {
    const about = { session_id: `session-${n}`, cwd: folder }
    const path = file && join(folder, file)
    payloads.push({ ...about, hook_event_name: 'UserPromptSubmit', prompt: 'How?' })
    if (path !== undefined) {
      writeFileSync(path, 'parser\n')
      const tool_input = { file_path: path, content: 'parser\n' }
      const tool = {
        tool_name: 'Write',
        tool_input,
        tool_response: { type: 'create', filePath: path },
      }
      payloads.push({ ...about, hook_event_name: 'PostToolUse', ...tool, tool_use_id: 'tool-1' })
    }
    payloads.push({ ...about, hook_event_name: 'Stop', last_assistant_message: 'So.' })
  }
  const input = JSON.stringify({ launcher: join(folder, '.git/ledger-git/run'), payloads })
  sandbox.run(folder, process.execPath, ['-e', AGENT], { input })
  for (let n = 0; n < count; n++) {
    const path = join(folder, '.git/ledger-git/sessions', `session-${n}.json`)
    if (JSON.parse(readFileSync(path, 'utf8')).phase !== 'idle') throw new Error('not idle')
  }
}

function commitIn(sandbox, folder) {
  writeFileSync(join(folder, 'README.md'), `${performance.now()}\n`)
  sandbox.run(folder, 'git', ['add', 'README.md'])
  return timeOf(() => sandbox.run(folder, 'git', ['commit', '-q', '-m', 'docs: one more line']))
}
