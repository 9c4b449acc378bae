/** A plan as a file that somebody named. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { readPlan } from '../../core/plan/read-plan.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface PlanFile {
  readonly text: string
  readonly plan: Plan
  /** From the top of the worktree; undefined outside of it. */
  readonly path: string | undefined
  readonly folder: string | undefined
}

/** Far more than any agent reads. */
const MAX_BYTES = 2 * 1024 * 1024

/** `path`: absolute; `shown`: as it was typed. Throws `PLAN_UNREADABLE`. */
export function readPlanFile(context: SessionContext, path: string, shown: string): PlanFile {
  const { plans: files, repository } = context
  const size = files.size(path)
  if (size === undefined) {
    const what = files.kind(path) === 'absent' ? 'is not there' : 'is not a regular file'
    throw unreadable(`${oneLine(shown, '')} ${what}`, 'name the file of a plan')
  }
  if (size > MAX_BYTES) throw unreadable(`${oneLine(shown, '')} is larger than 2 MB`)
  const text = files.read(path) ?? ''
  if (!text.isWellFormed()) throw unreadable(`${oneLine(shown, '')} is not UTF-8`)
  const plan = readPlan(text)
  // Read as Markdown, JSON that is cut off would be one small task, which fits.
  const isBroken = /\.json$/i.test(path) && plan?.form !== 'stories'
  if (plan === undefined || isBroken) {
    const what = plan === undefined ? 'JSON without a list of userStories' : 'not valid JSON'
    throw unreadable(`${oneLine(shown, '')} is ${what}`, 'name a plan in Markdown, or a prd.json')
  }
  const { top = '' } = repository.place
  const inside = path.startsWith(`${top}/`) ? path.slice(top.length + 1) : undefined
  const folder = inside?.includes('/') === true ? inside.slice(0, inside.lastIndexOf('/')) : '.'
  return { text, plan, path: inside, folder: inside === undefined ? undefined : folder }
}

function unreadable(message: string, next?: string): LedgerError {
  return new LedgerError('PLAN_UNREADABLE', message, next)
}
