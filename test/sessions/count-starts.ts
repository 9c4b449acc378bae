import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../support/git-repo.ts'

/** How often the launcher has started Node since the last call. */
export function countStarts(repo: Repo): () => number {
  const launch = join(repo.folder, '.git/ledger-git/launch')
  const [count, node] = ['starts', 'node'].map((name) => join(repo.sandbox.folder, name)) as [
    string,
    string,
  ]
  const [real = '', ...rest] = readFileSync(launch, 'utf8').split('\n')
  writeFileSync(count, '')
  writeFileSync(node, `#!/bin/sh\nprintf x >>'${count}'\nexec '${real}' "$@"\n`)
  chmodSync(node, 0o755)
  writeFileSync(launch, [node, ...rest].join('\n'))
  return () => {
    const starts = readFileSync(count, 'utf8').length
    writeFileSync(count, '')
    return starts
  }
}

/** The arguments git was started with since the last call, without the settings' own question for the launcher. */
export function gitStarts(repo: Repo): () => string[] {
  const trace = join(repo.sandbox.folder, 'trace')
  repo.sandbox.env['GIT_TRACE2_EVENT'] = trace
  return () => {
    const events = readFileSync(trace, 'utf8').split('\n').filter(Boolean)
    rmSync(trace)
    return events
      .map((line) => JSON.parse(line) as { event: string; argv?: string[] })
      .flatMap(({ event, argv }) => (event === 'start' ? [argv?.slice(1).join(' ') ?? ''] : []))
      .filter((words) => !/^-C \S+ rev-parse --path-format/.test(words))
  }
}
