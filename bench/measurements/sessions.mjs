/** `git commit` with many finished sessions of agents in the repository, against the same with none. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interleave, timeOf } from '../measure.mjs'
import { ratioRow } from '../rows.mjs'

const SESSIONS = 200

export function measureSessions({ sandbox, repositories, quick }) {
  const many = repositories.copyOf(repositories.withEvents(1000))
  finishOne(sandbox, many, 'session-0')
  const none = repositories.copyOf(many)
  rmSync(join(none, '.git/ledger-git/sessions'), { recursive: true })
  copyState(many)
  const { ours, floor } = interleave(
    { ours: () => commitIn(sandbox, many), floor: () => commitIn(sandbox, none) },
    quick ? 15 : 60,
  )
  const work = `post-commit with ${SESSIONS} finished sessions`
  return [ratioRow({ work, budget: 1, ours, floor, note: 'whole git commit; to none' })]
}

/** A session as an agent's hooks make one: a prompt, a file, a commit with its checkpoint, the end. */
function finishOne(sandbox, folder, session) {
  const hook = (name, fields = {}) => {
    const payload = { session_id: session, cwd: folder, hook_event_name: name, ...fields }
    const launcher = join(folder, '.git/ledger-git/run')
    const input = JSON.stringify(payload)
    sandbox.run(folder, launcher, ['agent-hook', 'claude', name], { input })
  }
  hook('UserPromptSubmit', { prompt: 'Write a parser' })
  writeFileSync(join(folder, 'parser.txt'), 'parser\n')
  hook('Stop', { last_assistant_message: 'The parser is in place.' })
  sandbox.run(folder, 'git', ['add', 'parser.txt'])
  sandbox.run(folder, 'git', ['commit', '-q', '-m', 'feat: parser'])
  hook('SessionEnd', { reason: 'prompt_input_exit' })
}

function copyState(folder) {
  const states = join(folder, '.git/ledger-git/sessions')
  const state = readFileSync(join(states, 'session-0.json'), 'utf8')
  if (JSON.parse(state).isCondensed !== true) throw new Error('the session is not finished')
  for (let n = 1; n < SESSIONS; n++) {
    const text = state.replace('"session-0"', `"session-${n}"`)
    writeFileSync(join(states, `session-${n}.json`), text)
  }
}

function commitIn(sandbox, folder) {
  writeFileSync(join(folder, 'README.md'), `${performance.now()}\n`)
  sandbox.run(folder, 'git', ['add', 'README.md'])
  return timeOf(() => sandbox.run(folder, 'git', ['commit', '-q', '-m', 'docs: one more line']))
}
