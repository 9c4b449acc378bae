/** `IssueTracker` for Linear: GraphQL over plain fetch. */

import type { Clock } from '../../app/ports.ts'
import type { IssueTracker, IssueView } from '../../app/tracker/tracker-ports.ts'
import type { Fields } from '../../core/text/json-fields.ts'
import { fieldsIn, listIn, objectsIn, textIn } from '../../core/text/json-fields.ts'
import type { Answer } from '../../core/tracker/answer.ts'
import { readAnswer } from '../../core/tracker/answer.ts'
import { fixedUuid } from '../../core/tracker/outbox-item.ts'
import { OPERATIONS } from './linear-operations.ts'
import { postJson } from './post-json.ts'

type Operation = keyof typeof OPERATIONS

export interface LinearAccess {
  readonly endpoint: string
  readonly key: string
  readonly clock: Clock
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

export function linearTracker({ endpoint, key, clock, timeout }: LinearAccess): IssueTracker {
  const ask = async (operation: Operation, variables: Fields): Promise<Answer<Fields>> => {
    const query = OPERATIONS[operation]
    const reply = await postJson(endpoint, { authorization: key }, { query, variables }, timeout)
    if ('failed' in reply) return { kind: 'failed', why: reply.failed }
    return readAnswer(reply, clock.now(), Date.parse)
  }
  const change = async (operation: Operation, variables: Fields): Promise<Answer<Fields>> => {
    const answer = await ask(operation, variables)
    if (answer.kind !== 'ok') return answer
    const [payload] = objectsIn(Object.values(answer.value))
    if (payload?.['success'] === true) return { kind: 'ok', value: payload }
    return { kind: 'rejected', why: 'it was not done, and Linear does not say why' }
  }
  return {
    look: async (issue, marker) => {
      const answer = await ask('look', { issue, marker })
      if (answer.kind !== 'ok') return answer
      const view = viewOf(fieldsIn(answer.value, 'issue'))
      return view === undefined ? unreadable() : { kind: 'ok', value: view }
    },
    label: async (team, name) => {
      const found = await ask('findLabel', { name })
      if (found.kind !== 'ok') return found
      const known = nodesIn(found.value, 'issueLabels').find((label) => {
        const own = textIn(fieldsIn(label, 'team'), 'id')
        return own === undefined || own === team
      })
      const id = known && textIn(known, 'id')
      if (id !== undefined) return { kind: 'ok', value: id }
      // Everybody who creates it uses the same id: two at once make one label.
      const input = { id: fixedUuid('label', team, name), name, teamId: team }
      const created = await change('createLabel', { input })
      if (created.kind !== 'ok') return created
      const label = textIn(fieldsIn(created.value, 'issueLabel'), 'id')
      return label === undefined ? unreadable() : { kind: 'ok', value: label }
    },
    change: async (id, { label, state }) => {
      if (label === undefined && state === undefined) return { kind: 'ok', value: undefined }
      const input = {
        ...(label !== undefined && { addedLabelIds: [label] }),
        ...(state !== undefined && { stateId: state }),
      }
      return change('change', { id, input })
    },
    // The address identifies the link.
    link: async (issueId, { url, title }) => change('link', { input: { issueId, url, title } }),
    comment: async (issueId, { id, body }) => change('comment', { input: { id, issueId, body } }),
    rewrite: async (id, body) => change('rewrite', { id, input: { body } }),
    createSubIssue: async ({ id: parentId, team: teamId }, { id, title, description }) =>
      change('createIssue', { input: { id, teamId, parentId, title, description } }),
  }
}

/** The request arrived, but its effect is not known. */
function unreadable(): Answer<never> {
  return { kind: 'failed', why: 'the answer does not have the form that Linear documents' }
}

function viewOf(issue: Fields): IssueView | undefined {
  const id = textIn(issue, 'id')
  const team = fieldsIn(issue, 'team')
  const teamId = textIn(team, 'id')
  const [state] = namedIn([fieldsIn(issue, 'state')])
  if (id === undefined || teamId === undefined || state === undefined) return undefined
  const states = namedIn(nodesIn(team, 'states'))
  const idsOf = (name: string) => nodesIn(issue, name).flatMap((node) => textIn(node, 'id') ?? [])
  const [[comment], [subIssue]] = [idsOf('comments'), idsOf('children')]
  return { id, team: teamId, labels: idsOf('labels'), state, states, comment, subIssue }
}

function namedIn(nodes: readonly Fields[]): { readonly id: string; readonly name: string }[] {
  return nodes.flatMap((node) => {
    const [id, name] = [textIn(node, 'id'), textIn(node, 'name')]
    return id === undefined || name === undefined ? [] : [{ id, name }]
  })
}

function nodesIn(fields: Fields, key: string): Fields[] {
  return objectsIn(listIn(fieldsIn(fields, key), 'nodes'))
}
