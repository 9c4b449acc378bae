/** The tracker's note about a checkpoint: the state of the work and the next steps. Pure. */

import type { ContextHandoff } from './handoff-document.ts'

const MAX_LINES = 10

export function trackerNote({ now, current, next, questions }: ContextHandoff): string {
  const item = current && [current.item, current.progress].filter(Boolean).join(' – ')
  const parts: readonly (readonly [title: string, lines: readonly (string | undefined)[]])[] = [
    ['Now', [now]],
    ['In progress', [item]],
    ['Next', next],
    ['Open questions', questions],
  ]
  return parts
    .map(([title, lines]) => [title, lines.filter((line) => line !== undefined)] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [`${title}:`, '', ...bullets(lines)].join('\n'))
    .join('\n\n')
}

function bullets(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => `- ${line.replaceAll(/\s+/g, ' ').trim()}`)
  return lines.length > MAX_LINES ? [...shown, `- … and ${lines.length - MAX_LINES} more`] : shown
}
