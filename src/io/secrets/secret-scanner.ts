/** The secret scanner: our shapes, the library's rules, and names. Import it only to look for secrets. */

import type { SecretScanner } from '../../app/secrets/find-secrets.ts'
import { mayHoldSecret } from '../../core/secrets/may-hold-secret.ts'
import { namedSecrets } from '../../core/secrets/named-secrets.ts'
import { lineRedactor, redactText } from '../../core/secrets/redact.ts'
import { withoutValues } from '../../core/secrets/repeated-values.ts'
import { shapedSecrets } from '../../core/secrets/secret-shapes.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { joinSecrets } from '../../core/secrets/secret.ts'
import { librarySecrets } from './library-rules.ts'

export function findSecrets(text: string): Secret[] {
  const seen = blankEscapes(text)
  return joinSecrets([...shapedSecrets(seen), ...librarySecrets(seen), ...namedSecrets(seen)])
}

/** `\nghp_…`: the `n` belongs to the line break, not to the word. */
function blankEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/(?<!\\)\\+[nrt]/g, (escape) => ' '.repeat(escape.length))
}

export const secretScanner: SecretScanner = {
  find: findSecrets,
  redact: (text, values = new Map()) =>
    withoutValues(redactText(text, findSecrets, mayHoldSecret, values), values),
  lineRedactor: (values) => lineRedactor(findSecrets, mayHoldSecret, values),
}
