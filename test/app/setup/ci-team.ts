/** A team whose main branch moved on, with branches that its host would or would not merge. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenRequest } from '../../support/ci-host.ts'
import { CiHost } from '../../support/ci-host.ts'
import type { JobOf } from '../../support/ci-job.ts'
import { CiMachine, readGithub, readGitlab } from '../../support/ci-job.ts'
import type { Ran, Repo } from '../../support/git-repo.ts'
import { ledgerRepo } from '../../support/git-repo.ts'

export const HOSTS = ['github', 'gitlab'] as const
export type HostName = (typeof HOSTS)[number]

export class Team {
  readonly repo: Repo
  readonly host: CiHost
  readonly machine: CiMachine

  private constructor(repo: Repo, host: CiHost) {
    this.repo = repo
    this.host = host
    this.machine = new CiMachine(repo, host)
  }

  /** Both workflows are written and committed before anything else. */
  static async start(settings = ''): Promise<Team> {
    const repo = ledgerRepo()
    if (settings !== '') {
      repo.commit('chore: settings', { '.ledger-git.yaml': settings })
      repo.install()
    }
    repo.ledger('install', '--ci', 'github', '--ci', 'gitlab')
    repo.commit('feat: shared', { 'shared.txt': 'base\n' })
    repo.git('init', '-q', '--bare', '-b', 'main', '../remote.git')
    repo.git('remote', 'add', 'origin', '../remote.git')
    repo.git('push', '-q', 'origin', 'main')
    return new Team(repo, await CiHost.start(repo))
  }

  /** A branch with an event, so that the ledger conflicts; returns its commit. */
  branch(name: string, files: Record<string, string> = {}): string {
    this.repo.git('switch', '-q', '--detach', 'main')
    this.repo.event('--agent', 'agent', '--done', `done on ${name}`)
    return this.push(name, files)
  }

  /** Commits everything and pushes it as this branch. */
  push(name: string, files: Record<string, string> = {}): string {
    const commit = this.repo.commit(`work on ${name}`, files)
    // A host accepts names that `git branch` would refuse.
    this.repo.git('push', '-q', '--no-verify', 'origin', `HEAD:refs/heads/${name}`)
    return commit
  }

  /** Gives main an event, these files, and a change that other branches conflict with. */
  moveMain(files: Record<string, string> = {}): void {
    this.repo.git('switch', '-q', 'main')
    this.repo.event('--agent', 'main', '--done', 'on main')
    this.repo.commit('feat: main', { 'shared.txt': 'ours\n', ...files })
    this.repo.git('push', '-q', '--no-verify', 'origin', 'main')
  }

  /** Opens a request for each branch, and runs the job that the host starts for main. */
  async mergeBase(
    host: HostName,
    branches: readonly string[],
    others: readonly OpenRequest[] = [],
  ): Promise<Ran> {
    this.host.requests = [...others, ...branches.map((branch) => ({ branch }))]
    return this.run(host, { name: 'merge-base', head: this.repo.git('rev-parse', 'main') })
  }

  run(host: HostName, job: JobOf): Promise<Ran> {
    return host === 'github'
      ? this.machine.github(readGithub(this.repo), job)
      : this.machine.gitlab(readGitlab(this.repo), job)
  }

  /** The commits of the remote's branches. */
  tips(): Record<string, string> {
    const lines = this.repo.git('ls-remote', '--heads', 'origin').split('\n')
    return Object.fromEntries(lines.map((line) => line.split('\trefs/heads/').toReversed()))
  }

  /** Makes the remote refuse this branch with these words. */
  protect(branch: string, words: string): void {
    const hook = `#!/bin/sh\n[ "$1" != "refs/heads/${branch}" ] || { echo "${words}"; exit 1; }\n`
    writeFileSync(join(this.repo.sandbox.folder, 'remote.git/hooks/update'), hook, { mode: 0o755 })
  }
}
