/** Source files as separate programs, for tests that need real processes. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { onTestFinished } from 'vitest'

/** Bundles a module of `src/` as `<folder>/<name>.mjs`, and writes a program beside it. */
export async function bundled(
  folder: string,
  source: string,
  { name, program }: { name: string; program: string },
): Promise<string> {
  await build({
    config: false,
    entry: { [name]: fileURLToPath(new URL(`../../src/${source}`, import.meta.url)) },
    outDir: folder,
    clean: false,
    outExtensions: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    dts: false,
    logLevel: 'silent',
  })
  const path = join(folder, 'program.mjs')
  writeFileSync(path, program)
  return path
}

export interface Worker {
  readonly child: ChildProcess
  /** Everything the program printed, and its exit status if it failed. */
  readonly said: Promise<string>
}

export function start(
  program: string,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Worker {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, [program, ...words], { ...options, stdio })
  onTestFinished(() => void child.kill('SIGKILL'))
  const out: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => out.push(chunk))
  const said = once(child, 'close').then(([status, signal]: (number | string | null)[]) => {
    const end = status === 0 ? '' : `status ${status ?? signal}`
    return Buffer.concat(out).toString('utf8') + end
  })
  return { child, said }
}
