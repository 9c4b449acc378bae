/** Runs `doctor` as its command does, without starting Node for it. What doctor tries out is real. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finding } from '../../../src/app/doctor/finding.ts'
import type { StatusReport } from '../../../src/app/doctor/status.ts'
import { readStatus } from '../../../src/app/doctor/status.ts'
import { fixFindings } from '../../../src/app/doctor/doctor.ts'
import type { Setup } from '../../../src/app/setup/setup.ts'
import type { CliContext } from '../../../src/cli/command/context.ts'
import { Input } from '../../../src/cli/command/command.ts'
import { doctor } from '../../../src/cli/setup/doctor.ts'
import { createSetup, packageVersion } from '../../../src/compose/setup.ts'
import { openRepository } from '../../../src/io/git/repository.ts'
import { CLI } from '../../support/git-repo.ts'
import type { Repo } from '../../support/git-repo.ts'

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))

export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv
  readonly nodeVersion?: string
}

/** A stand-in that answers as the command does in a tenth of the time, for tests of how git reaches the command. */
export function quick({ sandbox }: Repo): Surroundings {
  const path = join(sandbox.folder, 'home/command')
  const version = packageVersion(packageRoot)
  const text = `#!/bin/sh
case "$1 $2" in
  'hook --probe') echo "ledger-git probe: $3" ;;
  '--version ') echo '${version}' ;;
  'hook pre-commit') git add -A ;;
  'merge-driver '* | 'handoff-driver '*) cat "$4" >>"$3" ;;
  *) exec '${process.execPath}' '${CLI}' "$@" ;;
esac
`
  writeFileSync(path, text, { mode: 0o755 })
  return { env: { LEDGER_GIT_BIN: path } }
}

export interface Answer {
  readonly status: number
  readonly findings: readonly Finding[]
  readonly fixed: readonly string[]
}

/** The exit status and the `--json` of `ledger-git doctor`. */
export function doctorIn(repo: Repo, surroundings: Surroundings = {}, fix = false) {
  return withContext(repo, surroundings, async (context): Promise<Answer> => {
    const printed: string[] = []
    const cli = {
      ...context,
      setup: () => Promise.resolve(context),
      fixConfig: () => Promise.resolve([]),
      stdout: (text: string) => void printed.push(text),
      stderr: () => {},
      named: (text: string) => text,
    }
    // Contains only what this command uses.
    const input = new Input(doctor, { json: true, fix }, cli as unknown as CliContext)
    const status = (await doctor.run(input)) ?? 0
    return { status, ...(JSON.parse(printed.join('')) as Omit<Answer, 'status'>) }
  })
}

/** What `status` says about the same repository. */
export function statusIn(repo: Repo, surroundings: Surroundings = {}): Promise<StatusReport> {
  return withContext(repo, surroundings, async (context) => (await readStatus(context)).report)
}

/** What `doctor --fix` does about these findings, without checking again. */
export function fixIn(repo: Repo, findings: readonly Finding[]): Promise<string[]> {
  return withContext(repo, {}, (context) => fixFindings(findings, context))
}

async function withContext<T>(
  { folder, sandbox }: Repo,
  surroundings: Surroundings,
  use: (context: Setup) => Promise<T>,
): Promise<T> {
  const env = { ...sandbox.env, ...surroundings.env }
  const repository = await openRepository(folder, env)
  try {
    return await use({
      ...(await createSetup(repository, env, packageRoot)),
      nodeVersion: surroundings.nodeVersion ?? process.versions.node,
    })
  } finally {
    repository.close()
  }
}
