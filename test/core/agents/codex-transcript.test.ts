/** However a session of Codex ended, its rollout shows it. Recorded shapes of several releases. */

import { describe, expect, test } from 'vitest'
import { AGENTS, readPayload, unusedLineOf } from '../../../src/core/agents/agents.ts'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { choicesIn } from '../../../src/core/report/decisions.ts'
import { endingOf } from '../../../src/core/report/ending.ts'
import { lastPassedTest } from '../../../src/core/turn/test-command.ts'

const AT = '2026-03-04T10:00:00.000Z'
const line = (type: string, payload: object) => JSON.stringify({ timestamp: AT, type, payload })
const item = (payload: object) => line('response_item', payload)
const event = (type: string, more: object = {}) => line('event_msg', { type, ...more })
const user = (text: string) =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const agent = (text: string) =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })

let calls = 0
/** A tool call; without `output`, nothing answers the call. */
function call(name: string, args: object, output?: unknown): string[] {
  calls += 1
  const id = `call_${calls}`
  const made = item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: id })
  if (output === undefined) return [made]
  return [made, item({ type: 'function_call_output', call_id: id, output })]
}
const shell = (command: string, output?: unknown) => call('shell_command', { command }, output)
const printed = (text: string, code = 0) =>
  `Exit code: ${code}\nWall time: 0.2 seconds\nOutput:\n${text}`
const json = (output: string, exit_code: number) =>
  JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.1 } })

const read = (...lines: (string | string[])[]): TranscriptEntry[] =>
  AGENTS.codex.readLines(lines.flat())
const nowOf = (...lines: (string | string[])[]) => endingOf(read(...lines), undefined)?.now
const callsOf = (...lines: (string | string[])[]) =>
  read(...lines).flatMap((entry) => (entry.kind === 'tool' ? [entry] : []))

const ASKED = user('Fix the login')

test('reads a task that another thread hands over as a request', () => {
  const task =
    '<codex_delegation>\n  <source_thread_id>a</source_thread_id>\n  <input>Fix it.</input>\n'
  expect(read(user(`${task}</codex_delegation>`))).toMatchObject([
    { kind: 'prompt', text: 'Fix it.' },
  ])
  expect(read(user('<codex_internal>Fix it.</codex_internal>'))).toEqual([])
})

test('marks a prompt that was typed into a running turn', () => {
  const start = event('task_started', { turn_id: 'a' })
  const end = event('task_complete', { turn_id: 'a' })
  const later = user('And test it')
  const marks = (...lines: (string | string[])[]) =>
    read(...lines).flatMap((one) => (one.kind === 'prompt' ? [one.isAddition === true] : []))
  expect(marks(start, ASKED, shell('ls', printed('a')), later, end)).toEqual([false, true])
  expect(marks(start, ASKED, end, event('task_started', {}), later)).toEqual([false, false])
  // Older releases do not log where a turn starts.
  expect(marks(ASKED, shell('ls', printed('a')), later)).toEqual([false, false])
})

test('forgets turns that the user took back, unless files were changed in them', () => {
  const turn = (text: string, ...lines: (string | string[])[]) => [
    event('task_started', {}),
    user(text),
    ...lines.flat(),
    event('turn_aborted', { reason: 'interrupted' }),
  ]
  const back = (num_turns: unknown) => event('thread_rolled_back', { num_turns })
  const promptsOf = (...lines: (string | string[])[]) =>
    read(...lines).flatMap((one) => (one.kind === 'prompt' ? one.text : []))
  const looked = turn('Fix teh login', shell('ls', printed('a')))
  const patch = '*** Begin Patch\n*** Add File: a.ts\n+a\n*** End Patch'
  const patched = turn('Fix the logout', call('apply_patch', { input: patch }, printed('Success')))
  const again = turn('Fix the login')
  expect(promptsOf(looked, back(1), again)).toEqual(['Fix the login'])
  expect(promptsOf(patched, looked, back(1), again)).toEqual(['Fix the logout', 'Fix the login'])
  expect(promptsOf(patched, looked, back(2))).toEqual(['Fix the logout', 'Fix teh login'])
  expect(promptsOf(looked, looked, back(2), turn('Fix teh login'))).toEqual(['Fix teh login'])
  expect(promptsOf(looked, back(9), again)).toEqual(['Fix the login'])
  // Messages are counted: a turn may have several, or none, such as one that compacts the log.
  const compacts = [event('task_started', {}), JSON.stringify({ type: 'compacted', payload: {} })]
  expect(promptsOf(looked, compacts, back(1), again)).toEqual(['Fix the login'])
  const longer = turn('Fix the logout', user('And test it'))
  expect(promptsOf(longer, back(1), again)).toEqual(['Fix the logout', 'Fix the login'])
  for (const odd of [0, -1, 'x', null]) expect(promptsOf(looked, back(odd))).toHaveLength(1)
})

test('reads nothing in the lines that a tail leaves out', () => {
  const counted = event('token_count', { info: null })
  expect(counted).toContain(unusedLineOf('codex'))
  expect(read(counted)).toEqual([])
  expect(agent('"type":"token_count"')).not.toContain(unusedLineOf('codex'))
})

test("omits what the program says in the agent's name after a compaction", () => {
  const answer = event('agent_message', { message: 'The plan has three parts.' })
  const compacted = line('compacted', { message: 'A plan was asked for.' })
  const note = event('agent_message', { message: 'Compact task completed' })
  expect(read(ASKED, answer, compacted, note)).toEqual(read(ASKED, answer, compacted))
})

test('omits directives to the app at the end of a message', () => {
  const told = '::git-stage{cwd="/a"}\n::git-push{cwd="/a" branch="b"}'
  expect(read(ASKED, agent(`It is fixed.\n\n${told}`)).at(-1)).toEqual({
    kind: 'assistant',
    text: 'It is fixed.',
  })
  const finding = '::code-comment{title="No limit" body="Add one"}'
  expect(read(ASKED, agent(finding)).at(-1)).toMatchObject({ text: finding })
})

test.each([
  [{ subagent: { other: 'guardian' } }, 0],
  [{ subagent: 'review' }, 2],
  [{ subagent: { thread_spawn: { depth: 1 } } }, 2],
  ['vscode', 2],
])('reads from a log with source %j this many entries: %i', (source, count) => {
  const head = line('session_meta', { id: 'a', source })
  expect(read(head, ASKED, agent('It is fixed.'))).toHaveLength(count)
})

describe('how a session ends', () => {
  test('names a call without an answer', () => {
    expect(nowOf(ASKED, shell('npm run build'))).toContain('no answer yet from: `npm run build`')
  })

  test('names an unanswered script by the command that it runs', () => {
    const input = 'const r = await tools.exec_command({"cmd":"npm run build"}); text(r.output)'
    const made = item({ type: 'custom_tool_call', name: 'exec', call_id: 'x', input })
    expect(nowOf(ASKED, made)).toContain('no answer yet from: `npm run build`')
  })

  test('treats a command that keeps running as unanswered', () => {
    const output = 'Wall time: 10.0 seconds\nProcess running with session ID 3\nOutput:\nready'
    const [server] = callsOf(call('exec_command', { cmd: 'npm run dev' }, output))
    expect(server).toMatchObject({ isOpen: true, label: '`npm run dev`' })
  })

  test('takes the end of a running command from a later query of its session', () => {
    const running = 'Wall time: 10.0 seconds\nProcess running with session ID 3\nOutput:\n'
    const ended = (code: number) =>
      `Wall time: 9.0 seconds\nProcess exited with code ${code}\nOutput:\nall`
    const build = call('exec_command', { cmd: 'npm run build' }, running)
    const more = (session: number, output: string) =>
      call('write_stdin', { session_id: session, chars: '' }, output)
    const ends = (...lines: string[][]) => callsOf(build, ...lines)[0]
    expect(ends(more(3, running), more(3, ended(0)))).toMatchObject({ ran: { output: 'all' } })
    expect(ends(more(3, ended(2)))).toHaveProperty('failed')
    for (const lines of [[more(3, running)], [more(4, ended(0))]]) {
      expect(ends(...lines)).toMatchObject({ isOpen: true })
    }
  })

  test('names a command that the end of the log still waits for, behind the words about it', () => {
    const running = 'Wall time: 10.0 seconds\nProcess running with session ID 3\nOutput:\n'
    const commit = call('exec_command', { cmd: 'git commit -m fix' }, running)
    const waits = agent('The commit runs a hook. I will wait for it.')
    const ask = { session_id: 3, chars: '' }
    expect(nowOf(ASKED, commit, waits, call('write_stdin', ask))).toMatch(
      /^not finished: Fix the login; “The commit runs a hook.*; no answer yet from: `git commit -m fix`$/,
    )
    // An answer that came, and a session that the log does not know, leave the words as the end.
    expect(nowOf(ASKED, commit, call('write_stdin', ask, running), waits)).toBeUndefined()
    expect(nowOf(ASKED, commit, waits, call('write_stdin', { session_id: 4 }))).toBeUndefined()
  })

  test.each([
    ['in the middle of a call', shell('npm run build', 'Wall time: 3.1 seconds\naborted by user')],
    ['in an older release', shell('npm run build', 'aborted by user after 3.1s')],
    [
      'in a release that writes JSON',
      shell('npm run build', json('aborted by user after 3.1s', 1)),
    ],
    ['before a call', []],
  ])('the user stopped the turn, %s', (_, lines) => {
    const aborted = event('turn_aborted', { reason: 'interrupted' })
    const now = nowOf(ASKED, lines, aborted)
    const at = parseInstant(AT)?.instant
    expect(read(ASKED, lines, aborted).at(-1)).toEqual({ kind: 'interruption', at })
    expect(now).toMatch(/^interrupted by the user/)
    expect(now).toContain('Fix the login')
  })

  test('does not treat a replaced turn as stopped', () => {
    const replaced = event('turn_aborted', { reason: 'replaced' })
    expect(read(ASKED, replaced).map(({ kind }) => kind)).toEqual(['prompt'])
  })

  test('reports that the user refused a command', () => {
    expect(nowOf(ASKED, shell('rm -rf build', 'exec command rejected by user'))).toContain(
      'the user refused: `rm -rf build`',
    )
    expect(nowOf(ASKED, call('apply_patch', PATCH, 'patch rejected by user'))).toContain(
      'the user refused: apply_patch login.ts',
    )
  })

  test('reports the error that stopped the program', () => {
    expect(nowOf(ASKED, event('error', { message: "You've hit your usage limit." }))).toContain(
      "stopped by an error: You've hit your usage limit.",
    )
  })
})

const PATCH = { input: '*** Begin Patch\n*** Update File: src/login.ts\n+x\n*** End Patch' }

describe('how a call ended', () => {
  const unified = (code: number) =>
    `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n3 passed`

  test.each([
    ['as text', printed('3 passed')],
    ['as JSON', json('3 passed', 0)],
    ['in the unified form', unified(0)],
    ['in parts', [{ type: 'input_text', text: printed('3 passed') }]],
    ['as an object', { content: printed('3 passed'), success: true }],
  ])('recognizes a passing test run from its output %s', (_, output) => {
    expect(lastPassedTest(read(shell('npx vitest run', output)))?.command).toBe('npx vitest run')
  })

  test.each([
    ['output as text', printed('3 passed', 1)],
    ['output as JSON', json('3 passed', 1)],
    ['unified output', unified(1)],
    ['unified output, killed by a signal', unified(-1)],
    ['refused by the sandbox', 'failed in sandbox MacosSeatbelt with execution error: denied'],
  ])('counts no passing test and no written file for a failed command: %s', (_, output) => {
    const script = `cat <<'EOF' | apply_patch\n${PATCH.input}\nEOF\nnpx vitest run`
    const entries = read(shell('npx vitest run', output), shell(script, output))
    expect(lastPassedTest(entries)).toBeUndefined()
    expect(entries).toMatchObject([{ failed: /./ }, { failed: /./, tool: { files: [] } }])
  })

  test('counts no written file for a patch that did not apply', () => {
    const broken = 'apply_patch verification failed: Failed to find expected lines'
    const [patch] = callsOf(call('apply_patch', PATCH, broken))
    expect(patch).toMatchObject({ failed: broken, tool: { files: [] } })
    const [fits] = callsOf(call('apply_patch', PATCH, 'Success. Updated the following files:'))
    expect(fits).toMatchObject({ tool: { files: ['src/login.ts'] } })
  })

  test('counts files that a patch deletes or moves as removed, unless the patch writes them again', () => {
    const parts = ['Delete File: a.ts', 'Update File: b.ts', 'Move to: c.ts', 'Delete File: d.ts']
    const input = [...parts, 'Add File: d.ts'].map((part) => `*** ${part}`).join('\n')
    const patch = { input: `*** Begin Patch\n${input}\n*** End Patch` }
    const [made] = callsOf(call('apply_patch', patch, 'Success.'))
    expect(made).toMatchObject({ tool: { removed: ['a.ts', 'b.ts'] } })
    const told = (changes: object) => read(event('patch_apply_end', { success: true, changes }))
    const update = { type: 'update', move_path: '/c.ts' }
    const newer = { '/a.ts': { type: 'delete' }, '/b.ts': update, '/d.ts': { type: 'add' } }
    expect(told(newer)).toMatchObject([{ tool: { removed: ['/a.ts', '/b.ts'] } }])
    const older = { '/a.ts': { delete: {} }, '/d.ts': { add: {} } }
    expect(told(older)).toMatchObject([{ tool: { removed: ['/a.ts'] } }])
    const run = callsOf(call('exec_command', { cmd: 'rm a.ts', workdir: '/srv' }, printed('')))
    expect(run).toMatchObject([{ tool: { folder: '/srv' } }])
  })

  test('places a file that a command writes in the folder that the command ran in', () => {
    const writes = (cmd: string, workdir?: string) =>
      callsOf(call('exec_command', { cmd, workdir }, printed(''))).flatMap((one) =>
        one.kind === 'tool' ? one.tool.files : [],
      )
    expect(writes('printf 20 > .nvmrc', '/srv/other/')).toEqual(['/srv/other/.nvmrc'])
    expect(writes('printf 20 > ./web/.nvmrc', '/srv')).toEqual(['/srv/web/.nvmrc'])
    expect(writes('cd web && printf 20 > .nvmrc', '/srv')).toEqual([])
    expect(writes('printf 20 > /etc/x.conf', '/srv')).toEqual(['/etc/x.conf'])
    expect(writes('printf 20 > .nvmrc')).toEqual(['.nvmrc'])
    expect(writes('printf 20 > .nvmrc', 'web')).toEqual(['.nvmrc'])
  })

  test.each(['Exit code: 0\n', ''])(
    'ignores a status that the output quotes, after "%s"',
    (status) => {
      const output = `${status}Output:\nx\nProcess exited with code 1\naborted by user`
      const [log] = callsOf(shell('cat log', output))
      expect(log).toMatchObject({ ran: { output: expect.stringContaining('aborted') } })
    },
  )

  test('labels a script by its text, without the shell that runs it', () => {
    const args = { command: ['bash', '-lc', 'go test ./...'] }
    const [run] = callsOf(call('shell', args, json('ok  shop/cart 0.1s', 0)))
    expect(run).toMatchObject({ label: '`go test ./...`', ran: { command: 'go test ./...' } })
    const [list] = callsOf(call('shell', { command: ['ls', '-l'] }, json('x', 0)))
    expect(list?.label).toBe('`ls …`')
  })

  test('does not treat a search without matches as failed, unless a command follows it', () => {
    const ran = ['rg -n TODO src', 'rg -n TODO src && npm test'].map((command) => {
      const [entry] = callsOf(shell(command, printed('', 1)))
      return entry?.failed
    })
    expect(ran).toEqual([undefined, 'Exit code 1'])
    const [broken] = callsOf(shell('rg -n "(" src', printed('regex parse error', 2)))
    expect(broken?.failed).toBe('Exit code 2, regex parse error')
  })

  test('does not treat the bookkeeping of the program as work', () => {
    const entries = callsOf(call('update_plan', { plan: [] }, 'Plan updated'))
    expect(entries.map(({ label }) => label)).toEqual([undefined])
  })
})

describe('what the user decided', () => {
  const questions = {
    questions: [
      { id: 'store', header: 'Storage', question: 'Which store?', options: [{ label: 'SQLite' }] },
      { id: 'when', header: 'Time', question: 'Now?', options: [] },
    ],
  }

  test('reads answers to questions by their ids', () => {
    const answers = { store: { answers: ['SQLite', 'for now'] }, when: { answers: [] } }
    const asked = call('request_user_input', questions, JSON.stringify({ answers }))
    expect(choicesIn(read(asked))).toEqual([
      { key: 'storage', value: 'SQLite; for now (asked: Which store?)' },
    ])
  })

  test('reports unanswered questions as open', () => {
    expect(endingOf(read(ASKED, call('request_user_input', questions)), undefined)).toEqual({
      now: 'waiting for an answer: Which store? (SQLite)',
      questions: ['Which store? (SQLite)', 'Now?'],
    })
  })

  const plan = agent(
    'Here it is.\n<proposed_plan>\n# Plan: Cache the cart\n\n1. Do it\n</proposed_plan>',
  )

  test('recognizes a waiting plan and an accepted plan', () => {
    expect(nowOf(ASKED, plan)).toBe('waiting for a yes to the plan: Cache the cart')
    expect(choicesIn(read(ASKED, plan, user('Implement the plan.')))).toEqual([
      { key: 'plan', value: 'Cache the cart' },
    ])
  })

  test('records no decision for a plan that was only discussed', () => {
    expect(choicesIn(read(ASKED, plan, user('Use Redis instead')))).toEqual([])
  })
})

describe("the user's own words", () => {
  const prompts = (...lines: string[]) =>
    read(...lines).flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []))
  const template = (words: string, outline = 'You are updating the rules.') =>
    `## User Input\n\n\`\`\`text\n${words}\n\`\`\`\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n\n${outline}\n\n2. More`
  const editor =
    '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nFix the cart\n'

  test.each([
    [
      "the text of a command with the user's words",
      template('Add a cart'),
      'updating the rules: Add a cart',
    ],
    [
      'the text of a command that states its name',
      template('Add a cart', 'The text the user typed after `/kit.specify` **is** the feature.'),
      '/kit.specify Add a cart',
    ],
    [
      'the text of a command that states its name, without words',
      template('', 'The text the user typed after `/plan` is the plan.'),
      '/plan',
    ],
    [
      'the text of a command that lists steps',
      template('T001', '1. **Setup**: Run it.\n\n2. **Execute plan workflow**: Follow it to:'),
      'Execute plan workflow: T001',
    ],
    [
      'the text of a command that lists steps, without words',
      template('', '1. Run it\n\n6. Execute implementation following the list:\n   - one'),
      'Execute implementation',
    ],
    [
      'the text of a command with a long purpose and few words',
      template('UC7', `You are listing ${'the faults and the gaps of '.repeat(3)}the plan.`),
      `UC7: listing ${'the faults and the gaps of '.repeat(3)}the plan`,
    ],
    [
      'the text of a command with a long purpose and more words',
      template(
        'Add a cart to every page of the shop',
        `You are listing ${'all faults '.repeat(9)}`,
      ),
      'Add a cart to every page of the shop',
    ],
    [
      'the text of a command whose steps refer to others',
      template('Add a cart', '1. Execute the following steps\n2. Execute `npm test` and see'),
      'Add a cart',
    ],
    [
      'the text of a command whose step handles each item of a list',
      template(
        '',
        '1. Run it\n1. For each task in the list, use the server to create an issue in it.',
      ),
      'For each task in the list, use the server to create an issue in it',
    ],
    [
      'the text of a command that does not state its purpose',
      template('Add a cart', '1. Run it'),
      'Add a cart',
    ],
    [
      'the text of a command that states its purpose, without words',
      template('', 'You are updating the rules at `docs/rules.md`. This file is a template.'),
      'updating the rules',
    ],
    ['the text of a command with its placeholder', template('$ARGUMENTS'), 'updating the rules'],
    ['the context of an editor', editor, 'Fix the cart'],
    ['plain words', 'Explain "## User Input"', 'Explain "## User Input"'],
  ])("finds the user's words in %s", (_, text, words) => {
    expect(prompts(user(text))).toEqual([words])
    const payload = JSON.stringify({ session_id: 's1', prompt: text })
    expect(readPayload('codex', 'UserPromptSubmit', payload)?.prompt).toBe(words)
  })

  test('shows a review as its command, and ignores the instructions that the program adds', () => {
    const told = 'Review the code changes against the base branch. Give findings.'
    const entered = event('entered_review_mode', { user_facing_hint: "changes against 'main'" })
    const review_output = {
      findings: [{ title: '[P1] Keep the key', body: 'x' }],
      overall_explanation: 'One fault was found.',
    }
    const entries = read(
      entered,
      event('user_message', { message: told }),
      user(told),
      event('exited_review_mode', { review_output }),
      user('Mend it'),
    )
    expect(entries).toMatchObject([
      { kind: 'prompt', text: "/review changes against 'main'" },
      { kind: 'assistant', text: 'One fault was found.\n- [P1] Keep the key' },
      { kind: 'prompt', text: 'Mend it' },
    ])
  })

  test('ignores a request by a hook, and keeps the time of prompts and changes', () => {
    const asked = `<hook_prompt hook_run_id="stop:1:/a/hooks.json">Record it.</hook_prompt>`
    expect(prompts(user('Fix the cart'), user(asked))).toEqual(['Fix the cart'])
    const at = '2026-05-01T10:00:00.000000000Z'
    const line = JSON.stringify({ ...JSON.parse(user('Fix the cart')), timestamp: at })
    expect(read(line)).toEqual([{ kind: 'prompt', text: 'Fix the cart', at }])
    const changed = { type: 'patch_apply_end', success: true, changes: { 'a.ts': { add: {} } } }
    expect(read(JSON.stringify({ timestamp: at, type: 'event_msg', payload: changed }))).toEqual([
      expect.objectContaining({ kind: 'tool', at }),
    ])
  })

  test('counts a prompt once that two records tell, and again after an answer', () => {
    const told = [user('A'), event('user_message', { message: 'A' })]
    expect(prompts(...told, agent('Which flag?\n\n- A: keep'), ...told)).toEqual(['A', 'A'])
  })

  test('counts a prompt with a picture once, whether the picture precedes or follows the words', () => {
    const words = 'The [Image #1] is too dark'
    const message = event('user_message', { message: words, local_images: ['/a.png'] })
    const picture = '<image name=[Image #1] path="/home/a/shots/a b.png">'
    for (const parts of [
      [words, picture, '</image>'],
      [picture, '</image>', words],
      ['<image>', '</image>', words],
    ]) {
      const content = parts.map((text) => ({ type: 'input_text', text }))
      const told = item({ type: 'message', role: 'user', content })
      expect(read(told, message)).toMatchObject([{ kind: 'prompt', text: words }])
    }
    const typed = 'Add an <image> tag to the feed'
    expect(read(user(typed))).toMatchObject([{ kind: 'prompt', text: typed }])
  })

  test('reads the text of a command without words or purpose as “…”', () => {
    const text = template('', '1. **Setup**: Run the script.')
    // The turn is separate all the same: its answer does not belong to another request.
    expect(prompts(user(text))).toEqual(['…'])
    const payload = JSON.stringify({ session_id: 's1', prompt: text })
    const signal = readPayload('codex', 'UserPromptSubmit', payload)
    expect(signal).toMatchObject({ kind: 'turn_start', prompt: undefined })
  })

  test('converts a review in JSON to text', () => {
    const review = {
      findings: [{ title: '[P1] Keep the error shape', body: 'x' }],
      overall_correctness: 'patch is incorrect',
      overall_explanation: 'Errors lose their code.',
    }
    const payload = JSON.stringify({
      session_id: 's1',
      last_assistant_message: JSON.stringify(review),
    })
    const words = readPayload('codex', 'Stop', payload)?.lastMessage
    expect(words).toBe(
      'Review: patch is incorrect. Errors lose their code.\n\nNext steps:\n\n- [P1] Keep the error shape',
    )
    expect(read(agent(JSON.stringify(review)))).toEqual([{ kind: 'assistant', text: words }])
    expect(read(agent('{"a": 1}'))).toEqual([{ kind: 'assistant', text: '{"a": 1}' }])
  })
})
