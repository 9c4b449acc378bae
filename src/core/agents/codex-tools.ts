/** What Codex's tools did: the files in patches, the plan, and how a call ended. */

import type { ToolUse } from './agent-signal.ts'
import type { Outcome } from './call-entries.ts'
import { commandLabel, fileOrSubject } from './call-entries.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields, fieldsIn, listIn, own, parseFields, textIn } from '../text/json-fields.ts'
import { messageText, todoList, toolUse } from './tool-use.ts'

const MAY_WRITE =
  /^(?:Bash|shell|shell_command|local_shell|exec_command|exec|write_stdin|spawn_agent|mcp__.*)$/s

const SHELL = /^(?:Bash|shell|shell_command|local_shell|exec_command)$/

/** `input`: an object, an object as JSON text, or the patch itself. */
export function readTool(name: string, input: unknown): ToolUse {
  const fields = fieldsOf(input)
  const plan = name === 'update_plan' && fields !== undefined ? listIn(fields, 'plan') : undefined
  const text = commandIn(input)
  return toolUse(name, {
    files: patchedFiles(text),
    removed: removedByPatch(text),
    folder: textIn(fields ?? {}, 'workdir'),
    command: SHELL.test(name) && text !== '' ? text : undefined,
    mayWrite: MAY_WRITE.test(name),
    todos: plan && { kind: 'list', todos: todoList(plan, 'step') },
  })
}

export function fieldsOf(input: unknown): Fields | undefined {
  return asFields(input) ?? (typeof input === 'string' ? parseFields(input) : undefined)
}

function commandIn(input: unknown): string {
  const fields = fieldsOf(input)
  if (fields === undefined) return commandText(input)
  return commandText(own(fields, 'command') ?? own(fields, 'input') ?? own(fields, 'cmd'))
}

/** A shell's command is one text, or a list of words of which the last may be a script. */
function commandText(command: unknown): string {
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return ''
  const words = command.filter((word) => typeof word === 'string')
  const [shell = '', option = '', script] = words
  const isScript = /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)
  return isScript && script !== undefined ? script : words.join('\n')
}

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm

/** Files that a patch names. Models also run `apply_patch` in a shell, where the same lines count. */
export function patchedFiles(text: string): string[] {
  if (!text.includes('*** Begin Patch')) return []
  return [...text.matchAll(PATCHED)].map(([, path = '']) => path.trim())
}

const REMOVED = /^\*\*\* (?:Delete File: (.+?)\r?$|Update File: (.+?)\r?\n\*\*\* Move to: )/gm

/** Files that a patch removes or moves away, except those that it removes and then adds again. */
function removedByPatch(text: string): string[] | undefined {
  if (!text.includes('*** Begin Patch')) return undefined
  const removed = [...text.matchAll(REMOVED)]
    .map(([, path, moved = '']) => (path ?? moved).trim())
    .filter((path) => !text.includes(`*** Add File: ${path}`))
  return removed.length === 0 ? undefined : removed
}

/** The program's own bookkeeping: these calls say nothing about the progress of the work. */
const SILENT =
  /^(?:update_plan|write_stdin|wait|wait_agent|close_agent|list_agents|request_user_input)$/

/** A short label for a call: its command, or its name and subject. */
export function toolLabel({ name, files, command }: ToolUse, input: unknown): { label?: string } {
  if (SILENT.test(name)) return {}
  const [file] = command === undefined ? files : patchedFiles(command)
  const script = name === 'exec' ? commandInScript(commandIn(input)) : undefined
  const run = command ?? script
  if (file === undefined && run !== undefined) return { label: commandLabel(run) }
  const tool = file === undefined ? name : 'apply_patch'
  const subjects = ['path', 'query', 'message', 'url']
  return { label: fileOrSubject(tool, file, fieldsOf(input) ?? {}, subjects) }
}

/** In newer releases the tool runs a script that calls the shell: `tools.exec_command({"cmd":"npm test"})`. */
function commandInScript(script: string): string | undefined {
  const [, text] = /["']?\bcmd["']?\s*:\s*("(?:[^"\\]|\\.)*")/.exec(script) ?? []
  return text === undefined ? undefined : textIn(parseFields(`{"cmd":${text}}`) ?? {}, 'cmd')
}

const REFUSED = /^(?:exec command |patch |command )?rejected by (?:the )?user\b/i
const STOPPED = /^aborted by user\b/m
const RUNS_ON = /^Process running with session ID (\S+)$/m
const STATUS = /^(?:Exit code: |Process exited with code )(-?\d+)$/m
/** The command's own output begins below this line; the lines above are the program's. */
const PRINTED = /^Output:\n/m
const BROKEN =
  /^(?:apply_patch verification failed|failed in sandbox|execution error|failed to parse |unsupported call|unknown tool|\S+ failed(?: for|:)|error: )/i

/** How a call ended. In older releases the output is JSON text with the exit code in it. */
export function outcomeOf(output: unknown): Outcome {
  const fields = asFields(output)
  const said = fields === undefined ? messageText(output) : messageText(own(fields, 'content'))
  const inner = said.startsWith('{') ? parseFields(said) : undefined
  const code = inner && own(fieldsIn(inner, 'metadata'), 'exit_code')
  if (inner !== undefined && typeof code === 'number') {
    return shellOutcome(code, (textIn(inner, 'output') ?? '').trim())
  }
  const at = PRINTED.exec(said)
  const head = at === null ? said : said.slice(0, at.index)
  const text = (at === null ? said : said.slice(at.index + at[0].length)).trim()
  const [, status] = STATUS.exec(head) ?? []
  if (status !== undefined) return shellOutcome(Number(status), text)
  if (REFUSED.test(said)) return { end: 'refused', text: said }
  if (STOPPED.test(head) || RUNS_ON.test(head)) return { end: 'open', text }
  const isBroken = (fields && own(fields, 'success') === false) || BROKEN.test(said)
  return { end: isBroken ? 'failed' : 'well', text }
}

/** The shell session id of a command that is still running; `write_stdin` uses it to ask for more output. */
export function runningSession(output: unknown): string | undefined {
  const [head = ''] = messageText(output).split(PRINTED, 1)
  return RUNS_ON.exec(head)?.[1]
}

const SEARCH = /^(?:rg|grep|git grep|diff|git diff|which|command -v)\s[^|&;\n]*$/

/** A search reports "nothing found" by its exit status: it has not failed. */
export function foundNothing({ command = '' }: ToolUse, { end, text }: Outcome): boolean {
  return end === 'failed' && SEARCH.test(command.trim()) && text.startsWith('Exit code 1\n')
}

function shellOutcome(status: number, text: string): Outcome {
  if (status === 0) return { end: 'well', text }
  if (STOPPED.test(text.slice(0, 20))) return { end: 'open', text }
  return { end: 'failed', text: `Exit code ${status}\n${text}` }
}
