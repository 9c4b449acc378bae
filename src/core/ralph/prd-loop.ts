/**
 * `prd.json` and `progress.txt`: each iteration is a new process that takes the first story that does not pass, and
 * reads what earlier ones learned. We add to that log and to the story's notes. `passes` is set by the agent only.
 */

import type { Node } from '../text/json-edits.ts'
import { propertiesOf, readJsonFile, splice } from '../text/json-edits.ts'
import { handoffLine } from '../context/handoff-line.ts'
import { isText, parseJson } from '../text/json-values.ts'
import type { Dialect, Edit, Handover, ReadText } from './loop.ts'
import { editOf, PLAIN_LOOP } from './loop.ts'
import { putResume, takeResume } from './resume-block.ts'
import { resumeSentence } from './resume.ts'

/** The top of the worktree, or the folder in which the loop's program installs itself. */
const FOLDERS = ['', 'scripts/ralph/']

interface Story {
  /** Index in the list. */
  readonly at: number
  readonly name: string
  readonly priority: number
  readonly passes: unknown
  /** The source text of the notes, without quotes. */
  readonly notes: { readonly start: number; readonly source: string } | undefined
}

export const prdLoop: Dialect = {
  files: FOLDERS.flatMap((folder) => [`${folder}prd.json`, `${folder}progress.txt`]),

  find(read) {
    const file = fileOf(read)
    if (file === undefined) return undefined
    const stories = storiesOf(read(file) ?? '')
    if (stories === undefined)
      return { dialect: 'prd', file, why: 'it has no list of user stories' }
    const next = nextStory(stories)
    const [task, isAtWork] = [next?.name, next !== undefined]
    return { ...PLAIN_LOOP, dialect: 'prd', file, task, isAtWork }
  },

  resume(read, handover) {
    const file = fileOf(read)
    const stories = file === undefined ? undefined : storiesOf(read(file) ?? '')
    if (file === undefined || stories === undefined) return []
    const next = nextStory(stories)
    // In the form that it has inside a JSON string.
    const sentence = JSON.stringify(resumeSentence(handover.point)).slice(1, -1)
    const log = file.replace(/prd\.json$/, 'progress.txt')
    return [
      ...logEdit(read, log, handover, next?.name),
      ...editOf(read, file, (text) =>
        withEachNotes(text, (notes, story) =>
          story.at === next?.at ? putResume(notes, [sentence], 'json') : takeResume(notes, 'json'),
        ),
      ),
    ]
  },

  clear(read) {
    const file = fileOf(read)
    if (file === undefined) return []
    return editOf(read, file, (text) => withEachNotes(text, (notes) => takeResume(notes, 'json')))
  },
}

/** Appends to the log, once per checkpoint. */
function logEdit(read: ReadText, path: string, handover: Handover, story?: string): Edit[] {
  const { point, when, memory } = handover
  const sentence = resumeSentence(point)
  const entry = (eol: string) =>
    [
      `## ${when} - ${handoffLine(story ?? 'context checkpoint')}`,
      `- ${sentence}`,
      ...memory.map((query) => `- claude-mem: ${handoffLine(query)}`),
      '---',
      '',
    ].join(eol)
  return editOf(read, path, (text) => {
    if (text.includes(sentence)) return text
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
    return text + gap + entry(eol)
  })
}

function fileOf(read: ReadText): string | undefined {
  return FOLDERS.map((folder) => `${folder}prd.json`).find((path) => read(path) !== undefined)
}

/** Undefined if there is no list of stories, or if the file is not plain JSON. */
function storiesOf(text: string): Story[] | undefined {
  const file = readJsonFile(text)
  const [list] = file === undefined ? [] : propertiesOf(file.root, 'userStories')
  if (list?.type !== 'array') return undefined
  return (list.children ?? []).flatMap((node, at) => {
    const [id, title] = [textOf(node, 'id'), textOf(node, 'title')]
    if (node.type !== 'object' || (id === undefined && title === undefined)) return []
    const [priority] = propertiesOf(node, 'priority')
    const [passes] = propertiesOf(node, 'passes')
    return [
      {
        at,
        name: [id, title].filter(Boolean).join(' '),
        priority: typeof priority?.value === 'number' ? priority.value : Infinity,
        passes: passes?.value as unknown,
        notes: notesOf(text, node),
      },
    ]
  })
}

function notesOf(text: string, story: Node): Story['notes'] {
  const [notes, ...more] = propertiesOf(story, 'notes')
  if (notes?.type !== 'string' || more.length > 0) return undefined
  const start = notes.offset + 1
  return { start, source: text.slice(start, notes.offset + notes.length - 1) }
}

/** The first of the stories with the lowest priority number that do not pass. */
function nextStory(stories: readonly Story[]): Story | undefined {
  return stories
    .filter(({ passes }) => passes !== true)
    .reduce<Story | undefined>(
      (first, one) => (first === undefined || one.priority < first.priority ? one : first),
      undefined,
    )
}

/** Changes stories from last to first, so that the positions of earlier ones stay valid. */
function withEachNotes(text: string, change: (source: string, story: Story) => string): string {
  const changed = (storiesOf(text) ?? []).reduceRight((now, story) => {
    if (story.notes === undefined) return now
    const { start, source } = story.notes
    return splice(now, start, source.length, change(source, story))
  }, text)
  // Invalid JSON results if somebody cut a block in the middle of an escape sequence.
  return parseJson(changed) === undefined ? text : changed
}

function textOf(node: Node, key: string): string | undefined {
  const value: unknown = propertiesOf(node, key)[0]?.value
  return isText(value) ? value : undefined
}
