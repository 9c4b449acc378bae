/** Prompts as people type them, and which of them becomes the goal. */

import { describe, expect, test } from 'vitest'
import type { Prompt } from '../../../src/core/report/first-request.ts'
import { goalIn } from '../../../src/core/report/goal.ts'
import { promptLine } from '../../../src/core/prompt/prompt-line.ts'
import { isDenial } from '../../../src/core/prompt/request.ts'
import { orGivenUp } from '../../support/or-given-up.ts'

const goal = (...prompts: string[]) =>
  goalIn(
    prompts.map((text) => ({ text, deeds: 1, changes: 1 })),
    160,
  )

describe('a prompt as one line', () => {
  test.each([
    ['Implement the following plan:\n\n# Plan: Count per user\n\n## Context\nx', 'Count per user'],
    ['# Implementation Plan: Count per user\n\n1. a', 'Count per user'],
    ['hi claude, please fix the login page', 'fix the login page'],
    ['ok now commit this', 'commit this'],
    ['ok , now can you commit this', 'can you commit this'],
    ['okay so far we have a parser', 'so far we have a parser'],
    ['### Now - [ ] wire it in', 'wire it in'],
    ['@src/a.ts explain the cache', 'explain the cache'],
    ['[Image #3] the button is too wide', 'the button is too wide'],
    ['https://example.invalid/runs/1\nthe build is failing in CI', 'the build is failing in CI'],
    ['https://example.invalid/runs/1', 'https://example.invalid/runs/1'],
    ['User-Anfrage: "mach die Seite blau"', 'User-Anfrage: "mach die Seite blau"'],
    [
      'Der Server läuft schon im Hintergrund.\nUser-Anfrage: "mach die Seite blau"',
      'User-Anfrage: "mach die Seite blau"',
    ],
    ['/plan-page\nthe page of the prices', '/plan-page. the page of the prices'],
    ['P4\n/plan-page the page of the prices', '/plan-page the page of the prices'],
    ['/plan-page\n/home', '/plan-page'],
    ['very nice.. now lets add a page of the prices', 'lets add a page of the prices'],
    ['good and simple prices for all', 'good and simple prices for all'],
    ['nice next page, make it blue', 'nice next page, make it blue'],
    ['nice page, now make it blue', 'nice page, now make it blue'],
    ['good morning, we have no prices', 'good morning, we have no prices'],
    ['execute this plan docs/plan.md', 'execute this plan docs/plan.md'],
    ['log in with password: hunter2 and test it', 'log in with password: [...] and test it'],
    ['log in, mot de passe : hunter2', 'log in, mot de passe : [...]'],
    ['log in, 密码：hunter2', 'log in, 密码：[...]'],
    ['log in, password: hunter!', 'log in, password: [...]'],
    ...[
      'log in with password: [redacted: password] to call it',
      'log in with [redacted: password] v2',
    ].map((redacted) => [redacted, redacted]),
    ['my password is hunter! try it', 'my password is [...] try it'],
    ['the page asks for no password anymore.', 'the page asks for no password anymore.'],
    ['/home/ada/a.md /home/ada/b.md fix both of them', 'fix both of them'],
    ['/home/ada/a.md fix both of them', '/home/ada/a.md fix both of them'],
    ['你现在是一个严谨的工程师。\n修复登录页面的错误', '修复登录页面的错误'],
    ['项目路径：当前目录\n\n## 🎯 总目标\n\n修复登录页面的错误', '修复登录页面的错误'],
    ['Explain these two:\n- a\n- b', 'Explain these two: a b'],
    ['yes', 'yes'],
    ['gemini extensions install x', 'gemini extensions install x'],
    ['claude, rename it', 'rename it'],
    ['two failures ⎯⎯⎯⎯⎯⎯ in a.ts', 'two failures in a.ts'],
    ['🐛 fix the parser', '🐛 fix the parser'],
    [
      'You are orchestrating a swarm.\n\n🎯 **OBJECTIVE:** add a REST API\n\nMode: fast',
      'OBJECTIVE: add a REST API. Mode: fast',
    ],
    ['Act as an expert in Linux.\nWrite a script for the fan.', 'Write a script for the fan.'],
    ['# Role\nYou are a lead engineer.\n# Task\nRefactor the page.\n- a', 'Refactor the page.'],
    ['Agis en tant que juriste.\nÉcris une licence.', 'Écris une licence.'],
    ['You are Iron Loop, a tireless agent.\nMend the guide.', 'Mend the guide.'],
    ['You are right, the guide is old.\nMend it.', 'You are right, the guide is old. Mend it.'],
    [
      'Execute implementation: Please review milestone 2 of the plan. Complete milestone 3 after that.',
      'Execute implementation: Please review milestone 2 of the plan. Complete milestone 3 after that.',
    ],
    ['ultrathink find the leak in the cache', 'find the leak in the cache'],
    ['Answer in French', 'Answer in French'],
    ['mend the guide :', 'mend the guide'],
    ['You are a writer. Mend the guide.', 'You are a writer. Mend the guide.'],
    ['Objective: add a REST API\nMode: fast', 'Objective: add a REST API. Mode: fast'],
    [
      '🚨 TASK: change all of it\nUser request: "show a map"\n1. Read',
      'User request: "show a map"',
    ],
    [
      'HIVE\n📌 Swarm: one\n🎯 Objective: mend the login of all',
      'Objective: mend the login of all',
    ],
    ['OCR結果に番号を表示する機能を追加します。', 'OCR結果に番号を表示する機能を追加します。'],
    [
      '12:00:01.1 Running build\n12:00:01.2 Cloning\n12:00:02.1 ok\n12:00:03.1 Error: two routes\n12:00:04.1 a\n12:00:05.1 b',
      'Error: two routes',
    ],
  ])('%j', (prompt, line) => {
    expect(promptLine(prompt, 160)).toBe(line)
  })

  test('keeps a remark with the request after it, and drops what follows a request', () => {
    const remark = 'The docs are old, and most of what they describe was never built.'
    const request = 'Write a plan for the importer and its tests.'
    const rest = 'It has to work in every worktree, on every machine that we have. '.repeat(9)
    expect(promptLine(`${remark}\n${request} ${rest}`, 300)).toBe(`${remark} ${request}`)
    expect(promptLine(`${request} ${rest}`, 300)).toMatch(/^Write a plan .* we have\.$/)
    expect(promptLine(`${remark} ${request}`, 90)).toBe(`${remark}`)
    expect(promptLine('対応しました。次は表を直してください。', 300)).toBe(
      '対応しました。次は表を直してください。',
    )
  })
})

describe('the goal', () => {
  test.each([
    [
      ['q', '8', 'Switch the keys from derived to random'],
      'Switch the keys from derived to random',
    ],
    [
      ['switch to the phase 12 branch', 'persist the email of the user'],
      'persist the email of the user',
    ],
    [['commit and update changelog'], undefined],
    [['continue development of phase 4'], 'continue development of phase 4'],
    [
      ['see the page', 'continue building our pages and the data of each'],
      'see the page; then: continue building our pages and the data of each',
    ],
    [['$plan-sprint'], '$plan-sprint'],
    [['help me upgrade gemini first'], 'help me upgrade gemini first'],
    [['help us to fix it now please'], 'help us to fix it now please'],
    [['help'], undefined],
    [
      ['Tests 5 and 6 are failing in CI, please fix them'],
      'Tests 5 and 6 are failing in CI, please fix them',
    ],
    [
      ['GET /api/cart 500 in 3 seconds after the deploy'],
      'GET /api/cart 500 in 3 seconds after the deploy',
    ],
    [
      ['✖ button in the dialog does nothing, fix it'],
      '✖ button in the dialog does nothing, fix it',
    ],
    [['come mai serve anche questo?', 'fix the parser'], 'fix the parser'],
    [['pourquoi faut-il aussi celui-ci ?'], 'pourquoi faut-il aussi celui-ci ?'],
    [['Execute plan workflow'], 'Execute plan workflow'],
    [['Execute implementation: T012, 13'], 'Execute implementation: T012, 13'],
    [['Execute plan workflow', 'fix the parser'], 'fix the parser'],
    [['$plan-sprint', 'fix the parser'], 'fix the parser'],
    [['continue with the next task of the plan'], undefined],
    [['proceed with option 2'], undefined],
    [['continue what you were doing'], undefined],
    [['continue until you are done'], undefined],
    [
      ['vite v5 breaks the build of the admin app, please fix it'],
      'vite v5 breaks the build of the admin app, please fix it',
    ],
    [
      ['sudo docker ps fails since today on all hosts'],
      'sudo docker ps fails since today on all hosts',
    ],
    [['why does it fail?'], 'why does it fail?'],
    [['what does this print?', 'make it print the total'], 'make it print the total'],
    [['can you make it print the total?'], 'can you make it print the total?'],
    [['fix RegisterActivity'], 'fix RegisterActivity'],
    [
      ['merge the two parsers into one module that both commands and hooks can use'],
      'merge the two parsers into one module that both commands and hooks can use',
    ],
    [['/gsd:execute-phase 14'], '/gsd:execute-phase 14'],
    [['/quick write a protocol for metadata'], '/quick write a protocol for metadata'],
    [['/gsd:progress', 'fix the flaky e2e test'], 'fix the flaky e2e test'],
    [['修正してください'], '修正してください'],
    [['TypeError: x is not a function'], 'TypeError: x is not a function'],
    [['/gsd:execute-phase 14', 'because it is there, I think'], '/gsd:execute-phase 14'],
    [['안녕'], undefined],
    [['I closed you, where did we leave off', 'fix the parser'], 'fix the parser'],
    [['https://example.invalid/a', 'fix the parser'], 'fix the parser'],
    [['Unhandled error in the parser'], 'Unhandled error in the parser'],
    [['history'], undefined],
    [['npm run dev', 'the build is failing again'], 'the build is failing again'],
    [['npm run dev'], undefined],
    [['npm i -g prettier', 'сделала, что дальше?'], 'npm i -g prettier'],
    [['git status', 'сделала, что дальше?'], 'сделала, что дальше?'],
    [
      ['git push does not work here, can you mend it'],
      'git push does not work here, can you mend it',
    ],
    [
      ['# /run-spec — Execute a spec\n\nPurpose: run one file.'],
      '/run-spec — Execute a spec. Purpose: run one file.',
    ],
    [['{"status":404}', 'fix the route'], 'fix the route'],
    [['whats my address?', 'fix the route'], 'fix the route'],
    [['(base) me@box:~/app$ npm run dev', 'fix the route'], 'fix the route'],
    [['➜ app git:(main) ✗ git push', 'fix the route'], 'fix the route'],
    [['me@Mac app % npm run dev', 'fix the route'], 'fix the route'],
    [['bash: /etc/udev/rules.d/: Is a directory', 'fix the route'], 'fix the route'],
    [
      ["cp: missing file operand\nTry 'cp --help' for more information.", 'fix the route'],
      'fix the route',
    ],
    [
      ['THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.', 'fix the route'],
      'fix the route',
    ],
    [['/home/ada/api/src', 'fix the route'], 'fix the route'],
    [['docs/plan.md'], 'docs/plan.md'],
    [['auth.js:26 POST https://example.invalid/a failed', 'fix the route'], 'fix the route'],
    [['it is fine', 'fix the route'], 'fix the route'],
    [['mail me@example.invalid: 5 % are lost'], 'mail me@example.invalid: 5 % are lost'],
    [
      ["it's not the header, instead, write the route into the footer"],
      "it's not the header, instead, write the route into the footer",
    ],
    [["that's good, now add a footer"], "that's good, now add a footer"],
    [["it's wrong, if you use it twice", 'fix the route'], 'fix the route'],
    [['that works now!!', 'fix the route'], 'fix the route'],
    [['I was on that page. It is blue.', 'fix the route'], 'fix the route'],
    [
      ['I was on that page. Can you make it blue?', 'fix the route'],
      'I was on that page. Can you make it blue?; then: fix the route',
    ],
    [['api-1 | auth.denied { reason: 3 }', 'fix the route'], 'fix the route'],
    [
      ['почини разбор дат', 'добавь тест для всех дат в футере'],
      'почини разбор дат; then: добавь тест для всех дат в футере',
    ],
    [['INFO: 127.0.0.1 - "GET /api HTTP/1.1" 500', 'fix the route'], 'fix the route'],
  ])('%j', (prompts, expected) => {
    expect(goal(...prompts)).toBe(expected)
  })

  test('joins the first request with the last that is a separate task', () => {
    const first = { text: 'Fix the date of the footer', deeds: 1, changes: 1 }
    const last = {
      text: 'Let the parser read the dates of all footers',
      deeds: 2,
      changes: 2,
    }
    const both = `${first.text}; then: ${last.text}`
    expect(goalIn([first, last], 160)).toBe(both)
    for (const text of [
      'yes',
      'commit this',
      'go on with the plan',
      'that is wrong',
      'implement it',
      'but the footer of a page in another language has no date at all',
    ]) {
      expect(goalIn([first, last, { text, deeds: 3, changes: 3 }], 160)).toBe(both)
      expect(goalIn([first, { text, deeds: 3, changes: 3 }], 160)).toBe(first.text)
    }
    const asked = { text: 'the colour is still not what I wanted', deeds: 0, changes: 0 }
    const thanks = { text: 'thanks', deeds: 0, changes: 0 }
    expect(goalIn([first, last, asked, thanks], 160)).toBe(both)
    // The newest request of all is what the session is about now.
    expect(goalIn([first, last, asked], 160)).toBe(`${both}; then: ${asked.text}`)
    expect(goalIn([first, asked], 160)).toBe(`${first.text}; then: ${asked.text}`)
    // A report of a fault in the result is not another task, unless it asks for one.
    const fails = 'the test of the footer fails with the same two lines'
    const fault = { ...last, text: fails }
    expect(goalIn([first, last, fault, thanks], 160)).toBe(both)
    const more = { ...last, text: `${fails}, can you try another runner` }
    expect(goalIn([first, more, thanks], 200)).toBe(`${first.text}; then: ${more.text}`)
    const yes = 'yes, and make the importer run on a machine that has no network at all'
    expect(goalIn([first, { text: yes, deeds: 0, changes: 0 }], 160)).toMatch(
      /; then: make the importer/,
    )
  })

  test('does not name a repetition of the first request or a side question as another task', () => {
    const first = {
      text: 'Fix the date of the footer on all pages',
      deeds: 1,
      changes: 1,
    }
    const again = {
      text: `<ide_opened_file>a.ts</ide_opened_file>\n${first.text}`,
      deeds: 1,
      changes: 1,
    }
    expect(goalIn([first, again], 160)).toBe(first.text)
    const aside = {
      text: 'I have never done anything like that before. Did you?',
      deeds: 0,
      changes: 0,
    }
    expect(goalIn([first, aside], 160)).toBe(first.text)
    const asked = {
      text: 'can you bring the footers of last year back?',
      deeds: 0,
      changes: 0,
    }
    expect(goalIn([first, asked], 160)).toBe(`${first.text}; then: ${asked.text}`)
  })

  test('joins a request with copied line breaks, and recognizes a shortened repetition', () => {
    const wrapped = 'Let the parser of the importer read the dates of\nall footers\nSee the docs'
    expect(goal(wrapped)).toBe(
      'Let the parser of the importer read the dates of all footers. See the docs',
    )
    const long = 'Fix the date of the footer on all pages <img src="a.png"/>, please'
    expect(goal(long, 'Fix the date of the footer on all pages')).not.toMatch(/then|img/)
  })

  test('ignores what need not be done or is only asked about', () => {
    const first = 'Fix the date of the footer on all pages'
    expect(goal(first, "No, you don't need to touch the footer of the shop")).toBe(first)
    const wanted = 'No, I want to see whether my plan is right. How would one test it?'
    const asked = { text: wanted, deeds: 0, changes: 0 }
    expect(goalIn([{ text: first, deeds: 1, changes: 1 }, asked], 160)).toMatch(
      /; then: No, I want/,
    )
    const tag = { text: '好 那个页脚的日期已经改好了对吧', deeds: 0, changes: 0 }
    expect(goalIn([{ text: first, deeds: 1, changes: 1 }, tag], 160)).toBe(first)
  })

  test('without a request, takes what work was done for, or the session title, but prefers a command to the title', () => {
    const none = { text: 'go on', deeds: 0, changes: 0 }
    const short = { text: '새폴더 이름', deeds: 1, changes: 1 }
    expect(goalIn([none, short], 160)).toBe(short.text)
    expect(goalIn([none, { ...short, deeds: 0 }], 160)).toBeUndefined()
    const command = { text: '/find-pages', deeds: 0, changes: 0 }
    expect(goalIn([command, short], 160, 'Implement /find-pages command')).toBe('/find-pages')
    expect(goalIn([short], 160, 'Name a folder')).toBe('Name a folder')
    expect(goal('/init', 'which pages are there at all?')).toBe('which pages are there at all?')
  })

  test('treats four Korean words as a request', () => {
    const first = 'Fix the date of the footer on all pages'
    const second = '화면을 리팩토링. 영문을 한글로 변경'
    expect(goal(first, second)).toBe(`${first}; then: ${second}`)
    expect(goal(first, '버튼은 검은 색으로')).toBe(first)
  })

  test('prefers a named objective to rules that do not mention it', () => {
    const rules = 'You keep to the rules of the house.\nRun the tests when it matters.\n'
    const aim = 'OBJECTIVE: `shop pages` prints which pages are slow'
    expect(goal(`${rules}${aim}\nSCOPE: the pages of the shop`)).toMatch(/^OBJECTIVE: `shop pages`/)
    expect(goal('Role.\nTask: back to pages\nGoal: All is still.')).toMatch(/^Task: back to pages/)
    expect(goal(`Fix the footer\n${aim}`)).toMatch(/^Fix the footer/)
    expect(goal(`Look at this:\nobjective: str\nfacts: list`)).toMatch(/^Look at this/)
  })

  test("keeps the end of a long pasted text, which contains the user's request", () => {
    const report = Array.from(
      { length: 9 },
      (_, i) => `Part ${i} was staged, committed and pushed.`,
    )
    const pasted = [
      ...report,
      'All that is needed for the release was seen to by the team.'.repeat(5),
    ]
    const own = 'can you look whether the server agrees'
    const both = goal([...pasted, own].join('\n'))
    expect(both).toMatch(/^Part 0 was staged.* … can you look whether the server agrees$/)
    expect(both?.length).toBeLessThanOrEqual(160)
    const error = 'error: the release has no number'
    expect(goal([...pasted, error].join('\n'))).toMatch(/ … error: the release has no number$/)
    const cut = [
      ...pasted,
      'What is needed of them is a team that seeks',
      'the end of the line with us',
    ]
    expect(goal(cut.join('\n'))).not.toContain(' … ')
    for (const end of [
      '● Read the first of all files of the page',
      '- and every item of the list is done',
      'thanks, all',
      'When all is done, the number of the release goes up by one.',
    ]) {
      expect(goal([...pasted, end].join('\n'))).not.toContain(' … ')
    }
    expect(goal(['Fix the footer of the page', ...pasted, own].join('\n'))).not.toContain(' … ')
    expect(goal(['I want it mended', ...pasted, own].join('\n'))).not.toContain(' … ')
    expect(goal([...report.slice(0, 3), own].join('\n'))).not.toContain(' … ')
  })

  test('takes the request from below a heading that follows rules and roles', () => {
    const rules = '# Project rules\n\nEvery feature has a folder of its own.\n\n'
    for (const title of ['# Task', '## Your task:', '# Request']) {
      expect(goal(`${rules}${title}\nMay prices.ts read the clock in the shop? Say why.`)).toMatch(
        /^May prices\.ts read the clock/,
      )
    }
    expect(goal(`${rules}# Tasks of a clerk\nCount the money.`)).toMatch(/^Project rules/)
  })

  test('fits a short request beside a long first or last one', () => {
    const long = 'Let every importer read the dates of all footers in all languages. '.repeat(9)
    const goals = [
      goalIn(
        [
          { text: long, deeds: 1, changes: 1 },
          { text: 'Add a limit to the API', deeds: 1, changes: 1 },
        ],
        200,
      ),
      goalIn(
        [
          { text: 'Add a limit to the API', deeds: 1, changes: 1 },
          { text: long, deeds: 1, changes: 1 },
        ],
        200,
      ),
    ]
    expect(goals[0]).toMatch(/^Let every importer .*; then: Add a limit to the API$/)
    expect(goals[1]).toMatch(/^Add a limit to the API; then: Let every importer /)
    for (const one of goals) expect(one?.length).toBeLessThanOrEqual(200)
  })

  test('counts a prompt once that was sent unfinished or repeatedly', () => {
    const whole = 'Find out why the importer fails on dates of the last century'
    expect(goal('Find out why the importer f', whole)).toBe(whole)
    expect(goal('Find out why the importer fails on dates of the last centuri', whole)).toBe(whole)
    expect(goal(whole, whole)).toBe(whole)
    expect(goal(whole, 'fix the route', whole)).toBe(`${whole}; then: fix the route`)
    expect(goal('fix it', 'fix it all over the place, please')).toMatch(/^fix it; then: /)
  })

  test('separates requests with the same beginning if something was done for the first', () => {
    const [one, two] = [
      'Add a test for the widget on page 1',
      'Add a test for the widget on page 2',
    ]
    const asked = (wasBegun: boolean, deeds: number) => [
      { text: one, deeds, changes: deeds, wasBegun },
      { text: two, deeds: 1, changes: 1, wasBegun: true },
    ]
    expect(goalIn(asked(false, 0), 160)).toBe(two)
    expect(goalIn(asked(true, 1), 160)).toBe(`${one}; then: ${two}`)
    // Only a command was run for the first, and it changed nothing.
    expect(goalIn(asked(true, 0), 160)).toBe(`${one}; then: ${two}`)
    const three = { text: two.replace('2', '3'), deeds: 1, changes: 1, wasBegun: true }
    const pages = asked(true, 5).map((each) => ({ ...each, changes: 5 }))
    expect(goalIn([...pages, three], 160)).toBe(`${one}; then: ${two}; then: ${three.text}`)
    expect(goalIn([...asked(true, 1), ...asked(true, 1).slice(0, 1)], 160)).toContain(two)
  })

  test('joins a command with the reply to it, unless the reply is a task', () => {
    expect(goal('/plan-page', '2', 'the page of the prices')).toBe(
      '/plan-page: the page of the prices',
    )
    expect(goal('/plan-page', 'CR', 'docs/pages/prices.md')).toBe(
      '/plan-page: docs/pages/prices.md',
    )
    expect(goal('/plan-page', 'Fix the colour')).toBe('Fix the colour')
    expect(goal('the page of the prices', '/plan-page')).toBe('the page of the prices')
    expect(goal('/check-page', '/plan-page the page of the prices')).toBe(
      '/plan-page the page of the prices',
    )
  })

  test('omits a request that only objects', () => {
    const [dropped, no] = ['Can we move to the new model of the parser?', 'no, leave it as it is']
    const asked = 'Send me the prices of all pages each morning'
    const prompts = [dropped, no, asked].map((text) => ({ text, deeds: 0, changes: 0 }))
    expect(goalIn(prompts, 160)).toBe(`${dropped}; then: ${asked}`)
    expect(goal('…', 'нет, я тебя просил говорить со мной на русском', asked)).toBe(asked)
    expect(goal(dropped, asked)).toContain(dropped)
    // A corrected request is still the request; the first prompt objects to nothing.
    const first = 'Add a footer with the date to all pages'
    expect(goal(first, 'no, only to the page of the prices', asked)).toContain(first)
    const said = [first, 'no, only to the page of the prices']
    const idle = said.map((text) => ({ text, deeds: 0, changes: 0 }))
    expect(goalIn([...idle, { text: asked, deeds: 1, changes: 1 }], 160)).toContain(first)
    const none = 'No test passes on the server, please look into it'
    expect(goal(none, asked)).toContain(none)
    expect(goalIn(prompts.slice(0, 2), 160)).toBe(dropped)
  })

  test('names no remark, bare question or objection as the newest task', () => {
    const first = { text: 'Fix the date of the footer on all pages', deeds: 2, changes: 2 }
    const newest = (text: string, more: Partial<Prompt> = {}) =>
      goalIn([first, { text, deeds: 0, changes: 0, ...more }], 200)
    for (const text of [
      'what did we replace the old parser with',
      'do i need to start the server of the shop for that',
      'can you fix this one?',
      'No, the shop has had that footer for a year',
    ]) {
      expect(newest(text), text).toBe(first.text)
    }
    expect(newest('do we take that out? If so, add the test of it')).toContain('; then: do we')
    // Typed into the running turn, whose changes are not for the question.
    const typed = { deeds: 3, changes: 3, isAddition: true }
    expect(newest('is the name of the footer the one from the shop?', typed)).toBe(first.text)
    for (const text of ['all well now?', 'why is it so']) {
      expect(newest(text, { deeds: 1, changes: 1, hasChanged: true }), text).toBe(first.text)
    }
    const command = '/shop:plan-page 12'
    expect(newest(command)).toBe(`${first.text}; then: ${command}`)
  })

  test('begins with the question that the first request points back to', () => {
    const asked = (text: string, changes = 0) => ({ text, deeds: changes, changes })
    const [question, more] = ['Is the search of the shop planned?', 'how much work is it?']
    const request = "let's get this into the next release, after the footers"
    const both = `${question}; then: ${request}`
    expect(goalIn([asked(question), asked(request, 2)], 200)).toBe(both)
    const [near, other] = ['do we add it to a release?', 'which release comes next?']
    expect(goalIn([asked(question), asked(near), asked(request, 2)], 200)).toBe(both)
    expect(goalIn([asked(question), asked(other), asked(request, 2)], 200)).toBe(
      `${other}; then: ${request}`,
    )
    expect(goalIn([asked(more), asked('Fix the footer of this page', 2)], 200)).toBe(
      'Fix the footer of this page',
    )
  })

  test('leaves room for the first request, whatever comes before and after it', () => {
    const asked = (text: string, changes: number) => ({ text, deeds: changes, changes })
    const more = ' in the shop of the pages'.repeat(6)
    const [question, first] = [`why is the list so slow${more}?`, `Let's fix this${more}`]
    const later = ['Add a test of the list', 'Write the docs', 'Make a page'].map((text) =>
      asked(`${text}${more}`, 2),
    )
    const last = {
      ...asked(`ok, but${more}`, 1),
      reply: `“ok, but” to “${more}”`,
      hasChanged: true,
    }
    const goal = goalIn([asked(question, 0), asked(first, 3), ...later, last], 480) ?? ''
    expect(goal).toMatch(/^Let's fix this in the shop.*; then: Make a page.*; then: “ok, but”/)
    expect(goal.length).toBeLessThanOrEqual(480)
  })

  test('omits a question that was typed while the agent worked for something else', () => {
    const first = { text: 'Send me the prices of all pages each morning', deeds: 2, changes: 2 }
    const aside = { text: 'does it have the prices of the shop as well', deeds: 1, changes: 1 }
    expect(goalIn([first, aside], 200)).toBe(`${first.text}; then: ${aside.text}`)
    expect(goalIn([first, { ...aside, isAddition: true }], 200)).toBe(first.text)
  })

  test('counts a request in two scripts as one that says what it is about', () => {
    const first = 'Send me the prices of all pages each morning'
    expect(goal(first, 'fix it 把按钮改成红色的')).toBe(`${first}; then: fix it 把按钮改成红色的`)
    expect(goal(first, 'fix it now!!')).toBe(first)
  })

  test('keeps a long first request that was only committed, and a report that is put as a question', () => {
    const work = { text: 'Fix the date of the footer', deeds: 2, changes: 2 }
    const long = 'Take over from the team of last week, and lead the move to the new shop'
    expect(goalIn([{ text: long, deeds: 1, changes: 0 }, work], 200)).toContain(long)
    const report = 'Seems we lost the prices at the end of the page?'
    expect(goalIn([{ text: report, deeds: 0, changes: 0 }, work], 200)).toContain(report)
    const told = 'I changed it already. So it is sent to the shop from now on?'
    expect(goalIn([{ text: told, deeds: 0, changes: 0 }, work], 200)).toBe(work.text)
  })

  test('joins a command only with what was said right after it', () => {
    expect(goal('/plan-page', 'where are the pages of the shop?', 'the page of the prices')).toBe(
      'the page of the prices',
    )
  })

  test('ignores pasted logs, style sheets and shell commands, but not the request below them', () => {
    const asked = 'Show the prices on each page'
    for (const pasted of [
      '.badge.is-new { display: flex;\n  gap: 6px; }',
      'vite v5.4.21 building for production...',
      'For further information visit https://errors.example/2/missing',
      'Traceback (most recent call last):',
      ' RUN  v1.6.1 /home/ada/shop with all of its tests',
      '✖ 4 problems (4 errors, 0 warnings) in the whole shop',
      'sudo chown -R ada:ada /home/ada/shop/.git/objects /home/ada/shop/.git/refs/heads/main',
    ]) {
      expect(goal(asked, pasted), pasted).toBe(asked)
      const below = goal(`${pasted}\n\nPlease mend the colour of it on this page`)
      expect(below, pasted).toBe('mend the colour of it on this page')
    }
  })

  test('names each request in a list', () => {
    const list =
      '1. Add a mark before the name of each argument that may change. Keep the old one.\n2. Update the README\n3. Run the tests'
    expect(goal(`Could you…\n\n${list}`)).toBe(
      'Could you… Add a mark before the name of each argument that may change; Update the README; Run the tests',
    )
  })

  test('does not add what follows a list to the list', () => {
    const rules = 'Do not:\n- delete old rows\n- touch the schema'
    const list =
      '1. Read the rows of each table of the shop, one after the other\n2. Write to the store'
    const line = goal(`Implement the importer.\n${list}\n\n${rules}`)
    expect(line).toContain('Write to the store')
    expect(line).not.toContain('delete old rows')
  })

  test('names as many list items as fit, without their nested items', () => {
    const items = Array.from(
      { length: 20 },
      (_, i) => `- Mend page ${i} of the shop\n  - with care`,
    )
    const line = goal(
      `Please mend these pages of the shop, one after the other:\n${items.join('\n')}`,
    )
    expect(line?.length).toBeLessThanOrEqual(160)
    expect(line).toContain('Mend page 1 of the shop')
    const few =
      'Add a mark before the name of each argument that may change, please:\n- Add it to the parser\n  - and its tests\n- Update the README'
    expect(goal(few)).not.toContain('tests; Update')
  })

  test('joins a command with the choice from its menu', () => {
    const asked = (text: string, reply?: string) => ({
      text,
      deeds: 0,
      changes: 0,
      reply,
    })
    const choice = '“CA” to “Create the architecture”'
    expect(goalIn([asked('/architect'), asked('CA', choice)], 160)).toBe(
      `/architect; then: ${choice}`,
    )
    expect(goalIn([asked('/architect'), asked('/review', '“/review” to “Shall I?”')], 160)).toBe(
      '/architect',
    )
    expect(goalIn([asked('Mend the login of the shop'), asked('b', '“b” to “redis”')], 160)).toBe(
      'Mend the login of the shop',
    )
  })

  test("prefers the user's request to the description of a command", () => {
    const asked = 'Let the importer read dates with a time'
    expect(goal('updating the rules of the house', asked)).toBe(asked)
    expect(goal('updating the rules of the house')).toBe('updating the rules of the house')
    expect(goal('bring the old dates back', asked)).toMatch(/^bring the old dates back; then: /)
  })

  test('keeps the limit, however long the name of a command is', () => {
    const last = 'Let the parser read the dates of all footers of all pages. '.repeat(5)
    for (const length of [20, 100, 150, 159]) {
      const name = `/${'a'.repeat(length)}`
      expect(goal(name, 'the page of the prices', last)?.length).toBeLessThanOrEqual(160)
    }
  })

  test("takes the user's words below pasted output", () => {
    const output = '│ user.balance -= amount │\n╰─────╯\n✓ ReadFile views.py'
    expect(goal(`${output}\nusers who have enough still cannot buy`)).toBe(
      'users who have enough still cannot buy',
    )
    expect(
      goal('$ npm run dev\nerror: No port in the settings\nplease fix it, we no longer use that'),
    ).toBe('fix it, we no longer use that. error: No port in the settings')
    const pushed = 'Counting objects: 9, done.\nremote: Resolving deltas\nWriting objects: 9, done.'
    const refused =
      'remote: error: GH013: Rule violations found for main.\nremote: - it is too large'
    expect(goal(`git push origin main\n${pushed}\n${refused}`)).toBe(
      'git push origin main. error: GH013: Rule violations found for main.',
    )
    expect(
      goal(`git push origin main\n${pushed}\n${refused}\nplease mend it, or tell me how to`),
    ).toMatch(/mend it/)
    expect(goal('Work on this issue:\n<issue id="1">\n<title>Show the prices</title>')).toMatch(
      /Show the prices/,
    )
    const stamped = '12:00:01.1 Running build in a machine\n12:00:02.1 Cloning the repository'
    expect(goal('Fix the colour', stamped)).toBe('Fix the colour')
    expect(goal('Read it.\n\n--- Content from referenced files ---\nAdd x')).toBe(goal('Read it.'))
  })

  test('takes the session title of the program when the first prompt names no task', () => {
    const title = 'fix-dates-of-footers'
    const asked = (text: string) => [{ text, deeds: 0, changes: 0 }]
    for (const prompts of [asked('hm'), asked('/pm')]) {
      expect(goalIn(prompts, 160, title)).toBe('fix dates of footers')
    }
    // A model wrote the title: the user's own words say more.
    for (const words of ['why is it so?', 'Fix the colour']) {
      expect(goalIn([...asked('hm'), ...asked(words)], 160, title)).toBe(words)
    }
    const tasks = [
      'Fix the footer',
      '# Plan: footers',
      'the footers of all pages show the wrong date',
    ]
    for (const task of tasks) expect(goalIn(asked(task), 160, title)).toBe(goal(task))
    expect(goalIn([], 160, title)).toBeUndefined()
  })

  test('omits a question that was only looked up before the work', () => {
    const work = { text: 'Fix the date of the footer', deeds: 2, changes: 2 }
    const asks = (text: string, deeds = 0) => goalIn([{ text, deeds, changes: deeds }, work], 160)
    for (const text of [
      'whats my localhost address',
      'check the folder and the whole project',
      'can you show me the open branches of this project',
      'where is the code of the footer',
      '之前跟你的对话还有记忆吗',
    ]) {
      expect(asks(text), text).toBe(work.text)
      // Something was changed for it, or for no request at all.
      expect(asks(text, 1), text).toContain(text)
      // The work was only recorded and shared.
      expect(goalIn([{ text, deeds: 1, changes: 0 }, work], 160), text).toBe(work.text)
      const idle = { ...work, deeds: 0, changes: 0 }
      expect(goalIn([{ text, deeds: 0, changes: 0 }, idle], 160), text).toContain(text)
    }
    expect(asks('can you make another footer?')).toContain('another footer')
    expect(asks('Check the pages. Read the tests.')).toBe(work.text)
    const more = 'Check the pages. Each should have a footer, but ask before you add any.'
    expect(asks(more)).toContain(more)
    // The answer to a request for a text may be the text.
    const poem = { text: 'Write a poem on footers', deeds: 1, changes: 0 }
    expect(goalIn([poem, work], 160)).toBe(`${poem.text}; then: ${work.text}`)
    expect(goalIn([{ ...poem, text: 'Read the footers' }, work], 160)).toBe(work.text)
    expect(asks('你能帮我修复登录页面吗')).toContain('登录页面')
    expect(asks('showcase the new footer on all of the pages')).toContain('showcase')
  })

  test('prefers a command that changed something to a question, but not to a request', () => {
    const asked = (text: string, changes = 0) => ({ text, deeds: changes, changes })
    const question = asked('why is the footer so wide?')
    expect(goalIn([asked('/init', 2), question], 160)).toBe('/init')
    expect(goalIn([asked('/init'), question], 160)).toBe(question.text)
    expect(goalIn([asked('/init', 2), asked('Fix the footer', 1)], 160)).toBe('Fix the footer')
  })

  test('does not treat an error that was pasted later as a task', () => {
    const asked = (text: string) => ({ text, deeds: 4, changes: 4 })
    const first = asked('Improve the posts of the page')
    const error = asked(
      "✘ [ERROR] TS2739: Type 'a' is missing the properties of type 'b' in the posts",
    )
    const css = asked('⨯ ./app/globals.css. The style sheet of the posts cannot be evaluated')
    expect(goalIn([first, error], 160)).toBe(first.text)
    expect(goalIn([first, css], 160)).toBe(first.text)
    expect(goalIn([error], 160)).toBe(error.text)
    expect(goalIn([css], 160)).toBe(css.text)
  })

  describe('requests between the first and the last', () => {
    const asked = (text: string, changes: number) => ({ text, deeds: changes, changes })
    const first = asked('Fix the date of the footer', 1)
    const last = asked('Rename the page', 2)

    test('includes those with the most changes, in the order of asking', () => {
      const between = [
        asked('Write the parser', 5),
        asked('Add a test of it', 3),
        asked('Write the changelog', 4),
        asked('Write the changelog', 4),
        asked('go on with the plan', 9),
      ]
      expect(goalIn([first, ...between, last], 480)).toBe(
        'Fix the date of the footer; then: Write the parser; then: Write the changelog; then: Rename the page',
      )
    })

    test('shortens a long request to its beginning', () => {
      const long = asked(`Write the parser of ${'the dates and '.repeat(30)}more`, 3)
      const [, middle = ''] = goalIn([first, long, last], 480)?.split('; then: ') ?? []
      expect(middle).toMatch(/^Write the parser of the dates.{40,60}…$/)
    })

    test('drops a remark that leaves little room for the request after it', () => {
      const remark = 'it needs no change of the parser, only a few lines more in the docs'
      const middle = asked(`${remark}.. can you write the docs of it`, 3)
      expect(goalIn([first, middle, last], 480)).toBe(
        `${first.text}; then: can you write the docs of it; then: ${last.text}`,
      )
      expect(goalIn([first, middle], 480)).toContain(remark)
    })

    test('includes a request with few changes if none has more', () => {
      const small = asked('Write the parser of the dates', 1)
      const tried = { ...asked('Find out why the page is so slow', 0), deeds: 1 }
      expect(goalIn([first, small, tried, last], 480)).toBe(
        [first, small, tried, last].map(({ text }) => text).join('; then: '),
      )
      const none = [first, small, tried, last].map((one) => ({ ...one, deeds: 0, changes: 0 }))
      const [, , unanswered] = none
      expect(goalIn(none, 480)).toBe(
        [first, small, unanswered, last].map((one) => one?.text).join('; then: '),
      )
      const more = [asked('Write the changelog', 4), asked('Add a test of it', 3)]
      expect(goalIn([first, small, ...more, tried, last], 480)).toBe(
        [first, ...more, last].map(({ text }) => text).join('; then: '),
      )
    })

    test('omits requests without work, repetitions of the first or last, and the newest alone', () => {
      const others = [
        asked('Write the parser', 0),
        asked(first.text, 9),
        asked(last.text, 9),
        { ...asked('the colour is still not what I wanted', 0), deeds: 2 },
      ]
      for (const one of others) {
        expect(goalIn([first, one, last], 480)).toBe(`${first.text}; then: ${last.text}`)
      }
      expect(goalIn([first, asked('Write the parser', 9)], 480)).toBe(
        `${first.text}; then: Write the parser`,
      )
    })

    test('omits chores, questions, and pasted settings, options and keys', () => {
      for (const text of [
        'continue with all that is left and then tell me what comes next',
        'is the parser of the dates done, and does it work now?',
        'claude --version # tells which one is there',
        'VITE_API_URL=https://example.invalid/api of the server',
        'agents: git: version: 1 for the whole swarm of them',
      ]) {
        expect(goalIn([first, asked(text, 5), last], 480)).toBe(`${first.text}; then: ${last.text}`)
      }
      const flag = asked('Add a --dry-run option to the importer', 5)
      expect(goalIn([first, flag, last], 480)).toContain(flag.text)
    })
  })

  test('joins the name of a command with the choice from its menu', () => {
    const asked = (text: string, reply?: string) => ({
      text,
      reply,
      deeds: 1,
      changes: 1,
    })
    const choice = asked('7', '“7” to “Check that all documents fit each other”')
    expect(goalIn([asked('/pm'), choice, asked('le document est le prd.md')], 300)).toBe(
      '/pm, “7” to “Check that all documents fit each other”; then: le document est le prd.md',
    )
  })

  test('adds an issue that an early prompt names', () => {
    expect(goal('Fix the flaky login test', 'see #12')).toBe('Fix the flaky login test (#12)')
    const example = `${'Groups hold issues. '.repeat(40)}For example issue #15 (a workflow).`
    expect(goal(`Fix the bias of the prompts.\n\n${example}`)).not.toContain('#15')
    expect(goal('Fix the flaky test of #12')).toBe('Fix the flaky test of #12')
    expect(goal('Fix it all please', 'https://example.invalid/a/b/pull/126#r1')).toBe(
      'Fix it all please (#126)',
    )
    expect(goal('Fix a colour', 'no, #fff000', 'x', 'y, not #12')).toBe('Fix a colour')
    expect(goal('Speak HTTP/1.1 in 12 steps', 'that is for #1')).toBe(
      'Speak HTTP/1.1 in 12 steps (#1)',
    )
    expect(goal('Fix issues/7 now', 'see issues/7')).toBe('Fix issues/7 now')
  })

  test('reads many dots in one pass', () => {
    // When each dot was a possible beginning, a tenth of them took 15 seconds.
    const line = orGivenUp(() => promptLine(`${'.'.repeat(1_000_000)} fix it`, 60))
    expect(line).toHaveLength(60)
  })
})

test.each([
  ['I just ran it again and the warnings are still there.', true],
  ['The build is still failing', true],
  ['why is it still broken', true],
  ['are you still there?', false],
  ['Is the old table still in use?', false],
])('%s: recognizes whether the user reports that it does not work: %s', (prompt, expected) => {
  expect(isDenial(prompt)).toBe(expected)
})
