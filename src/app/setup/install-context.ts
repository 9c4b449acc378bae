/**
 * The part of `install` that follows the context of Claude Code: our status line, and a hook for tools that our other
 * hooks do not cover. Both belong to this clone, so they go into settings that git does not see. On request, the status
 * line goes into the user's own settings instead.
 *
 * Nothing depends on this: a file that we may not write is left unchanged, and a note says what is missing as a result.
 */

import { connectContext, hasContextHook } from '../../core/agents/agent-settings.ts'
import { AGENTS } from '../../core/agents/agents.ts'
import { putStatusLine, statusLineOwner } from '../../core/agents/status-line-setting.ts'
import { whyUnwritable } from '../agents/agent-files.ts'
import type { InstallPlan } from './install-plan.ts'
import { userSettings } from './install-record.ts'

const AGENT = 'claude'
/** What it means if a part is missing. */
const IF_MISSING = {
  hook: 'tools that only read are not followed until the next edit or command',
  line: 'no status line is shown; hooks still follow the context',
}

/** `top`: top of the worktree. If not requested this time, existing parts are renewed; removed parts stay removed. */
export async function planContext(plan: InstallPlan, top: string): Promise<void> {
  const { context, user, agents, setup } = plan
  const local = AGENTS[AGENT].localFile ?? ''
  const path = `${top}/${local}`
  const own = userSettings(setup.env)
  const isAsked = context && agents.includes(AGENT)
  if (!isAsked) {
    for (const each of [path, own]) renew(each, plan)
    return
  }
  if ((await setup.repository.index.list(local)).length > 0) {
    plan.notes.push(
      `${local} is in git, so it is left unchanged: ${IF_MISSING.hook}; ${IF_MISSING.line}`,
    )
    return
  }
  putInto(path, local, { hook: true, line: !user }, plan)
  if (user) putInto(own, own, { hook: false, line: true }, plan)
}

/** Renews what an earlier install put there. */
function renew(path: string, plan: InstallPlan): void {
  if (plan.recorded(path) === undefined || whyUnwritable(path, plan.setup.files) !== undefined)
    return
  const { text = '' } = plan.planned(path)
  const wanted = { hook: hasContextHook(text), line: statusLineOwner(text) === 'ours' }
  if (wanted.hook || wanted.line) putInto(path, path, wanted, plan)
}

function putInto(
  path: string,
  shown: string,
  wanted: { readonly hook: boolean; readonly line: boolean },
  plan: InstallPlan,
): void {
  const { files } = plan.setup
  const problem = whyUnwritable(path, files)
  if (problem !== undefined) {
    plan.notes.push(
      `${shown} ${problem}, so it is left unchanged: ${wanted.line ? IF_MISSING.line : IF_MISSING.hook}`,
    )
    return
  }
  const before = plan.planned(path)
  let { text, pieces = [] } = before
  if (wanted.hook) {
    const put = connectContext(text, AGENT, pieces)
    if (typeof put === 'string') plan.notes.push(`${shown} ${put}: ${IF_MISSING.hook}`)
    else ({ text, pieces } = put)
  }
  if (wanted.line) {
    const put = putStatusLine(text, pieces)
    if (typeof put === 'string') plan.notes.push(`${shown} ${put}: ${IF_MISSING.line}`)
    else ({ text, pieces } = put)
  }
  if (text === undefined || text === before.text) return
  const what = wanted.hook ? 'follows the context' : 'status line of the context'
  // A file that also holds our other hooks keeps counting as such.
  const isForContext = before.pieces === undefined || before.isForContext === true
  plan.put({ path, kind: 'agent', content: text, pieces, what }, { isForContext })
}
