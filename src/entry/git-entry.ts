/**
 * The commands that run all day: git's own entry points, and the plain forms of `check`.
 *
 * Bundled separately (`dist/git-entry.cjs`), without the command-line library. A YAML parser is loaded only for
 * an event that another program wrote and that has not been read before.
 */

import { checkLedger } from '../app/ledger/check.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import { HOOKS } from '../app/hooks/hook-context.ts'
import { runHook } from '../app/hooks/run-hook.ts'
import { settleMarks } from '../app/commit/settle-marks.ts'
import { runMergeDriver } from '../app/merge/run-merge-driver.ts'
import { checkOutput, parseCheckArgs } from '../cli/ledger/parse-check-args.ts'
import { openHookSession } from '../io/git/hook-session.ts'
import { openMergeFiles, openMergeSession } from '../io/merge/merge-session.ts'
import type { Repository } from '../io/git/repository.ts'
import { openRepository } from '../io/git/repository.ts'
import { say, talk } from '../io/terminal/talk.ts'
import { runProcess, printUsage } from './run-process.ts'

/** The process that the launcher starts. */
export async function runFromGit(): Promise<void> {
  await runProcess(async (words) => (await runGitEntry(words)) ?? 2)
}

/** Runs a command line if it is one of these; undefined otherwise. */
export async function runGitEntry(words: readonly string[]): Promise<number | undefined> {
  const [command, ...rest] = words
  if (command === 'merge-driver') return mergeDriver(rest)
  if (command === 'handoff-driver')
    return (await import('./handoff-driver.ts')).runHandoffDriver(rest)
  if (command === 'hook') return hook(rest)
  if (command === 'agent-hook') return (await import('./agent-hook.ts')).runAgentHook(rest)
  if (command === 'summarize') return (await import('./summarize.ts')).runSummarize(rest)
  if (command === 'statusline' && rest.length === 0 && !process.stdin.isTTY)
    return (await import('./statusline.ts')).runStatusLine()
  return command === 'check' ? check(rest) : undefined
}

/** `ledger-git merge-driver %O %A %B %L %P %S %X %Y` */
async function mergeDriver(words: readonly string[]): Promise<number> {
  const [base, ours, theirs, markerSize = '7', path, s = '', x = '', y = ''] = words
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined) {
    return printUsage(words, 'merge-driver %O %A %B %L %P %S %X %Y (run by git)')
  }
  const args = { base, ours, theirs, markerSize, path, labels: { base: s, ours: x, theirs: y } }
  const cwd = process.cwd()
  return runMergeDriver({
    files: openMergeFiles(args, cwd, process.env),
    path,
    disabled: process.env['LEDGER_GIT'] === '0',
    open: () => openMergeSession(args, cwd, process.env),
    say,
  })
}

/** `ledger-git hook NAME [ARG ...]`, or an errand; `hook --probe NAME` only reports that it was reached. */
async function hook(words: readonly string[]): Promise<number> {
  if (words[0] === '--probe') {
    process.stdout.write(`ledger-git probe: ${words[1]}\n`)
    return 0
  }
  if (words[0]?.startsWith('--') === true && words[0] !== '--help') {
    return (await import('../compose/errands.ts')).runErrand(words, process.cwd(), process.env)
  }
  const name = HOOKS.find((known) => known === words[0])
  if (name === undefined) {
    return printUsage(words, `hook ${HOOKS.join('|')} (run by git)`)
  }
  if (process.env['LEDGER_GIT'] === '0') return 0
  const [cwd, env] = [process.cwd(), process.env]
  const loadSessions = async (repository: Repository) =>
    (await import('../compose/session-hooks.ts')).sessionHooks(cwd, env, repository)
  const session = await openHookSession(cwd, env, { args: words.slice(1), loadSessions })
  try {
    const status = await runHook(name, session)
    // The launcher asks for a status that Node itself never exits with.
    return status === 1 ? Number(process.env['LEDGER_GIT_BLOCK_STATUS'] ?? 1) : status
  } finally {
    session.close()
  }
}

/** `ledger-git check [--staged | --rev REV] [--json]`; undefined if more than this is needed. */
async function check(words: readonly string[]): Promise<number | undefined> {
  const asked = parseCheckArgs(words)
  if (asked === undefined) return undefined
  const repository = await openRepository(process.cwd(), process.env)
  try {
    const isBare = repository.place.top === undefined
    if (isBare && asked.target.kind !== 'rev') return undefined // the full command explains this to people
    await settleMarks(repository, say)
    const report = await checkLedger(repository, await readSettings(repository), asked.target)
    if (report.isUnseen) return undefined // the full command asks git why
    const output = checkOutput(report, asked.json)
    process.stdout.write(output.out)
    talk(output.talk)
    return report.fresh ? 0 : 1
  } finally {
    repository.close()
  }
}
