/**
 * `ledger-git agent-hook AGENT EVENT`: what a coding agent's hook starts, with its payload on stdin.
 *
 * Whatever happens, the agent goes on: the exit status is 0, standard output holds an answer in the agent's own
 * format or nothing, and errors go to the session log.
 */
import { existsSync } from 'node:fs'
import { settleMarks } from '../app/commit/settle-marks.ts'
import { handleSignal } from '../app/session/handle-signal.ts'
import { withSession } from '../compose/in-session.ts'
import { openForSession } from '../compose/session-place.ts'
import { AGENT_NAMES, readPayload, writeAnswer } from '../core/agents/agents.ts'
import { readStdin } from '../io/terminal/stdin.ts'
import { ownName } from '../io/terminal/talk.ts'
import { runProcess, printUsage } from './run-process.ts'

/** The process that the launcher starts. */
export async function runFromAgent(): Promise<void> {
  await runProcess(([, ...words]) => runAgentHook(words))
}

export async function runAgentHook(words: readonly string[]): Promise<number> {
  const [agent, event] = words
  const name = AGENT_NAMES.find((known) => known === agent)
  if (name === undefined || event === undefined) {
    return printUsage(words, `agent-hook ${AGENT_NAMES.join('|')} EVENT (run by agents)`)
  }
  const payload = await readStdin()
  if (process.env['LEDGER_GIT'] === '0') return 0
  const signal = readPayload(name, event, payload)
  if (signal === undefined) return 0
  const isStart = signal.kind === 'session_start' || signal.kind === 'turn_start'
  const found = await openForSession(name, signal, isStart)
  if (found === undefined) return 0
  await withSession(`session ${signal.session}: ${signal.kind}`, found, async (context) => {
    await settleMarks(context.repository, context.say)
    if (context.summaries.list().length > 0) {
      await (await import('../app/report/summaries.ts')).settleSummaries(context)
    }
    // Finding the name searches PATH, and only the start of a session needs it.
    const signalContext =
      signal.kind === 'session_start'
        ? { ...context, program: ownName(process.env, process.argv[1] ?? '') }
        : context
    const answer = await handleSignal(signalContext, signal)
    const text = writeAnswer(name, signal.kind, answer)
    if (text !== '') process.stdout.write(text)
    // Most repositories have no outbox, since they report to no tracker (`io/tracker/outbox-files.ts`).
    const outbox = `${context.repository.place.commonDir}/ledger-git/outbox`
    if (['session_start', 'session_end'].includes(signal.kind) && existsSync(outbox)) {
      const { wakeSender } = await import('../app/tracker/wake-sender.ts')
      await wakeSender(await context.tracker())
    }
  })
  return 0
}
