#!/usr/bin/env node
/**
 * The composition root.
 *
 * Commands that run all day are dispatched before the command-line library loads. Everything is
 * imported inside `main`, so that a broken installation ends in a message and a status that the
 * launcher understands, never in Node's own exit 1.
 */

const packageRoot = new URL('..', import.meta.url)

async function main(words: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write('ledger-git: Windows is not supported yet; use WSL, Linux or macOS\n')
    return 3
  }
  if (!['merge-driver', 'hook', 'agent-hook'].includes(words[0] ?? '')) {
    const { watchTerminal } = await import('./run-process.ts')
    watchTerminal()
  }
  if (['merge-driver', 'hook', 'agent-hook', 'check'].includes(words[0] ?? '')) {
    const { runHot } = await import('./hot.ts')
    const status = await runHot(words)
    if (status !== undefined) return status
  }
  return commandLine(words)
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

try {
  const { runProcess } = await import('./run-process.ts')
  await runProcess(main)
} catch (error) {
  // Not even the frame could be loaded.
  process.stderr.write(`ledger-git: the installation is broken: ${String(error)}\n`)
  process.exitCode = 70
}
