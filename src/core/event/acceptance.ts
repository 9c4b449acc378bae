/**
 * Acceptances: events that say which damaged events are accepted as they now are in history.
 *
 * Each names a file and its blob, so that a later change of the same file is detected again. Acceptances are events
 * because events reach every clone and merge without conflict (docs/decisions/0021).
 */

export const ACCEPTANCE_TYPE = 'acceptance'

export interface AcceptedFile {
  /** File name in `events/`. */
  readonly file: string
  /** Blob id. */
  readonly oid: string
}

/** The body of an acceptance, in YAML. */
export function acceptanceBody(files: readonly AcceptedFile[]): string {
  return ['accepts:', ...files.map(({ file, oid }) => `  - ${file} ${oid}`)].join('\n')
}

/** The files that an acceptance's text names; the text may have been reformatted. */
export function readAcceptance(text: string): AcceptedFile[] {
  const lines = text.matchAll(/^\s*[-*+]\s+["']?(\S+\.md)\s+([0-9a-f]{40,64})["']?\s*$/gm)
  return [...lines].map(([, file = '', oid = '']) => ({ file, oid }))
}
