/** The detector of secrets as use cases see it. It is loaded where it is needed, not before. */

import type { Secret } from '../../core/secrets/secret.ts'

export interface SecretScanner {
  /** Secrets in their order; they do not overlap. */
  find(text: string): readonly Secret[]
  /** `[redacted: <kind>]` in place of each secret. */
  redact(text: string): string
  /** The same for a file line by line, in bounded memory; JSON lines stay JSON. */
  lineRedactor(): (line: string) => string
}

export type LoadSecretScanner = () => Promise<SecretScanner>
