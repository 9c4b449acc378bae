/** A commit in a repository that is thrown away: do the scripts of this one take a pending event? */

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import { SETTINGS_FILE } from '../../core/settings/settings.ts'
import { Git } from './exec.ts'

/** Our part of a commit. The user's part does not run. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit']
/** What these read below `ledger-git/`; no session and nothing that is kept between runs is among it. */
const SCRIPTS = ['run', 'hook', 'launch', 'root', 'hooks']
/** Milliseconds: doctor must not hang. */
const PATIENCE = 20_000

const THEN = instantFromMillis(0)
const EVENT = renderEvent({ ts: formatInstant(THEN), agent: 'doctor', now: 'a trial' })

export async function commitEvent(
  { commonDir, top, format }: Place,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<{ isTaken: boolean; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-git-doctor-'))
  try {
    const git = new Git(folder, { ...env, ...ALONE })
    await git.output(['init', '-q', '--template=', `--object-format=${format}`])
    copyScripts(`${commonDir}/ledger-git`, join(folder, '.git'))
    const settings = `${top}/${SETTINGS_FILE}`
    if (top !== undefined && existsSync(settings)) cpSync(settings, join(folder, SETTINGS_FILE))
    const event = `${root}/events/${eventFileName(THEN, 'doctor', EVENT)}`
    mkdirSync(dirname(join(folder, event)), { recursive: true })
    writeFileSync(join(folder, event), EVENT)
    // Without anything else to commit git makes no commit.
    writeFileSync(join(folder, 'trial'), 'trial\n')
    await git.output(['add', 'trial'])
    const words = ['-c', 'core.hooksPath=.git/trial', 'commit', '-q', '-m', 'trial']
    const { stderr } = await git.run(words, { timeout: PATIENCE })
    const isTaken =
      (await git.query(['rev-parse', '--verify', '-q', `HEAD:${event}`])) !== undefined
    return { isTaken, said: stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** No configuration of the user's: it may name hooks, templates, signing keys. */
const ALONE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_AUTHOR_NAME: 'ledger-git',
  GIT_AUTHOR_EMAIL: 'doctor@localhost',
  GIT_COMMITTER_NAME: 'ledger-git',
  GIT_COMMITTER_EMAIL: 'doctor@localhost',
  LEDGER_GIT: undefined,
}

function copyScripts(from: string, gitDir: string): void {
  for (const name of SCRIPTS) {
    if (existsSync(`${from}/${name}`)) {
      cpSync(`${from}/${name}`, `${gitDir}/ledger-git/${name}`, { recursive: true })
    }
  }
  for (const hook of HOOKS) {
    const text = `#!/bin/sh\nexec .git/ledger-git/hook ${hook} "$@"\n`
    mkdirSync(`${gitDir}/trial`, { recursive: true })
    writeFileSync(`${gitDir}/trial/${hook}`, text, { mode: 0o755 })
  }
}
