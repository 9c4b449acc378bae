/** An agent that is asked to record its work (`session.ask`), and does so. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { builtFrom } from '../support/built-from.ts'
import { CLI, EVENTS } from '../support/git-repo.ts'
import { longTest } from '../support/long.ts'
import { scene } from './commit-scene.ts'

builtFrom(() => import('../../src/entry/agent-hook.ts'))

longTest(
  'an agent that changed something but recorded nothing is asked once, and its answer becomes the event',
  async () => {
    const { repo, agent } = scene('session-a')
    repo.write('.ledger-git.yaml', 'session: {ask: on, checkpoint_interval: 1ms}\n')
    await agent.prompt('Write a parser')
    await agent.write('parser.ts', 'export {}\n')
    const { stdout } = await agent.stop('The parser is in place.')
    const { decision, reason } = JSON.parse(stdout) as { decision: string; reason: string }
    expect(decision).toBe('block')
    // As Claude Code would react: the agent continues and runs the command.
    const command = reason.split('\n').find((line) => line.startsWith('ledger-git event add')) ?? ''
    const said = command.replace('"key=what was decided, and why"', '"parser=by hand"')
    const ran = await agent.bash(`ledger-git() { '${process.execPath}' '${CLI}' "$@"; }; ${said}`)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(repo.read(ran.stdout.trim())).toContain('session: session-a')
    const again = { stop_hook_active: true, last_assistant_message: 'Recorded.' }
    expect((await agent.hook('Stop', again)).stdout).toBe('')
    await agent.prompt('Thanks')
    expect((await agent.stop('You are welcome.')).stdout).toBe('')
    const events = readdirSync(join(repo.folder, EVENTS)).filter((name) => name.endsWith('.md'))
    expect(events).toHaveLength(1)
  },
)
