/**
 * What a hook prints: JSON where the agent parses it, in its documented shape, and nothing elsewhere.
 *
 * All three agents read `hookSpecificOutput.additionalContext` (for the model) and `systemMessage` (for
 * the person), but not after every event; Codex refuses an answer with any key that it does not know.
 */

import type { SignalKind } from '../../core/agents/agent-signal.ts'

export interface Answer {
  /** For the model. */
  readonly context?: string | undefined
  /** For the person at the terminal. */
  readonly message?: string | undefined
}

/** The agent's own name of an event whose answer it reads, and what it reads there. */
export interface AnswerShape {
  readonly hook: string
  readonly takes: readonly (keyof Answer)[]
}

export type AnswerShapes = Readonly<Partial<Record<SignalKind, AnswerShape>>>

/** The text for standard output; empty when the agent would not understand it. */
export function writeAnswer(shapes: AnswerShapes, kind: SignalKind, answer: Answer): string {
  const shape = shapes[kind]
  if (shape === undefined) return ''
  const said = (key: keyof Answer) => (shape.takes.includes(key) && answer[key]) || undefined
  const [context, message] = [said('context'), said('message')]
  if (context === undefined && message === undefined) return ''
  const json = {
    ...(message === undefined ? {} : { systemMessage: message.toWellFormed() }),
    ...(context === undefined
      ? {}
      : {
          hookSpecificOutput: {
            hookEventName: shape.hook,
            additionalContext: context.toWellFormed(),
          },
        }),
  }
  return `${JSON.stringify(json)}\n`
}
