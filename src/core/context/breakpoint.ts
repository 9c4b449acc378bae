/**
 * Whether this is a good moment to hand work over, judged by the agent's tool uses.
 *
 * Good: after a commit, passing tests, a pull request or a closed issue. Bad: while tests fail, or during a review.
 * After a file was changed it is neither, except for the plan: then the plan shows whether a part is finished.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { testOutcome } from '../turn/test-command.ts'
import { shellCommands } from '../text/shell-commands.ts'
import type { Breakpoint } from './decide.ts'

interface Sign {
  readonly command: RegExp
  readonly breakpoint: Breakpoint
}

/** What a command means that succeeded. The first match counts. */
const SIGNS: readonly Sign[] = [
  // A dry run is not a commit.
  { command: /^git (?:.* )?commit\b.* --dry-run\b/, breakpoint: 'none' },
  { command: /^git (?:-[cC] \S+ |-\S+ )*commit\b/, breakpoint: 'good' },
  { command: /^(?:gh pr create|glab mr create)\b/, breakpoint: 'good' },
  { command: /^(?:gh issue close|glab issue close|bd close)\b/, breakpoint: 'good' },
  { command: /^(?:gh pr review|glab mr note)\b/, breakpoint: 'bad' },
  { command: /^gh pr view\b.* (?:--comments|-c)\b/, breakpoint: 'bad' },
]

/** What the newest relevant entry says: the kind of moment, or which files were changed. */
export type Told = Breakpoint | { readonly changed: readonly string[] }

/** `entries`: the end of a transcript, in order. */
export function breakpointIn(entries: readonly TranscriptEntry[]): Told {
  for (const entry of entries.toReversed()) {
    const told = entry.kind === 'tool' ? breakpointOf(entry) : undefined
    if (told !== undefined) return told
  }
  return 'none'
}

/** Undefined for a tool that does not matter here, such as one that only reads. */
function breakpointOf(
  entry: Extract<TranscriptEntry, { readonly kind: 'tool' }>,
): Told | undefined {
  const { tool, ran, failed, label = '' } = entry
  if (tool.files.length > 0) return { changed: tool.files }
  if (failed !== undefined) {
    // For a failed call only the label has the command.
    return testOutcome(label.replaceAll('`', ''), undefined) === undefined ? undefined : 'bad'
  }
  if (ran === undefined) return undefined
  const tests = testOutcome(ran.command, ran.output)
  // `npm test; git commit`: failing tests count, whatever came after them.
  if (tests === 'failed') return 'bad'
  const signs = shellCommands(ran.command).flatMap(({ text }) => signOf(text) ?? [])
  return signs.at(-1) ?? (tests === 'passed' ? 'good' : undefined)
}

function signOf(text: string): Breakpoint | undefined {
  const command = text.replace(/^(?:\w+=\S* )+/, '')
  return SIGNS.find((sign) => sign.command.test(command))?.breakpoint
}
