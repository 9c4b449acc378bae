/** What a session shared with others, according to the output of git, `gh`, and `glab`. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { unique } from '../message/items.ts'
import { shellCommands } from '../text/shell-commands.ts'

type Run = NonNullable<(TranscriptEntry & { kind: 'tool' })['ran']>

const OPENS = /\bg(?:h (?:pr|issue|release)|lab (?:mr|issue)) create\b/
const OPENED_URL =
  /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|issues|merge_requests|releases\/tag)\/[\w.-]*\w/g
const PUSHES = /\bgit (?:-C \S+ )?push\b(?![^;&|\n]* (?:--dry-run|-n)\b)/
const COMMITS = /\bgit (?:-C \S+ )?commit\b/
const MERGES = /\bgit (?:-C \S+ )?(?:merge|rebase|cherry-pick|revert)\b(?!-)/
/** `1f0c2b3..9a8b7c6  main -> main`, ` * [new branch]  fix -> fix`: captures the remote branch. */
const PUSHED =
  /^[ \t]*(?:[+*] ?)?(?:[\da-f]{7,40}\.{2,3}[\da-f]{7,40}|\[new (?:branch|tag)\])\s+\S+\s+->\s+(\S+)/gm

/** `[main 1f0c2b3] fix: a`: captures the branch that the commit is on. */
const COMMITTED = /^\[(\S+)(?: \([a-z-]+\))? [\da-f]{7,40}\]/gm

const DELETED = /^[ \t]*- \[deleted\]\s+(\S+)/gm

/** `Opened https://…/pull/12`, `Merged pull request 12`, `Pushed main`. A push that commits followed is left out. */
export function sharedLines(entries: readonly TranscriptEntry[]): string[] {
  const runs = entries.flatMap((entry) => (entry.kind === 'tool' ? (entry.ran ?? []) : []))
  const opened = runs.flatMap(({ command, output }) =>
    OPENS.test(command) ? (output.match(OPENED_URL) ?? []).slice(-1) : [],
  )
  const merged = runs.flatMap(({ command }) => mergedBy(command))
  const lastCommit = new Map(runs.flatMap((run, i) => branchesOf(run).map((name) => [name, i])))
  const isLast = (branch: string, i: number) =>
    [branch, ANY].every((name) => (lastCommit.get(name) ?? -1) <= i)
  const pushed = runs.flatMap(({ command, output }, i) => {
    const branches = PUSHES.test(command) ? [...output.matchAll(PUSHED)] : []
    return branches.flatMap(([, branch = '']) => (isLast(branch, i) ? branch : []))
  })
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
    ...unique(merged)
      .slice(-MAX_SHARED)
      .map((number) => `Merged pull request ${number}`),
    ...(branches.length === 0 ? [] : [`Pushed ${branches.join(', ')}`]),
  ]
}

const MAX_SHARED = 3

/** Stands for a branch that is not known. */
const ANY = ''

/** The branches that may have new commits: a commit's output names its branch; a merge or a rebase may be on any. */
function branchesOf({ command, output }: Run): readonly string[] {
  if (MERGES.test(command)) return [ANY]
  if (!COMMITS.test(command)) return []
  const named = [...output.matchAll(COMMITTED)].map(([, name = ANY]) => name)
  return named.length === 0 ? [ANY] : named
}

/** Only where the exit code shows that it succeeded. With `--auto`, it is merged later, if at all. */
function mergedBy(command: string): string[] {
  const commands = shellCommands(command)
  const certain = commands.findLastIndex(({ operator }) => operator !== '&&' && operator !== '') + 1
  return commands.slice(certain).flatMap(({ words }) => {
    const isMerge = words.join(' ').startsWith('gh pr merge ')
    if (!isMerge || words.some((word) => /^--.*auto$/.test(word))) return []
    return words.find((word) => /^(?:https:\S+\/)?\d+$/.test(word))?.replace(/^.*\//, '') ?? []
  })
}
