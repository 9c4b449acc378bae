/** What a session shared with others, according to the output of git, `gh`, and `glab`. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { unique } from '../message/items.ts'

const OPENS = /\bg(?:h (?:pr|issue|release)|lab (?:mr|issue)) create\b/
const OPENED_URL =
  /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|issues|merge_requests|releases\/tag)\/[\w.-]*\w/g
const PUSHES = /\bgit (?:-C \S+ )?push\b(?![^;&|\n]* (?:--dry-run|-n)\b)/
const COMMITS = /\bgit (?:-C \S+ )?(?:commit|merge|rebase|cherry-pick|revert)\b/
/** `1f0c2b3..9a8b7c6  main -> main`, ` * [new branch]  fix -> fix`: captures the remote branch. */
const PUSHED =
  /^[ \t]*(?:[+*] ?)?(?:[\da-f]{7,40}\.{2,3}[\da-f]{7,40}|\[new (?:branch|tag)\])\s+\S+\s+->\s+(\S+)/gm

const DELETED = /^[ \t]*- \[deleted\]\s+(\S+)/gm

/** `Opened https://…/pull/12`, `Pushed main`. A push that was followed by commits is left out. */
export function sharedLines(entries: readonly TranscriptEntry[]): string[] {
  const runs = entries.flatMap((entry) => (entry.kind === 'tool' ? (entry.ran ?? []) : []))
  const opened = runs.flatMap(({ command, output }) =>
    OPENS.test(command) ? (output.match(OPENED_URL) ?? []).slice(-1) : [],
  )
  const lastCommit = runs.findLastIndex(({ command }) => COMMITS.test(command))
  const pushed = runs
    .slice(Math.max(lastCommit, 0))
    .flatMap(({ command, output }) =>
      PUSHES.test(command) ? [...output.matchAll(PUSHED)].map(([, branch = '']) => branch) : [],
    )
  const gone = new Set(
    runs.flatMap(({ output }) => [...output.matchAll(DELETED)].map(([, name]) => name)),
  )
  const branches = unique(pushed)
    .filter((name) => !gone.has(name))
    .slice(-MAX_SHARED)
  return [
    ...unique(opened)
      .slice(-MAX_SHARED)
      .map((address) => `Opened ${address}`),
    ...(branches.length === 0 ? [] : [`Pushed ${branches.join(', ')}`]),
  ]
}

const MAX_SHARED = 3
