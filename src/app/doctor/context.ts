/** If contexts are followed: are the hooks for that in the agent's settings, and is our status line shown? */

import { hasContextHook } from '../../core/agents/agent-settings.ts'
import { AGENTS } from '../../core/agents/agents.ts'
import { statusLineOwner } from '../../core/agents/status-line-setting.ts'
import { isCheckpointState } from '../../core/context/checkpoint-state.ts'
import { STATE_FILE } from '../../core/context/places.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { connectedAgents, connectionOf } from '../agents/agent-files.ts'
import type { Recorded } from '../setup/install-record.ts'
import { contextMarker, readRecord, userSettings } from '../setup/install-record.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'

const FIX = `${INSTALL} --agent claude --context`
const LOCAL = AGENTS.claude.localFile ?? ''

export function checkContext(setup: Setup): Finding[] {
  const { files, repository } = setup
  const { top, commonDir } = repository.place
  const isFollowed = files.kind(contextMarker(commonDir)) === 'file'
  if (top === undefined || !isFollowed) return []
  return [hooks(setup, top), ...statusLine(setup, top)]
}

function hooks({ files, repository }: Setup, top: string): Finding {
  const name = 'context'
  if (connectedAgents(top, files).length === 0) {
    return warning(name, 'no agent has hooks here that follow its context', FIX)
  }
  const path = `${top}/${LOCAL}`
  const problem = connectionOf(path, 'claude', files)
  if (typeof problem === 'string') return warning(name, `${LOCAL} ${problem}`, `correct ${LOCAL}`)
  const { edits } = readRecord(files, repository.place)
  if (wasPut(edits, path, ' context-hook ') && !hasContextHook(files.read(path) ?? '')) {
    return warning(name, `${LOCAL} lacks the hook for tools that only read`, FIX)
  }
  const state = files.read(`${top}/${STATE_FILE}`)
  const isForeign = state !== undefined && !isCheckpointState(parseJson(state))
  const said = isForeign ? `; ${STATE_FILE} is another program's, so it is left unchanged` : ''
  return ok(name, `hooks follow how full contexts are${said}`)
}

/** True if `install` put such a piece into the file. */
function wasPut(edits: readonly Recorded[], path: string, piece: string): boolean {
  return edits.some((edit) => edit.path === path && edit.pieces?.join('').includes(piece) === true)
}

/** Checked only if we installed a status line. The nearest file with a status line decides. */
function statusLine({ files, repository, env }: Setup, top: string): Finding[] {
  const name = 'status-line'
  const user = userSettings(env)
  const places = [
    { path: `${top}/${LOCAL}`, shown: LOCAL },
    { path: `${top}/${AGENTS.claude.file}`, shown: AGENTS.claude.file },
    { path: user, shown: user },
  ].map((place) => ({ ...place, owner: statusLineOwner(files.read(place.path)) }))
  const { edits } = readRecord(files, repository.place)
  const put = places.find(({ path }) => wasPut(edits, path, '"statusLine"'))
  if (put === undefined) return []
  const seen = places.find(({ owner }) => owner !== undefined)
  if (seen?.owner === 'ours') return [ok(name, `the status line is in ${seen.shown}`)]
  if (seen === undefined || put.owner === undefined) {
    const user = put.path === places.at(-1)?.path ? ' --user' : ''
    return [warning(name, `${put.shown} has no status line of ours any more`, `${FIX}${user}`)]
  }
  const fix = `take statusLine out of ${seen.shown}, or leave it: hooks still follow the context`
  return [warning(name, `the status line in ${seen.shown} hides ours`, fix)]
}
