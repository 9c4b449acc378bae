/**
 * Acceptances: events that say which damaged events are to be taken as history now holds them.
 *
 * Each names a file and the blob that it is, so that a later change of the same file is seen again. An
 * event, because events reach every clone and merge without conflict (docs/decisions/0021).
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

/** What an acceptance's text names; a formatter may have been at it. */
export function readAcceptance(text: string): AcceptedFile[] {
  const lines = text.matchAll(/^\s*[-*+]\s+["']?(\S+\.md)\s+([0-9a-f]{40,64})["']?\s*$/gm)
  return [...lines].map(([, file = '', oid = '']) => ({ file, oid }))
}
