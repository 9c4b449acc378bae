#!/usr/bin/env node
/**
 * The composition root.
 *
 * Git's own entry points (`merge-driver`, `hook`) are dispatched before any library loads. Everything
 * is imported inside `main`, so that a broken installation ends in a message and a status that the
 * launcher understands, never in Node's own exit 1.
 */

import type { LedgerError } from './core/errors.ts'
import type { HookName } from './app/run-hook.ts'

const packageRoot = new URL('..', import.meta.url)

async function main(words: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write('ledger-git: Windows is not supported yet; use WSL, Linux or macOS\n')
    return 3
  }
  const [command, ...rest] = words
  if (command === 'merge-driver') return mergeDriver(rest)
  if (command === 'hook') return hook(rest)
  return commandLine(words)
}

/** `ledger-git merge-driver %O %A %B %L %P %S %X %Y` */
async function mergeDriver(words: readonly string[]): Promise<number> {
  const { openMergeFiles, openMergeSession } = await import('./io/git/merge-session.ts')
  const { runMergeDriver } = await import('./app/run-merge-driver.ts')
  const { withoutControls } = await import('./core/without-controls.ts')
  const [base, ours, theirs, markerSize = '7', path, s = '', x = '', y = ''] = words
  if (base === undefined || ours === undefined || theirs === undefined || path === undefined) {
    process.stderr.write('usage: ledger-git merge-driver %O %A %B %L %P %S %X %Y (run by git)\n')
    return 2
  }
  const labels = { base: s, ours: x, theirs: y }
  const args = { base, ours, theirs, markerSize, path, labels }
  const cwd = process.cwd()
  return runMergeDriver({
    files: openMergeFiles(args, cwd, process.env),
    path,
    disabled: process.env['LEDGER_GIT'] === '0',
    open: () => openMergeSession(args, cwd, process.env),
    say: (message) => void process.stderr.write(`${withoutControls(message)}\n`),
  })
}

/** `ledger-git hook NAME [ARG ...]`; `hook --probe NAME` only says that it was reached. */
async function hook(words: readonly string[]): Promise<number> {
  if (words[0] === '--probe') {
    process.stdout.write(`ledger-git probe: ${words[1]}\n`)
    return 0
  }
  const { HOOKS, runHook } = await import('./app/run-hook.ts')
  const name = HOOKS.find((known) => known === words[0])
  if (name === undefined) {
    process.stderr.write(`usage: ledger-git hook ${HOOKS.join('|')} (run by git)\n`)
    return 2
  }
  if (process.env['LEDGER_GIT'] === '0') return 0
  const { openHookSession } = await import('./io/git/hook-session.ts')
  const session = await openHookSession(process.cwd(), process.env)
  try {
    const status = await runHook(name satisfies HookName, session)
    // The launcher asks for a status that Node never ends with by itself.
    return status === 1 ? Number(process.env['LEDGER_GIT_BLOCK_STATUS'] ?? 1) : status
  } finally {
    session.close()
  }
}

async function commandLine(words: readonly string[]): Promise<number> {
  const [{ runCli }, { createCliContext }, { fileURLToPath }] = await Promise.all([
    import('./cli/cli.ts'),
    import('./compose-cli.ts'),
    import('node:url'),
  ])
  const context = createCliContext(fileURLToPath(packageRoot))
  try {
    return await runCli(words, context)
  } finally {
    context.close()
  }
}

/** Prints an error for people; returns the exit status. */
async function report(error: unknown): Promise<number> {
  const code = (error as { code?: unknown }).code
  if (code === 'EPIPE') return 0
  if (error instanceof Error && error.name === 'LedgerError') {
    const { message, next, exitCode } = error as LedgerError
    const text = `ledger-git: ${message}\n${next === undefined ? '' : `  next: ${next}\n`}`
    const { withoutControls } = await import('./core/without-controls.ts')
    process.stderr.write(withoutControls(text))
    return exitCode
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(
    `ledger-git: this is a bug in ledger-git; please report it to its maintainers with these lines:\n${detail}\n`,
  )
  return 70
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.on('SIGINT', () => process.exit(130))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = await report(error)
}
