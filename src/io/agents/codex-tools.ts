/** What Codex's tools do to files and to the plan; for payloads and transcripts alike. */

import type { ToolUse } from '../../core/agents/agent-signal.ts'
import { asFields, isPath, listIn, own, parseFields, todoList } from './json-fields.ts'

const SHELLS = /^(?:Bash|shell|shell_command|local_shell|exec_command|exec|write_stdin)$/
const ANYTHING = /^(?:spawn_agent|mcp__.*)$/s

/** `input`: an object, a text that holds one, or the bare patch. */
export function readCodexTool(name: string, id: string | undefined, input: unknown): ToolUse {
  const fields = asFields(input) ?? (typeof input === 'string' ? parseFields(input) : undefined)
  const command = fields === undefined ? input : (own(fields, 'command') ?? own(fields, 'input'))
  const plan = name === 'update_plan' && fields !== undefined ? listIn(fields, 'plan') : undefined
  return {
    name: name.slice(0, 200),
    id: id !== undefined && id.length <= 200 ? id : undefined,
    files: patchedFiles(commandText(command ?? (fields && own(fields, 'cmd')))),
    mayWrite: SHELLS.test(name) || ANYTHING.test(name),
    todos: plan && { kind: 'list', todos: todoList(plan, 'step') },
  }
}

/** A shell gets its command as one text or as a list of words. */
function commandText(command: unknown): string {
  if (typeof command === 'string') return command
  return Array.isArray(command) ? command.filter((word) => typeof word === 'string').join('\n') : ''
}

const MAX_FILES = 500
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm

/** Files that a patch names. Models also run `apply_patch` inside a shell: the same lines count there. */
export function patchedFiles(text: string): string[] {
  if (!text.includes('*** Begin Patch')) return []
  const files = new Set<string>()
  for (const match of text.matchAll(PATCHED)) {
    const path = match[1]?.trim() ?? ''
    if (path !== '' && isPath(path)) files.add(path)
    if (files.size === MAX_FILES) break
  }
  return [...files]
}
