/**
 * Handoffs in sessions: what a session is told about its branch's handoff, and what its event says about its own
 * changes to it.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addEvent } from '../../../src/app/commit/add-event.ts'
import { changeHandoff } from '../../../src/app/handoff/change-handoff.ts'
import { listHandoffs } from '../../../src/app/handoff/read-handoffs.ts'
import { readSettings } from '../../../src/app/ledger/read-settings.ts'
import { addDone } from '../../../src/core/handoff/work-edits.ts'
import { nodeFiles } from '../../../src/io/files/node-files.ts'
import { EVENTS, ROOT } from '../../support/git-repo.ts'
import { longTest } from '../../support/long.ts'
import { SECRETS } from '../../support/secrets.ts'
import { Actor, Stage } from './actors.ts'

const handoff = (branch: string, now: string, ...more: string[]) =>
  `---\nbranch: ${branch}\nstatus: active\n---\n\n# Work Stream: parser\n\n## Ledger\n` +
  `**Updated:** 2026-01-10T11:00:00Z\n\n### Now\n[->] ${now}\n\n${more.join('\n')}\n\n---\n`
const PARSER = `${ROOT}/parser/current.md`

function stageWith(files: Record<string, string> = {}): Stage {
  return new Stage({ 'old.txt': 'old\n', ...files })
}
const branchOf = ({ repo }: Stage) => repo.git('branch', '--show-current')

function lastEvent({ repo }: Stage): string {
  const folder = join(repo.folder, EVENTS)
  const name =
    readdirSync(folder)
      .filter((one) => one.endsWith('.md'))
      .sort()
      .at(-1) ?? ''
  return readFileSync(join(folder, name), 'utf8')
}

describe('at the start of a session', () => {
  test("startup and resume name the branch's handoff; clear and compact include its Ledger", async () => {
    const stage = stageWith()
    stage.repo.write(PARSER, handoff(branchOf(stage), 'port the lexer'))
    stage.repo.write(`${ROOT}/other/current.md`, handoff('elsewhere', 'not ours'))
    const agent = new Actor(stage, 'one')
    for (const source of ['startup', 'resume'] as const) {
      const { context = '' } = await agent.start(stage.repo, source)
      expect(context).toContain('The handoff of this branch is "parser"')
      expect(context).not.toContain('port the lexer')
    }
    for (const source of ['clear', 'compact'] as const) {
      const { context = '' } = await agent.start(stage.repo, source)
      expect(context).toContain('[->] port the lexer')
      expect(context).not.toContain('not ours')
    }
    stage.repo.git('switch', '-q', '-c', 'topic')
    expect((await agent.start()).context ?? '').not.toContain('handoff')
  })

  test('says how ledger-git is typed if it names a command, within the same limit', async () => {
    const stage = stageWith()
    const agent = new Actor(stage, 'one')
    const begin = async () => (await agent.start()).context ?? ''
    stage.program = 'git ledger'
    expect(await begin()).not.toContain('git ledger')
    stage.repo.write(PARSER, handoff(branchOf(stage), 'port the lexer'))
    const steps = Array.from({ length: 60 }, (_, i) => ['--next', `${i}: ${'more '.repeat(50)}`])
    stage.repo.event(...steps.flat())
    const told = await begin()
    expect(told).toMatch(
      /To go on with it: ledger-git handoff resume\n[^]*\n\(ledger-git is typed as `git ledger` here\.\)$/,
    )
    expect(told.length).toBeLessThanOrEqual(10_000)
    expect(told.length).toBeGreaterThan(9000)
    stage.program = 'ledger-git'
    expect(await begin()).toMatch(/left out; all of them: ledger-git show\)$/)
  })
})

describe('the event of a session that changed a handoff', () => {
  test("says the change, in the handoff's stream, and what else the session did", async () => {
    const stage = stageWith({
      [PARSER]: handoff('main', 'port the lexer', '### Next', '- [ ] errors'),
    })
    const agent = new Actor(stage, 'one')
    const after = handoff(
      'main',
      'errors',
      '### This Session',
      '- [x] lexer ported',
      '### Next',
      '- [ ] warnings',
      '### Decisions',
      '- **tokens:** as numbers',
    )
    await agent.turn({ [PARSER]: after, 'a.txt': 'a\n' })
    await agent.signal('turn_end', { lastMessage: 'All is well.' })
    await agent.commit('feat: lexer')
    await agent.end()
    const text = lastEvent(stage)
    for (const line of [
      'stream: parser',
      'now: errors',
      '  - lexer ported',
      '  - warnings',
      '  tokens: as numbers',
    ])
      expect(text).toContain(`${line}\n`)
    expect(text).toContain('feat: lexer')
    expect(text).not.toContain('All is well')
  })

  test("says nothing about others' changes, and nothing twice", async () => {
    const stage = stageWith({ [PARSER]: handoff('main', 'port the lexer') })
    const agent = new Actor(stage, 'one')
    await agent.turn({ 'a.txt': 'a\n' })
    await agent.commit('feat: a')
    // A pull brings their change.
    stage.repo.commit('theirs', { [PARSER]: handoff('main', 'their work') })
    await agent.end()
    expect(lastEvent(stage)).not.toMatch(/their work|stream:/)

    await agent.turn({ [PARSER]: handoff('main', 'my work') })
    stage.now += 60_000
    await agent.end()
    expect(lastEvent(stage)).toContain('now: my work\n')
    stage.now += 60_000
    await agent.turn({ 'b.txt': 'b\n' })
    await agent.end()
    expect(lastEvent(stage)).toContain('Changed')
    expect(lastEvent(stage)).not.toContain('my work')
  })

  longTest(
    "has the state of the branch's handoff and what was done in all that the session changed",
    async () => {
      const files = ['a', 'b', 'c'].map((name) => `${ROOT}/${name}/current.md`)
      const [first = '', second = '', third = ''] = files
      const stage = stageWith(
        Object.fromEntries(files.map((path) => [path, handoff('elsewhere', 'begin')])),
      )
      const agent = new Actor(stage, 'one')
      const done = (text: string) => ['### This Session', `- [x] ${text}`]
      await agent.turn({ [first]: handoff('elsewhere', 'now of a', ...done('did a')) })
      const branch = branchOf(stage)
      await agent.turn({ [second]: handoff(branch, 'now of b', ...done('did b')) })
      stage.repo.write(third, handoff('elsewhere', 'now of c', ...done('did c')))
      await agent.end()
      const text = lastEvent(stage)
      expect(text).toMatch(
        /^stream: b\n(?:goal: .*\n)?now: now of b\nthis_session:\n {2}- did b\n {2}- did a\n/m,
      )
      expect(text).not.toContain('of c')
      expect(text).not.toContain('did c')
    },
  )

  test.each([
    ["does not repeat what its own `handoff update` took over from others' events", 'crisp', false],
    // The newest list of an agent on its branch replaces the earlier one.
    ['repeats what an earlier session of the same agent left open', 'claude', true],
  ])('%s', async (_, other, isSaid) => {
    const stage = stageWith({
      [PARSER]: handoff('main', 'port the lexer', '### Next', '- [ ] ours'),
    })
    const agent = new Actor(stage, 'one')
    await agent.prompt('Go on')
    const theirs = { now: 'their now', thisSession: ['their deed'], next: ['their step'] }
    const decisions = [{ key: 'db', value: 'theirs' }]
    await stage.within(stage.repo, agent.pid, async (context) => {
      const settings = await readSettings(context.repository)
      const work = { ...context, settings, files: nodeFiles }
      await addEvent(work, {
        fields: { stream: 'parser', session: 'two', ...theirs, decisions },
        ts: undefined,
        agent: other,
        afterwards: 'leave',
      })
      stage.now += 60_000
      const [file] = await listHandoffs(context.repository, settings.root)
      if (file === undefined) throw new Error('no handoff')
      await changeHandoff(work, file, {
        agent: 'claude',
        commit: false,
        secrets: undefined,
        edits: () => [addDone('my deed')],
        said: () => undefined,
        given: {},
      })
    })
    expect(readFileSync(join(stage.repo.folder, PARSER), 'utf8')).toContain('their step')
    await agent.signal('turn_end')
    stage.now += 60_000
    await agent.end()
    expect(lastEvent(stage)).toContain('stream: parser\n')
    expect(lastEvent(stage)).toContain('my deed')
    expect(lastEvent(stage).includes('their step')).toBe(isSaid)
    expect(lastEvent(stage).includes('their')).toBe(isSaid)
  })

  test('reports all of a new handoff, and keeps no secret of one', async () => {
    const stage = stageWith()
    const secret = SECRETS.find(({ kind }) => kind === 'github-token')?.secret ?? ''
    stage.repo.write(`${ROOT}/old/current.md`, handoff('main', `use ${secret} first`))
    const agent = new Actor(stage, 'one')
    await agent.turn({ [PARSER]: handoff('main', `use ${secret}`, '### Next', '- [ ] errors') })
    await agent.end()
    expect(lastEvent(stage)).toContain('stream: parser\n')
    expect(lastEvent(stage)).toContain('redacted')
    const { handoffs = [] } = (await stage.state('one')) ?? {}
    const blob = handoffs.find(({ path }) => path.includes('/old/'))?.blob ?? ''
    expect(stage.repo.git('cat-file', 'blob', blob)).not.toContain(secret)
  })
})
