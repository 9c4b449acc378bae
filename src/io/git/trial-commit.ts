/** A trial commit in a temporary repository: do the scripts of this repository include a pending event? */

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import { attempt, readRegularFile, temporaryFolder } from '../files/files.ts'
import { Git } from '../process/exec.ts'

/** Our hooks of a commit. The user's hooks do not run. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']
/** What these hooks read below `ledger-git/`. No session, and nothing that is kept between runs, is among it. */
export const SCRIPTS = ['run', 'hook', 'launch', 'root', 'hooks']

const THEN = instantFromMillis(0)
const EVENT = renderEvent({ ts: formatInstant(THEN), agent: 'doctor', now: 'a trial' })

/** Without the user's configuration, which may name hooks, templates, signing keys. */
const ALONE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  LEDGER_GIT: undefined,
}

export async function commitEvent(
  place: Place,
  root: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<{ isTaken: boolean; said: string }> {
  const { commonDir, format } = place
  const folder = temporaryFolder(`ledger-git-doctor-${process.pid}-`)
  const copy = (from: string, to: string) => {
    if (existsSync(from)) cpSync(from, join(folder, to), { recursive: true })
  }
  const write = (path: string, text: string, mode?: number) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode })
  }
  try {
    const git = new Git(folder, { ...env, ...ALONE })
    await git.output(['init', '-q', '--template=', `--object-format=${format}`])
    // Created first: a read-only folder would be copied as one that cannot be emptied again.
    mkdirSync(join(folder, '.git/ledger-git/hooks'), { recursive: true })
    for (const name of SCRIPTS) copy(`${commonDir}/ledger-git/${name}`, `.git/ledger-git/${name}`)
    for (const hook of HOOKS) {
      write(`.git/trial/${hook}`, `#!/bin/sh\nexec .git/ledger-git/hook ${hook} "$@"\n`, 0o755)
    }
    const settings = settingsOf(place, env)
    if (settings !== undefined) writeFileSync(join(folder, SETTINGS_FILE), settings)
    const event = `${root}/events/${eventFileName(THEN, 'doctor', EVENT)}`
    write(event, EVENT)
    // Without anything else to commit, git makes no commit.
    write('trial', 'trial\n')
    await git.output(['add', 'trial'])
    const args = ['-c', 'core.hooksPath=.git/trial', 'commit', '-q', '-m', 'trial']
    const { stderr } = await git.run(args, { timeout })
    const taken = await git.query(['rev-parse', '--verify', '-q', `HEAD:${event}`])
    return { isTaken: taken !== undefined, said: stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The settings file; if a sparse checkout leaves it out, the one in the index. */
export function settingsOf({ top, gitDir }: Place, env: NodeJS.ProcessEnv): Uint8Array | undefined {
  if (top === undefined) return undefined
  const file = attempt(() => readRegularFile(join(top, SETTINGS_FILE)))
  if (file !== undefined || !existsSync(join(gitDir, 'info/sparse-checkout'))) return file
  const { status, stdout } = new Git(top, env).runNow(['cat-file', 'blob', `:${SETTINGS_FILE}`])
  return status === 0 ? stdout : undefined
}
