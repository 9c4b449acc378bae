/** Where a text seems to hold secrets: line and kind, never the secret. Loads the detector only for a suspect. */

import { mayHoldSecret } from '../../core/secrets/secret-hint.ts'
import type { LoadSecretScanner } from './secret-scanner.ts'

export interface SecretPlace {
  /** From 1. */
  readonly line: number
  readonly kind: string
}

export async function findSecrets(text: string, load: LoadSecretScanner): Promise<SecretPlace[]> {
  if (!mayHoldSecret(text)) return []
  const found = (await load()).find(text)
  return found.map(({ kind, start }) => ({ line: lineAt(text, start), kind }))
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
