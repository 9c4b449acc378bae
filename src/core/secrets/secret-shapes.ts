/**
 * Secrets recognized by their form that the library (`io/secrets/library-rules.ts`) does not cover, or recognizes only
 * if complete: one row per provider, from the providers' documentation.
 *
 * A row is tried only if one of its `keywords` occurs in the text. Every pattern matches only the secret and
 * scans forward from its start, so that matching takes linear time.
 */

import { privateKeys } from './private-keys.ts'
import type { Secret } from './secret.ts'
import { entropy, isPlaceholder, isRandom } from './secret-values.ts'

interface Shape {
  readonly kind: string
  readonly keywords: readonly string[]
  readonly pattern: RegExp
  /** An additional condition; default: the match is not a placeholder. */
  readonly holds?: (secret: string) => boolean
}

const NO_TOKEN_BEFORE = '(?<![A-Za-z0-9_-])'
const NO_TOKEN_AFTER = '(?![A-Za-z0-9_-])'

function token(pattern: string): RegExp {
  return new RegExp(`${NO_TOKEN_BEFORE}(?:${pattern})${NO_TOKEN_AFTER}`, 'g')
}

const GITLAB = 'pat dt rt rtr cbt ptt ft imt agent oas soat ffct'.split(' ')

const SHAPES: readonly Shape[] = [
  {
    kind: 'aws-access-key',
    keywords: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  },
  {
    kind: 'anthropic-key',
    keywords: ['sk-ant-'],
    pattern: token('sk-ant-[A-Za-z0-9]{2,20}-[A-Za-z0-9_-]{20,}'),
  },
  {
    kind: 'openai-key',
    keywords: ['sk-'],
    pattern: token('sk-[A-Za-z0-9_-]{20,}'),
    holds: isRandom,
  },
  {
    // With a name and a digit before it, such as `ctx7sk-`; `task-` is a word.
    kind: 'api-key',
    keywords: ['sk-'],
    pattern: token('[a-z]{2,12}[0-9]{1,3}sk-[A-Za-z0-9_-]{20,}'),
    holds: isRandom,
  },
  { kind: 'google-key', keywords: ['AIza'], pattern: token('AIza[A-Za-z0-9_-]{35}') },
  {
    kind: 'google-oauth',
    keywords: ['GOCSPX-', 'ya29.'],
    pattern: token('GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{30,}'),
  },
  { kind: 'pypi-token', keywords: ['pypi-Ag'], pattern: token('pypi-Ag[A-Za-z0-9_-]{60,}') },
  { kind: 'twilio-key', keywords: ['SK'], pattern: token('SK[0-9a-f]{32}') },
  { kind: 'notion-token', keywords: ['secret_'], pattern: token('secret_[A-Za-z0-9]{43}') },
  { kind: 'linear-token', keywords: ['lin_'], pattern: token('lin_(?:oauth|wh)_[A-Za-z0-9]{32,}') },
  {
    kind: 'azure-key',
    keywords: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?<=(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,90}={0,2}/g,
  },
  {
    kind: 'azure-secret',
    keywords: ['Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  {
    kind: 'azure-signature',
    keywords: ['sig='],
    pattern: /(?<=[?&;]sig=)[A-Za-z0-9%+/]{43,90}=?/g,
    holds: isRandom,
  },
  { kind: 'digitalocean-token', keywords: ['_v1_'], pattern: token('do[oprt]_v1_[a-f0-9]{64}') },
  {
    kind: 'gitlab-token',
    keywords: [...GITLAB.map((word) => `gl${word}-`), 'GR1348941'],
    pattern: token(
      `gl(?:${GITLAB.join('|')})-[A-Za-z0-9_-]{20,}(?:\\.[A-Za-z0-9_-]+){0,3}|GR1348941[A-Za-z0-9_-]{20,}`,
    ),
  },
  {
    kind: 'slack-token',
    keywords: ['xox', 'xapp-'],
    pattern: token('(?:xox[a-z](?:\\.xox[a-z])?|xapp)-[A-Za-z0-9%-]{20,}'),
    holds: isRandom,
  },
  {
    kind: 'slack-webhook',
    keywords: ['hooks.slack.com/'],
    pattern: /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{40,}/g,
    holds: isRandom,
  },
  { kind: 'stripe-secret', keywords: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/]{24,}={0,2}/g },
  {
    kind: 'jwt',
    keywords: ['eyJ'],
    pattern: token('eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{16,}'),
  },
  {
    kind: 'discord-webhook',
    keywords: ['/api/webhooks/'],
    pattern: /(?<=\/api\/webhooks\/\d{15,20}\/)[A-Za-z0-9_-]{60,}/g,
  },
  { kind: 'telegram-token', keywords: [':AA'], pattern: token('\\d{8,10}:AA[A-Za-z0-9_-]{33}') },
  {
    kind: 'age-key',
    keywords: ['AGE-SECRET-KEY-1'],
    pattern: token('AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  },
]

/** At least one of these occurs in every text that contains a secret with a known form. */
export const SHAPE_KEYWORDS = ['PRIVATE KEY', ...SHAPES.flatMap(({ keywords }) => keywords)]

/** Secrets with a known form, row by row. */
export function shapedSecrets(text: string): Secret[] {
  const found = privateKeys(text)
  for (const { kind, keywords, pattern, holds = isNoPlaceholder } of SHAPES) {
    if (!keywords.some((keyword) => text.includes(keyword))) continue
    for (const match of text.matchAll(pattern)) {
      const start = match.index
      if (holds(match[0])) found.push({ kind, start, end: start + match[0].length })
    }
  }
  return found
}

/** Excludes `ghp_xxxxxxxx` and words: requires more than lowercase letters and enough different characters. */
export function isNoPlaceholder(secret: string): boolean {
  return /[A-Z\d]/.test(secret) && entropy(secret) >= 2.5 && !isPlaceholder(secret)
}
