/**
 * Pushes and fetches one ref alongside the user's own push.
 *
 * git runs in a separate session, so that none of its children has a terminal to prompt on. It is killed with all its
 * children on a timeout, or when this process ends.
 */

import type { CheckpointRemote, PushAnswer } from '../../app/shadow/git-ports.ts'
import { foldLine } from '../../core/text/markdown-to-text.ts'
import type { Git } from '../process/exec.ts'
import { killOnSignal, startGroup } from '../process/process-group.ts'

interface Answer {
  readonly status: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** No hook of any kind (`--no-verify` would still run reference-transaction), and no credential helper's window. */
const CONFIG = ['-c', 'core.hooksPath=/dev/null', '-c', 'credential.interactive=false']

const PUSH = [
  'push',
  '--porcelain',
  '--no-verify',
  '--no-follow-tags', // push.followTags
  '--no-recurse-submodules',
  '--no-signed', // push.gpgSign would ask for a passphrase
  '--no-force',
]
const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head', // that file is the user's
  '--no-recurse-submodules',
  '--no-prune',
  '--no-auto-maintenance',
]

export function gitCheckpointRemote(git: Git): CheckpointRemote {
  const run = async (args: readonly string[], timeout: number) => {
    const { cwd, env } = git
    const configured = await git.query(['config', '--get', 'core.sshCommand'])
    const quiet = { ...env, ...QUIET, ...sshCommand(env, configured) }
    return runDetached(args, { cwd, env: quiet }, timeout)
  }
  return {
    push: async (remote, commit, ref, { isTrial, timeout }) => {
      const options = isTrial ? ['--dry-run'] : []
      // push.pushOption: servers that do not support push options refuse the push.
      const args = [...CONFIG, '-c', 'push.pushOption=', ...PUSH, ...options]
      return readAnswer(await run([...args, '--', remote, `${commit}:${ref}`], timeout))
    },
    fetch: async (remote, ref, into, timeout) => {
      const answer = await run([...CONFIG, ...FETCH, '--', remote, `+${ref}:${into}`], timeout)
      return answer.status === 0 ? undefined : reasonOf(answer)
    },
  }
}

/** Nothing may prompt: not git, not ssh, not a helper with a window. */
const QUIET = {
  LEDGER_GIT: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '', // set and empty: neither core.askPass nor SSH_ASKPASS counts
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
}

/**
 * The ssh command that git would choose, with `BatchMode`. A program that is not called ssh may not know the
 * option, but without a terminal it cannot prompt either.
 */
function sshCommand(
  { GIT_SSH_COMMAND, GIT_SSH }: NodeJS.ProcessEnv,
  configured: string | undefined,
): Record<string, string> {
  const command = [GIT_SSH_COMMAND, configured].find((one) => one !== undefined && one !== '')
  if (command === undefined && GIT_SSH !== undefined && GIT_SSH !== '') return {}
  const chosen = command ?? 'ssh'
  const isSsh = /^(?:[^\s'"]*\/)?ssh(?:\s|$)/.test(chosen)
  return isSsh ? { GIT_SSH_COMMAND: `${chosen} -o BatchMode=yes` } : {}
}

function runDetached(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  timeout: number,
): Promise<Answer> {
  // git's own helpers are in the process group as well.
  const group = startGroup({ words: ['git', ...args], folder: cwd, env, input: '' }, 'pipe')
  const { child } = group
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const stopWatching = killOnSignal(group)
  return new Promise((resolve) => {
    const finish = (status: number | undefined, said: string) => {
      clearTimeout(timer)
      stopWatching()
      // A child that outlives git may hold the pipes open.
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve({ status, stdout, stderr: said })
    }
    const timer = setTimeout(
      () => {
        group.signal('SIGKILL')
        finish(undefined, `no answer within ${Math.ceil(timeout / 1000)} s`)
      },
      Math.max(0, timeout),
    )
    child.on('error', (error) => finish(undefined, error.message))
    child.on('close', (code) => finish(code ?? undefined, stderr))
  })
}

/** `<flag> TAB <from>:<to> TAB <summary>`: git's own table, for the one ref that was pushed. */
function readAnswer(answer: Answer): PushAnswer {
  const [, flag, summary = ''] = /^([ +\-*!=])\t[^\t\n]*\t(.*)$/m.exec(answer.stdout) ?? []
  if (answer.status === undefined) return { kind: 'failed', reason: reasonOf(answer) }
  if (flag === '=') return { kind: 'same' }
  if (flag === '*' && answer.status === 0) return { kind: 'new' }
  if (flag === ' ' && answer.status === 0) return { kind: 'forward' }
  if (flag === '!' && isRace(summary)) return { kind: 'rejected' }
  const reason = flag === '!' ? withoutSecrets(foldLine(summary)) : reasonOf(answer)
  return { kind: 'failed', reason }
}

/** Somebody else's commits are there, or arrived at this moment. */
function isRace(summary: string): boolean {
  return /fetch first|non-fast-forward|needs force|cannot lock ref|failed to update ref|incorrect old value/.test(
    summary,
  )
}

function reasonOf({ status, stderr }: Answer): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const said = lines.find((line) => /^(?:fatal|error|remote error): /.test(line)) ?? lines.at(-1)
  return withoutSecrets(foldLine(said ?? `git ended with ${status}`)).slice(0, 300)
}

function withoutSecrets(text: string): string {
  return text.replace(/:\/\/[^@/\s]*@/g, '://')
}
