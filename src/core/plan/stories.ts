/** `prd.json`: user stories that a loop completes one by one. Pure. */

import type { Fields } from '../text/json-fields.ts'
import { listIn, objectsIn, own, textIn, wordIn } from '../text/json-fields.ts'
import { isObject, parseJson } from '../text/json-values.ts'
import { foldLine } from '../text/markdown-to-text.ts'
import type { Plan, Unit } from './plan.ts'

/** The member that says which plan a shard belongs to. */
export const SHARD_MEMBER = 'shard'

/** Undefined if there is no list of stories. */
export function readStories(text: string): Plan | undefined {
  const value = parseJson(text.replace(/^\ufeff/, ''))
  if (!isObject(value) || !Array.isArray(own(value, 'userStories'))) return undefined
  const { userStories: _, [SHARD_MEMBER]: shard, ...members } = value
  const title = textIn(value, 'description') ?? textIn(value, 'project') ?? ''
  const preamble = jsonOf(members)
  return {
    form: 'stories',
    title: foldLine(title),
    head: shard === undefined ? '' : jsonOf(shard),
    given: preamble,
    preamble,
    units: listIn(value, 'userStories').map(storyUnit),
    eol: '\n',
    members,
  }
}

/** Renders the plan, or a shard of it, as a file. */
export function renderStories(
  members: Readonly<Record<string, unknown>>,
  units: readonly Unit[],
  shard: object,
): string {
  const userStories = units.map(({ story }) => story)
  return `${jsonOf({ ...members, [SHARD_MEMBER]: shard, userStories })}\n`
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

function storyUnit(story: unknown, i: number): Unit {
  const [fields = {} as Fields] = objectsIn([story])
  const id = wordIn(fields, 'id')
  const title = textIn(fields, 'title') ?? textIn(fields, 'description') ?? id ?? 'story'
  const before = [...listIn(fields, 'dependsOn'), ...listIn(fields, 'dependencies')]
  return {
    text: jsonOf(story) ?? '',
    line: i + 1,
    task: {
      id,
      title: foldLine(id === undefined || title === id ? title : `${id} ${title}`),
      isDone: own(fields, 'passes') === true,
      isOptional: false,
      after: before.filter((one) => typeof one === 'string').map((one) => one.toUpperCase()),
    },
    group: '',
    continued: [],
    breakpoint: i === 0 ? 9 : 2,
    steps: Math.max(1, listIn(fields, 'acceptanceCriteria').length),
    checkpoint: undefined,
    story,
  }
}
