/**
 * The part of `install` that follows the context of Claude Code: our status line, and the hook for tools that our
 * other hooks are not for. Both belong to this clone, so they go into settings that git does not see; the status line
 * also into the user's, where that is asked for.
 *
 * Nothing depends on it: where a file is not ours to write it stays, and a note says what is missing then.
 */

import { connectContext, hasContextHook } from '../../core/agents/agent-settings.ts'
import { AGENTS } from '../../core/agents/agents.ts'
import { putStatusLine, statusLineOwner } from '../../core/agents/status-line-setting.ts'
import { whyUnwritable } from '../agents/agent-files.ts'
import type { InstallPlan } from './install-plan.ts'
import { userSettings } from './install-record.ts'

const AGENT = 'claude'
/** What goes on without it. */
const WITHOUT = {
  hook: 'tools that only read are not followed until the next edit or command',
  line: 'no status line is shown; hooks follow the context all the same',
}

/** `top`: of the worktree. Where it is not asked for now, what is there is renewed: what the user took out stays out. */
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
    plan.notes.push(`${local} is in git, so it stays: ${WITHOUT.hook}; ${WITHOUT.line}`)
    return
  }
  putInto(path, local, { hook: true, line: !user }, plan)
  if (user) putInto(own, own, { hook: false, line: true }, plan)
}

/** What an earlier install put there. */
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
      `${shown} ${problem}, so it stays: ${wanted.line ? WITHOUT.line : WITHOUT.hook}`,
    )
    return
  }
  const before = plan.planned(path)
  let { text, pieces = [] } = before
  if (wanted.hook) {
    const put = connectContext(text, AGENT, pieces)
    if (typeof put === 'string') plan.notes.push(`${shown} ${put}: ${WITHOUT.hook}`)
    else ({ text, pieces } = put)
  }
  if (wanted.line) {
    const put = putStatusLine(text, pieces)
    if (typeof put === 'string') plan.notes.push(`${shown} ${put}: ${WITHOUT.line}`)
    else ({ text, pieces } = put)
  }
  if (text === undefined || text === before.text) return
  const what = wanted.hook ? 'follows the context' : 'status line of the context'
  // A file with our other hooks stays one.
  const isForContext = before.pieces === undefined || before.isForContext === true
  plan.put({ path, kind: 'agent', content: text, pieces, what }, { isForContext })
}
