/**
 * Replays a transcript in a new repository: sends the payloads that the agent's program would send to its hooks,
 * in order, at the times in the log, while the log grows. Files that tools wrote and commits that they made are
 * recreated, too. Returns the event that was written at the session's end, and the earlier events of its checkpoints.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codexHookName } from './codex-log.mjs'
import { readLog } from './logs.mjs'

/** The programs' names of their hooks. Without a name for `aborted`, no hook reports an interrupted turn. */
const HOOKS = {
  claude: { prompt: 'UserPromptSubmit', answer: 'PostToolUse', finished: 'Stop' },
  codex: {
    prompt: 'UserPromptSubmit',
    answer: 'PostToolUse',
    finished: 'Stop',
    aborted: 'Interrupt',
  },
  gemini: {
    prompt: 'BeforeAgent',
    answer: 'AfterTool',
    finished: 'AfterAgent',
    aborted: 'AfterAgent',
  },
}

/** @param {{text: string, name: string}} transcript */
export async function play(product, sandbox, { text, name }) {
  const first = readLog(text)
  if (first === undefined) return undefined
  const folder = newRepository(sandbox, name)
  const log = first.cwd === undefined ? first : readLog(moved(text, first.cwd, folder))
  const program = new Program(product, sandbox, folder, log)
  await program.tell('SessionStart', { source: 'startup' }, { at: log.moments[0]?.at, upTo: 0 })
  for (const moment of log.moments) await program.follow(moment)
  const end = { at: log.moments.at(-1)?.at, upTo: Infinity }
  await program.tell('SessionEnd', { reason: log.agent === 'gemini' ? 'exit' : 'other' }, end)
  const events = eventsIn(product, folder)
  const event = events.findLast(({ type }) => type === 'session_end')
  const earlier = events.filter((one) => one !== event)
  return { ...log, event, earlier, files: [...program.files] }
}

function newRepository(sandbox, name) {
  const folder = join(sandbox.folder, name.replace(/[^A-Za-z0-9_-]+/g, '-'))
  mkdirSync(folder)
  sandbox.git(folder, 'init', '-q')
  sandbox.git(folder, 'commit', '-q', '--allow-empty', '-m', 'start')
  return folder
}

/** The log as if it had been recorded in this folder; Windows paths below it get slashes. */
function moved(text, cwd, folder) {
  const inJson = (path) => JSON.stringify(path).slice(1, -1)
  if (!cwd.includes('\\')) return text.replaceAll(inJson(cwd), inJson(folder))
  // A backslash in JSON inside JSON is written as four; the two of a line end do not belong to a path.
  return [inJson(inJson(cwd)), inJson(cwd)].reduce((all, path, i) => {
    const between = i === 0 ? '\\\\{4}' : '\\\\{2}'
    const pattern = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const below = new RegExp(`${pattern}((?:(?:${between}|/)[\\w.@-]+)*)`, 'gi')
    return all.replace(below, (_, rest) => folder + rest.replace(/[\\/]+/g, '/'))
  }, text)
}

class Program {
  constructor(product, sandbox, folder, log) {
    this.product = product
    this.sandbox = sandbox
    this.folder = folder
    this.log = log
    this.agent = product.AGENTS[log.agent]
    this.calls = new Map()
    this.files = new Set()
    this.session = /^[\w-]+$/.test(log.session ?? '') ? log.session : 'played'
    const isDocument = log.agent === 'gemini' && log.partOf(0).startsWith('{')
    this.transcript = join(sandbox.folder, `${this.session}.${isDocument ? 'json' : 'jsonl'}`)
  }

  async follow(moment) {
    const hook = HOOKS[this.log.agent][moment.kind]
    switch (moment.kind) {
      case 'prompt':
        return this.tell(hook, { prompt: moment.text }, moment)
      case 'call':
        this.calls.set(moment.id, moment)
        return undefined
      case 'answer':
        return this.#answered(hook, moment)
      case 'finished':
        return this.tell(hook, { [this.agent.lastMessage]: moment.text }, moment)
      case 'aborted':
        if (hook === undefined) return undefined
        return this.tell(hook, { prompt_response: '[no response text]' }, moment)
      case 'compaction':
        return this.tell('PreCompact', { trigger: 'auto' }, moment)
      default:
        return undefined
    }
  }

  /** Reports only tools that our hooks match and that did something. */
  async #answered(hook, moment) {
    const call = this.calls.get(moment.id)
    if (call === undefined || moment.failed) return
    const name = this.log.agent === 'codex' ? codexHookName(call.name) : call.name
    const matcher = this.agent.hooks.find(({ event }) => event === hook)?.matcher
    const payload = { tool_name: name, tool_input: call.input, tool_response: moment.response }
    const tool = this.agent.readTool(name, payload, hook)
    for (const file of tool.files) this.#write(resolve(this.folder, file))
    const { command = '', mayWrite } = tool
    const [, mode = 'mixed', count] = RESET.exec(command) ?? []
    if (count !== undefined) this.#reset(mode, count)
    const commits = mayWrite ? subjectsIn(moment.text, command) : []
    for (const subject of commits) this.#commit(subject, /\s--amend\b/.test(command))
    // No hook reports a patch that was passed to a shell.
    const isSilent = name === 'Bash' && /^\*\*\* Begin Patch/m.test(tool.command ?? '')
    const isNews = tool.files.length > 0 || tool.todos !== undefined || commits.length > 0
    if (!isNews || isSilent || !new RegExp(`^(?:${matcher})$`).test(name)) return
    const about = moment.isSidechain === true ? { agent_id: 'subagent' } : {}
    await this.tell(hook, { ...payload, ...about }, moment)
  }

  #write(file) {
    if (!file.startsWith(`${this.folder}/`)) return
    this.files.add(file.slice(this.folder.length + 1))
    try {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${this.files.size}\n`, { flag: 'a' })
    } catch {
      // a folder has that name: the log is from another machine
    }
  }

  #commit(subject, isAmended) {
    this.sandbox.git(this.folder, 'add', '-A')
    const amend = isAmended ? ['--amend'] : []
    this.sandbox.git(this.folder, 'commit', '-q', '--allow-empty', ...amend, '-m', subject)
  }

  #reset(mode, count) {
    try {
      this.sandbox.git(this.folder, 'reset', '-q', `--${mode}`, `HEAD~${count}`)
    } catch {
      // the log begins after those commits
    }
  }

  async tell(hook, fields, { at, upTo }) {
    const { product, folder, log } = this
    writeFileSync(this.transcript, log.partOf(upTo))
    const payload = {
      session_id: this.session,
      transcript_path: this.transcript,
      cwd: folder,
      hook_event_name: hook,
      ...fields,
    }
    const signal = product.readPayload(log.agent, hook, JSON.stringify(payload))
    if (signal === undefined) return
    const context = await product.openSessionContext(folder, this.sandbox.env)
    try {
      await product.handleSignal(
        { ...context, ...WITHOUT_THIS_MACHINE, clock: { now: () => at } },
        signal,
      )
    } finally {
      context.close()
    }
  }
}

const WITHOUT_THIS_MACHINE = {
  processes: { owner: () => undefined, lifeOf: () => 'gone', ancestors: () => [] },
  say: () => {},
}

const RESET = /\bgit reset (?:-q )?(?:--(soft|mixed|hard) )?HEAD~(\d+)/

/** Subjects of commits: as git printed them or, under a wrapper that prints something else, as they were given. */
function subjectsIn(output, command) {
  const printed = [...output.matchAll(/^\[[^\]\n]+ [0-9a-f]{7,12}\] (.+)$/gm)]
  const given = WRAPPED.test(output) ? /\bgit commit\b[^]*? -m ["']([^"'\n$]+)/.exec(command) : null
  return [...printed, ...(given === null ? [] : [given])].map(([, subject]) => subject)
}

/** What a wrapper that shortens git's output prints instead: `ok ✓ 1f0c2b3`. */
const WRAPPED = /^ok ✓(?: [0-9a-f]{7,12})?\s*$/m

/** In the order in which they were written. */
function eventsIn(product, folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)events\/[^/]+\.md$/.test(path) && !path.startsWith('.git/'))
    .toSorted()
    .map((path) => join(folder, path))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const file = path.slice(path.lastIndexOf('/') + 1)
      return product.parseEvent({ file, id: file, text: readFileSync(path, 'utf8') }).event ?? []
    })
}
