/**
 * `ContextPort` as files that only their owner may read. `followed` exists if hooks look at the context at all. For
 * each session,
 *
 * - `<session>.json` holds the record,
 * - `<session>.status` what the agent gave its status line (the launcher, `githooks/run`, writes it, too),
 * - `<session>.line` what another status line printed last,
 * - `<session>.quiet` how far no hook has to read its log again, for the launcher: bytes, tokens, the log.
 *
 * `<commit>.held` exists if a push of that commit was stopped.
 */

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ContextPort } from '../../app/shadow/session-ports.ts'
import { parseContextRecord, renderContextRecord } from '../../core/context/context-file.ts'
import { isSessionId } from '../../core/session/session-state.ts'
import { attempt, namesIfAny, namesIn, readTextIfAny, writePrivate } from '../files/files.ts'

/** The file that hooks check for; `install --context` creates it, `uninstall` removes it. */
const FOLLOWED = 'followed'

/** The most bytes of a status line's input, which has a few thousand. */
const MAX_INPUT = 256 * 1024

/**
 * Milliseconds that another status line may take, since the agent starts a new one for each response. Once in a while
 * it may take longer, because otherwise the output of a slow one would never be seen.
 */
const LINE_TIMEOUT = 100
const SLOW_LINE_TIMEOUT = 500
const SLOW_LINE_EVERY = 10_000

/** Milliseconds after which nobody resumes a session, and what is known of its context is deleted. */
const KEEP = 30 * 86_400_000

function dropOld(folder: string): void {
  const oldest = Date.now() - KEEP
  for (const name of namesIfAny(folder)) {
    if (name === FOLLOWED) continue
    attempt(() => {
      const path = join(folder, name)
      if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true })
    })
  }
}

/** `top`: the top folder of the worktree. */
export function contextStore(commonDir: string, top: string, env: NodeJS.ProcessEnv): ContextPort {
  const folder = join(commonDir, 'ledger-git', 'context')
  const pathOf = (session: string, ending: string) => {
    if (!isSessionId(session)) throw new Error(`not a session: ${JSON.stringify(session)}`)
    return join(folder, session + ending)
  }
  const read = (session: string) => {
    const record = parseContextRecord(readTextIfAny(pathOf(session, '.json')))
    return record?.session === session ? record : undefined
  }
  return {
    isFollowed: () => attempt(() => statSync(join(folder, FOLLOWED)).isFile()) === true,
    read,
    write: (record) => {
      const path = pathOf(record.session, '.json')
      // Old files are looked for only when a session begins.
      if (!existsSync(path)) dropOld(folder)
      writePrivate(path, renderContextRecord(record))
    },
    keepQuiet: (session, until) => {
      const path = pathOf(session, '.quiet')
      // Only a path that reads the same in JSON.
      const isPlain = until !== undefined && !/[\p{Cc}"\\]/u.test(until.log)
      if (isPlain) writePrivate(path, `${until.bytes}\n${until.tokens}\n${until.log}\n`)
      else attempt(() => rmSync(path, { force: true }))
    },
    list: () =>
      namesIn(folder).flatMap((name) => {
        const session = name.endsWith('.json') ? name.slice(0, -'.json'.length) : ''
        return isSessionId(session) ? (read(session) ?? []) : []
      }),
    wasHeld: (commit) => existsSync(join(folder, `${commit}.held`)),
    noteHeld: (commit) => writePrivate(join(folder, `${commit}.held`), ''),
    statusInput: (session) =>
      attempt(() => {
        const path = pathOf(session, '.status')
        const { mtimeMs, size } = statSync(path)
        if (size > MAX_INPUT) return undefined
        return { text: readFileSync(path, 'utf8'), at: Math.floor(mtimeMs) }
      }),
    keepStatusInput: (session, text) => {
      if (text.length <= MAX_INPUT) writePrivate(pathOf(session, '.status'), text)
    },
    askStatusLine: async (session, { command, folder: where }, input) => {
      const path = pathOf(session, '.line')
      const last = readTextIfAny(path)
      const age = attempt(() => Date.now() - statSync(path).mtimeMs) ?? SLOW_LINE_EVERY
      const isDue = age >= SLOW_LINE_EVERY
      const timeout = isDue ? SLOW_LINE_TIMEOUT : LINE_TIMEOUT
      const bounds = { folder: where, env, timeout, endsWithUs: true }
      // Imported here, since no hook needs it.
      const { runFilter } = await import('../process/run-filter.ts')
      const answer = await runFilter(command, input, bounds)
      const text = 'failed' in answer ? (last ?? '') : answer.text
      if (text !== last || isDue) writePrivate(path, text)
      return text
    },
    agentSettings: () => {
      const own = join(top, '.claude')
      const user = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude')
      const paths = [
        join(own, 'settings.local.json'),
        join(own, 'settings.json'),
        join(user, 'settings.json'),
      ]
      return paths.flatMap((path) => attempt(() => readFileSync(path, 'utf8')) ?? [])
    },
  }
}
