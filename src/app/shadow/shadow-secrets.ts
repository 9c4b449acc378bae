/** May a content be written to a ref? Text with secrets in it is named only, never written. */

import { mayHoldSecret } from '../../core/secrets/secret-hint.ts'
import type { SecretScanner } from '../secrets/find-secrets.ts'

/** Git looks as far to tell text from binary. */
const LOOKED_AT = 8000

/** Why a content may not be written: `secret: <kinds>`. */
export function secretIn(content: Uint8Array, scanner: SecretScanner): string | undefined {
  if (content.subarray(0, LOOKED_AT).includes(0)) return undefined
  const text = Buffer.from(content).toString('utf8')
  if (!mayHoldSecret(text)) return undefined
  const kinds = new Set(scanner.find(text).map(({ kind }) => kind))
  return kinds.size === 0 ? undefined : `secret: ${[...kinds].join(', ')}`
}
