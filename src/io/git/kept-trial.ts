/**
 * Remembers successful trial commits for `status`, which makes another one only if something that a trial depends on
 * has changed since, or a day has passed.
 *
 *     cache/trials    one line per trial, newest first: a hash of all that it depends on, and the time
 */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Place } from '../../app/ports.ts'
import { attempt, namesIn, writeFileAtomic } from '../files/files.ts'
import { commitEvent, SCRIPTS, settingsOf } from './trial-commit.ts'

const DAY = 86_400_000
/** The most trials that are kept: terminals and agents have different environments. */
const MAX_TRIALS = 16
/** Variables that a shell changes with every command. */
const SHELL_VARIABLES = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', 'COLUMNS', 'LINES'])

/** True if a commit includes a pending event. */
export async function takesEvent(
  place: Place,
  root: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<boolean> {
  const file = `${place.commonDir}/ledger-git/cache/trials`
  const trial = attempt(() => hashOf(trialInputs(place, root, env)))
  const kept = readTrials(file)
  if (kept.some(({ hash }) => hash === trial)) return true
  const { isTaken } = await commitEvent(place, root, env, timeout)
  if (isTaken && trial !== undefined) {
    const lines = [{ hash: trial, time: Date.now() }, ...kept].slice(0, MAX_TRIALS)
    const text = lines.map(({ hash, time }) => `${hash} ${time}\n`).join('')
    // If the disk is read-only or full, the next status tries again.
    attempt(() => writeFileAtomic(file, text))
  }
  return isTaken
}

function readTrials(file: string): { hash: string; time: number }[] {
  const text = attempt(() => readFileSync(file, 'utf8')) ?? ''
  const now = Date.now()
  return text
    .split('\n')
    .map((line) => /^([0-9a-f]{64}) (\d+)$/.exec(line))
    .flatMap((match) => (match === null ? [] : { hash: match[1] ?? '', time: Number(match[2]) }))
    .filter(({ time }) => time <= now && now - time < DAY)
}

/** Everything that decides how a trial ends. Throws if that cannot be determined. */
function trialInputs(place: Place, root: string, env: NodeJS.ProcessEnv): unknown {
  // That command may start anything.
  if (env['LEDGER_GIT_BIN'] !== undefined) throw new Error('a command of somebody’s own')
  const { commonDir, format } = place
  const own = `${commonDir}/ledger-git`
  const [node = '', cli = ''] = readFileSync(`${own}/launch`, 'utf8').split('\n')
  const bundle = dirname(realpathSync(cli))
  const programs = [node, cli, '/bin/sh', gitIn(env), ...filesIn(bundle)]
  const settings = settingsOf(place, env)
  return {
    root,
    format,
    scripts: SCRIPTS.flatMap((name) => filesIn(`${own}/${name}`)).map(contentOf),
    settings: settings && Buffer.from(settings).toString('latin1'),
    programs: programs.map(stamp),
    env: Object.entries(env)
      .filter(([name]) => !SHELL_VARIABLES.has(name))
      .sort(),
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** The file itself, or those directly in the folder. */
function filesIn(path: string): string[] {
  return statSync(path).isDirectory() ? namesIn(path).map((name) => `${path}/${name}`) : [path]
}

function contentOf(path: string): unknown {
  return [path, statSync(path).mode, readFileSync(path, 'latin1')]
}

/** Stands for a file that is too large to be read for this, and changes with it. */
function stamp(path: string): unknown {
  const { ino, mode, size, mtimeMs } = statSync(path)
  return [realpathSync(path), ino, mode, size, mtimeMs]
}

/** The git that the environment names. */
function gitIn({ PATH = '' }: NodeJS.ProcessEnv): string {
  const found = PATH.split(delimiter)
    .map((folder) => join(folder, 'git'))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error('no git in PATH')
  return found
}
