/**
 * `.claude/ralph-loop.local.md`: a plugin gives this text to the same session each time it stops.
 *
 * A shell script reads the numbers in the front matter and deletes the file if one is invalid. Only the text below the
 * front matter is therefore changed, and only for the session that owns the loop.
 */

import type { Dialect, ReadText } from './loop.ts'
import { editOf } from './loop.ts'
import { titleOfPrompt } from './prompt.ts'
import { putResume, takeResume } from './resume-block.ts'
import { resumeLines } from './resume.ts'

const FILE = '.claude/ralph-loop.local.md'

interface PluginFile {
  readonly fields: ReadonlyMap<string, string>
  /** The front matter with its delimiters. */
  readonly head: string
  readonly body: string
}

export const pluginLoop: Dialect = {
  files: [FILE],

  find(read) {
    const text = read(FILE)
    if (text === undefined) return undefined
    const about = { dialect: 'ralph-loop-plugin', file: FILE } as const
    const file = readPlugin(text)
    if (typeof file === 'string') return { ...about, why: file }
    const { fields, body } = file
    const max = Number(fields.get('max_iterations'))
    return {
      ...about,
      iteration: Number(fields.get('iteration')),
      maxIterations: max === 0 ? undefined : max,
      task: titleOfPrompt(body),
      session: fields.get('session_id') || undefined,
      isOneSession: true,
      isState: true,
      isAtWork: fields.get('active') !== 'false',
    }
  },

  resume(read, { point, memory, session }) {
    const owner = ownerOf(read)
    if (owner !== undefined && owner !== session) return []
    return editOf(read, FILE, (text) =>
      withBody(text, (body) => putResume(body, resumeLines(point, memory))),
    )
  },

  clear: (read) => editOf(read, FILE, (text) => withBody(text, (body) => takeResume(body))),
}

function ownerOf(read: ReadText): string | undefined {
  const file = readPlugin(read(FILE) ?? '')
  return typeof file === 'string' ? undefined : file.fields.get('session_id') || undefined
}

function withBody(text: string, change: (body: string) => string): string | undefined {
  const file = readPlugin(text)
  return typeof file === 'string' ? undefined : file.head + change(file.body)
}

/** Reads lines `name: value` between the first two `---`, as the plugin's script does. Else returns why it cannot. */
function readPlugin(text: string): PluginFile | string {
  const head = /^---\r?\n(?:(?!---\r?\n)[^\n]*\n)*---\r?\n/.exec(text)?.[0]
  if (head === undefined) return 'it has no front matter'
  const fields = new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, unquoted(value)] as const]
    }),
  )
  const hasNumbers = ['iteration', 'max_iterations'].every((name) =>
    /^\d{1,9}$/.test(fields.get(name) ?? ''),
  )
  if (!hasNumbers) return 'its iteration or max_iterations is not a number'
  if (fields.has('original_prompt')) return 'its prompt is in the front matter'
  return { fields, head, body: text.slice(head.length) }
}

function unquoted(value: string): string {
  return value === 'null' ? '' : value.replace(/^"(.*)"$/, '$1')
}
