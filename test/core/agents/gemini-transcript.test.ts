/** However a session of Gemini CLI ended, its transcript shows it. Recorded shapes. */

import { askText } from '../../../src/core/summarizer/ask.ts'
import { describe, expect, test } from 'vitest'
import { AGENTS, readPayload } from '../../../src/core/agents/agents.ts'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { choicesIn } from '../../../src/core/report/decisions.ts'
import { endingOf } from '../../../src/core/report/ending.ts'
import { lastPassedTest } from '../../../src/core/turn/test-command.ts'

let ids = 0
const message = (type: string, content: string, toolCalls: object[] = []) => {
  ids += 1
  const timestamp = '2026-02-26T22:00:00.000Z'
  return JSON.stringify({ id: `m${ids}`, timestamp, type, content, toolCalls })
}
const user = (text: string) => message('user', text)
const tools = (...calls: object[]) => message('gemini', '', calls)

function call(name: string, args: object, status: string, response: object = {}) {
  ids += 1
  const id = `${name}-${ids}`
  const result = [{ functionResponse: { id, name, response } }]
  return { id, name, args, status, result, timestamp: '2026-02-26T22:00:01.000Z' }
}
const shell = (command: string, status: string, response: object = {}) =>
  call('run_shell_command', { command, description: 'run it' }, status, response)

const ESC = { error: '[Operation Cancelled] Reason: User cancelled the operation.' }
const NO = { error: '[Operation Cancelled] Reason: User did not allow tool call' }
const DISMISSED = { error: '[Operation Cancelled] Reason: User denied execution.' }

const read = (...lines: string[]): TranscriptEntry[] => AGENTS.gemini.readLines(lines)
const nowOf = (...lines: string[]) => endingOf(read(...lines), undefined)?.now

const ASKED = user('Fix the login')

describe('how a session ends', () => {
  test('names a call that runs or waits for approval', () => {
    for (const status of ['executing', 'awaiting_approval', 'scheduled']) {
      expect(nowOf(ASKED, tools(shell('npm run build', status)))).toContain(
        'no answer yet from: `npm run build`',
      )
    }
  })

  test('recognizes that the user stopped the turn, from a message or from the call', () => {
    const said = nowOf(ASKED, message('info', 'Request cancelled.'))
    const stopped = nowOf(ASKED, tools(shell('npm run build', 'cancelled', ESC)))
    for (const now of [said, stopped]) expect(now).toMatch(/^interrupted by the user/)
    expect(stopped).toContain('stopped in: `npm run build`')
    const times = [
      message('info', 'Request cancelled.'),
      tools(shell('make', 'cancelled', ESC)),
    ].map((line) => read(line).at(-1))
    const [at, later] = ['00', '01'].map((s) => parseInstant(`2026-02-26T22:00:${s}.000Z`)?.instant)
    expect(times).toEqual([
      { kind: 'interruption', at },
      { kind: 'interruption', at: later },
    ])
  })

  test('recognizes accepted, refused and open plans, and ignores a plan with an error', () => {
    const plan = (
      status: string,
      response: object,
      args: object = { plan_filename: 'add_a-login.md' },
    ) => read(ASKED, tools(call('exit_plan_mode', args, status, response))).at(-1)
    const told = (outcome: string, said?: string) => ({
      kind: 'plan',
      plan: { text: 'add a login', outcome, said },
    })
    const rest =
      '\n\nThe plan is stored at: /p/add_a-login.md\nRevise the plan based on the feedback.'
    const yes = {
      output: 'Plan approved. Switching to Default mode.\n\nThe approved plan is at /p.',
    }
    expect(plan('success', yes)).toMatchObject(told('accepted'))
    expect(plan('success', yes, { plan_path: 'C:\\p\\add_a-login.md' })).toMatchObject(
      told('accepted'),
    )
    const no = { output: `Plan rejected. User feedback: no cookies${rest}` }
    expect(plan('success', no)).toMatchObject(told('refused', 'no cookies'))
    expect(
      plan('success', { output: `Plan rejected. No feedback provided.${rest}` }),
    ).toMatchObject(told('refused'))
    expect(plan('cancelled', ESC)).toMatchObject(told('refused'))
    expect(plan('awaiting_approval', {})).toMatchObject(told('open'))
    expect(plan('error', { error: 'Plan file does not exist' })).toMatchObject({ kind: 'prompt' })
  })

  test('reports that the user refused a call', () => {
    expect(nowOf(ASKED, tools(shell('rm -rf build', 'cancelled', NO)))).toContain(
      'the user refused: `rm -rf build`',
    )
    const edit = call('replace', { file_path: 'C:\\shop\\src\\login.ts' }, 'cancelled', NO)
    expect(nowOf(ASKED, tools(edit))).toContain('the user refused: replace login.ts')
  })

  test.each([
    [
      '[API Error: You have exhausted your daily quota on this model.]',
      'daily quota on this model.',
    ],
    [
      '[API Error: {"error":{"message":"{\\n  \\"error\\": {\\n    \\"code\\": 400,\\n    \\"message\\": \\"API key not valid.\\"\\n  }\\n}\\n","code":400,"status":"Bad Request"}}]',
      'API key not valid.',
    ],
    ['⚠️  Response stopped due to malformed function call.', 'Response stopped due to malformed'],
    ['A potential loop was detected. This can happen', 'A potential loop was detected.'],
  ])('reports the error that stopped the program: %s', (text, told) => {
    for (const type of ['error', 'info']) {
      const now = nowOf(ASKED, message(type, text)) ?? ''
      expect(now).toMatch(/^stopped by an error: /)
      expect(now).toContain(told)
    }
  })

  test('ignores other messages of the program', () => {
    const lines = ['Update successful! The new version will be used on your next run.', '']
    expect(read(...lines.map((text) => message('info', text)))).toEqual([])
  })
})

describe('how a call ended', () => {
  const output = (text: string, code?: number) => ({
    output: `Output: ${text}\n${code === undefined ? '' : `Exit Code: ${code}\n`}Process Group PGID: 7`,
  })

  test('recognizes a passing test run, with or without an exit code', () => {
    for (const response of [output('cart ok\n3 passed'), output('cart ok\n3 passed', 0)]) {
      const entries = read(tools(shell('npx vitest run | tail -3', 'success', response)))
      expect(lastPassedTest(entries)?.command).toBe('npx vitest run')
      expect(entries).toMatchObject([{ ran: { output: 'cart ok\n3 passed' } }])
    }
  })

  test.each(['./gradlew build -x test', 'mvn -DskipTests verify', 'python3 -m pytest --version'])(
    'does not treat this command as a test: %s',
    (command) => {
      const entries = read(tools(shell(command, 'success', output('BUILD SUCCESSFUL\n3 passed'))))
      expect(lastPassedTest(entries)).toBeUndefined()
    },
  )

  test('recognizes a failed command even if the tool itself succeeded', () => {
    const entries = read(tools(shell('npx vitest run', 'success', output('3 passed', 1))))
    expect(lastPassedTest(entries)).toBeUndefined()
    expect(entries).toMatchObject([{ failed: 'Exit code 1, 3 passed' }])
  })

  test('counts no written file for a failed or stopped call', () => {
    const write = (status: string, response: object) =>
      read(tools(call('write_file', { file_path: 'a.ts' }, status, response)))
    expect(write('error', { error: 'no such folder' })).toMatchObject([
      { failed: 'no such folder', tool: { files: [] } },
    ])
    expect(write('cancelled', ESC)[0]).toMatchObject({ tool: { files: [] } })
    expect(write('success', { output: 'ok' })).toMatchObject([{ tool: { files: ['a.ts'] } }])
  })
})

describe('what the user decided', () => {
  const ask = (status: string, response: object) =>
    tools(
      call(
        'ask_user',
        {
          questions: [
            {
              header: 'Version',
              type: 'choice',
              question: 'Which one?',
              options: [{ label: 'minor' }],
            },
            { header: 'Notes', type: 'text', question: 'Anything to say?' },
          ],
        },
        status,
        response,
      ),
    )

  test('reads answers by the position of their question', () => {
    const answered = ask('success', { output: '{"answers":{"0":"minor","1":" "}}' })
    expect(choicesIn(read(answered))).toEqual([
      { key: 'version', value: 'minor (asked: Which one?)' },
    ])
  })

  test.each(['yes', 'Go', 'why?', 'please look for it yourself', 'a line of a log '.repeat(20)])(
    'records no decision for a free-text answer: %s',
    (said) => {
      const chosen = (other: string) =>
        choicesIn(
          read(
            ask('success', { output: JSON.stringify({ answers: { '0': 'minor', '1': other } }) }),
          ),
        )
      expect(chosen(said)).toHaveLength(1)
      expect(chosen('Keep the file')).toHaveLength(2)
    },
  )

  test('reports a dismissed question as open, and ignores one that the program rejected', () => {
    const asked = ask('cancelled', DISMISSED)
    expect(endingOf(read(ASKED, asked), undefined)).toEqual({
      now: 'waiting for an answer: Which one? (minor)',
      questions: ['Which one? (minor)', 'Anything to say?'],
    })
    expect(read(ask('error', { error: 'header must NOT have more than 16 characters' }))).toEqual(
      [],
    )
  })
})

test('takes no prompt from a turn that the program started', () => {
  const text = 'System: Please continue.'
  expect(read(ASKED, user(text))).toHaveLength(1)
  expect(read(ASKED, user(askText('gemini', 's1')))).toHaveLength(1)
  expect(read(ASKED, user('[Function Response: read_file]--- a.ts ---'))).toHaveLength(1)
  for (const prompt of [text, askText('gemini', 's1')]) {
    const payload = JSON.stringify({ session_id: 's1', prompt })
    const signal = readPayload('gemini', 'BeforeAgent', payload)
    expect(signal).toMatchObject({ kind: 'turn_start', prompt: undefined })
  }
})

test('counts a shell command as a prompt only if the model answers it', () => {
  const talk = [ASKED, message('gemini', 'It holds.'), user('!git fetch')]
  const said = (...lines: string[]) =>
    read(...lines).flatMap((entry) => ('text' in entry ? [entry.text] : []))
  expect(said(...talk)).toEqual(['Fix the login', 'It holds.'])
  const all = ['Fix the login', 'It holds.', '!git fetch', 'Fetched.']
  expect(said(...talk, message('gemini', 'Fetched.'))).toEqual(all)
})

test('puts the title of the session first, from lines and from a document', () => {
  const told = [
    { kind: 'title', text: 'Fix the login.' },
    { kind: 'prompt', text: 'Fix the login', at: expect.anything() },
  ]
  expect(read(ASKED, JSON.stringify({ $set: { summary: 'Fix the login.' } }))).toEqual(told)
  const document = { messages: [JSON.parse(ASKED)], summary: 'Fix the login.' }
  expect(read(...JSON.stringify(document, undefined, 2).split('\n'))).toEqual(told)
})
