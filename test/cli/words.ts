/** Small helpers that the command-line tests share. */

import type { Ran, Repo } from '../support/git-repo.ts'
import { EVENTS } from '../support/git-repo.ts'

/** Runs a command that must succeed, with `--json`; returns the data. */
export function json<T = Record<string, unknown>>(repo: Repo, ...words: string[]): T {
  return JSON.parse(repo.ledger(...words, '--json')) as T
}

/** Writes an event file as a person with an editor would. */
export function writeEvent(repo: Repo, name: string, body: string, ts = '2026-01-01T00:00:00Z') {
  repo.write(`${EVENTS}/${name}`, `---\nts: ${ts}\nagent: toast\nbranch: main\n---\n\n${body}\n`)
}

/** A refusal as people see it: a status, nothing on stdout, and a helpful message on stderr. */
export function refusal({ status, stdout, stderr }: Ran): { status: number; stdout: string } {
  if (!stderr.startsWith('ledger-git: ')) throw new Error(`no message of ours: ${stderr}`)
  if (/\n\s+at |bug in ledger-git/.test(stderr)) throw new Error(`a bug, not a refusal: ${stderr}`)
  return { status, stdout }
}
