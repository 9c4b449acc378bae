/** A session's status line, shown below the user's own. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { showStatusLine } from '../../../src/app/context/show-status-line.ts'
import { Stage } from '../session/actors.ts'

const INPUT = JSON.stringify({
  session_id: 'one',
  context_window: {
    context_window_size: 200_000,
    used_percentage: 71,
    current_usage: { input_tokens: 142_000 },
  },
})
const OURS = '[CTX: ███████░░░ 71% ⚠️ L2] [CKPT: Ready]'

const theirs = (command: string) => JSON.stringify({ statusLine: { type: 'command', command } })

test("is shown below the user's own line, and its input is kept for the hooks", async () => {
  const stage = new Stage()
  const show = () =>
    stage.within(stage.repo, undefined, (context) => showStatusLine(context, INPUT))
  const kept = () =>
    stage.within(stage.repo, undefined, async ({ contexts }) => contexts.statusInput('one')?.text)
  expect((await show())?.lines).toEqual([OURS])
  expect(await kept()).toBeUndefined()

  const home = join(stage.repo.folder, '.git', 'ledger-git', 'context')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'followed'), '')
  stage.repo.write('.claude/settings.json', theirs('printf "%s\\n" mine'))
  expect((await show())?.lines).toEqual(['mine', OURS])
  expect(await kept()).toBe(INPUT)
})

test('shows nothing if the input names no session', async () => {
  const stage = new Stage()
  const shown = await stage.within(stage.repo, undefined, (context) =>
    showStatusLine(context, '{}'),
  )
  expect(shown).toBeUndefined()
})

test("names the branch's issue if the tracker has its team", async () => {
  const stage = new Stage()
  stage.repo.git('switch', '-qc', 'jo/anv-7-login')
  const show = () =>
    stage.within(stage.repo, undefined, (context) => showStatusLine(context, INPUT))
  expect((await show())?.lines).toEqual([OURS])
  stage.repo.git('config', 'ledger.tracker', 'linear')
  stage.repo.git('config', 'ledger.trackerTeams', 'ANV')
  expect((await show())?.lines).toEqual([OURS.replace(' [CKPT', ' [ISSUE: ANV-7] [CKPT')])
})

test("names the branch's issue and the current phase of its handoff", async () => {
  const stage = new Stage()
  stage.repo.git('checkout', '-qb', 'jo/anv-7-login')
  stage.repo.git('config', 'ledger.tracker', 'linear')
  stage.repo.git('config', 'ledger.trackerTeams', 'ANV')
  stage.repo.write(
    'thoughts/shared/handoffs/login/current.md',
    '---\nbranch: jo/anv-7-login\n---\n\n# Login\n\n## Ledger\n**Updated:** 2026-01-10T12:00:00Z\n\n' +
      '### Workflow State\n\n#### Phase Status\n- Phase 1 (Tests): ✓ VALIDATED\n- Phase 2 (IMPL): → IN_PROGRESS\n',
  )
  const shown = await stage.within(stage.repo, undefined, (context) =>
    showStatusLine(context, INPUT),
  )
  expect(shown?.line).toMatchObject({ issue: 'ANV-7', phase: expect.stringContaining('IMPL') })
  expect(shown?.lines.at(-1)).toMatch(
    /^\[CTX: .*\] \[ISSUE: ANV-7\] \[PHASE: .*IMPL.*\] \[CKPT: Ready\]$/,
  )
})
