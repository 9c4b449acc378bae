/**
 * The rules of secretlint's recommended preset, run on a text without secretlint's own machinery.
 *
 * Where a secret is comes from the value that a rule reports, not from its range: some rules give a range
 * that begins at the name and has the length of the value, which would leave the value's end in sight.
 * A rule is tried only where one of its keywords stands in the text; a rule we do not know yet, always.
 */

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { isNoPlaceholder } from '../../core/secrets/secret-shapes.ts'
import type { Secret } from '../../core/secrets/secret.ts'

interface Known {
  readonly kind: string
  readonly keywords: readonly string[]
}

const PREFIX = '@secretlint/secretlint-rule-'

/** With and without `_` between them. */
function endings(starts: readonly string[], ends: readonly string[]): string[] {
  return starts.flatMap((start) => ends.flatMap((end) => [`${start}${end}`, `${start}_${end}`]))
}

export const LIBRARY_RULES: Readonly<Record<string, Known>> = {
  '1password': { kind: 'onepassword-token', keywords: ['ops_ey'] },
  anthropic: { kind: 'anthropic-key', keywords: ['sk-ant-'] },
  aws: { kind: 'aws-secret-key', keywords: endings(['ccess', 'CCESS'], ['KEY', 'key', 'Key']) },
  cloudflare: { kind: 'cloudflare-token', keywords: ['cfk_', 'cfut_', 'cfat_'] },
  databricks: { kind: 'databricks-token', keywords: ['dapi'] },
  docker: { kind: 'docker-token', keywords: ['dckr_pat_'] },
  figma: { kind: 'figma-token', keywords: ['figd_'] },
  github: {
    kind: 'github-token',
    keywords: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  },
  gitlab: { kind: 'gitlab-token', keywords: ['glpat-'] },
  grafana: { kind: 'grafana-token', keywords: ['glc_', 'glsa_'] },
  groq: { kind: 'groq-key', keywords: ['gsk_'] },
  'hashicorp-vault': { kind: 'vault-token', keywords: ['hvs.', 'hvb.', 'hvr.'] },
  huggingface: { kind: 'huggingface-token', keywords: ['hf_'] },
  linear: { kind: 'linear-token', keywords: ['lin_api_'] },
  notion: { kind: 'notion-token', keywords: ['ntn_'] },
  npm: { kind: 'npm-token', keywords: ['npm_'] },
  openai: { kind: 'openai-key', keywords: ['T3BlbkFJ'] },
  sendgrid: { kind: 'sendgrid-key', keywords: ['SG.'] },
  shopify: { kind: 'shopify-token', keywords: ['shppa_', 'shpca_', 'shpat_', 'shpss_'] },
  stripe: { kind: 'stripe-key', keywords: ['k_live_', 'k_test_'] },
  tailscale: { kind: 'tailscale-key', keywords: ['tskey-'] },
  vercel: { kind: 'vercel-token', keywords: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'] },
}

/** Rules that do not run, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  slack: 'takes any words joined by dashes after xoxb- for a token',
  'filter-comments': 'a text that says secretlint-disable would switch the detector off',
  gcp: 'opens the file that it is told about; the key inside is found as a private key',
  privatekey: 'misses keys that are cut off, encrypted or have line numbers',
  basicauth: 'takes the whole URL instead of the password, and only of http and ftp',
  'database-connection-string': 'takes the whole URL instead of the password',
}

/** The part of secretlint's rule interface that rules use. */
interface Rule {
  readonly meta: { readonly id: string }
  create(context: object, options: object): { file?(source: object): void | Promise<void> }
}

interface Report {
  readonly message: { readonly data: Readonly<Record<string, unknown>> }
  readonly range: readonly [start: number, end: number]
}

let report: (found: Report) => void = () => {}

const context = {
  sharedOptions: {},
  createTranslator: () => (messageId: string, data: object) => ({ messageId, data }),
  report: (found: Report) => report(found),
  ignore: () => {},
}

const RUNNING = (rules as readonly Rule[]).flatMap((rule) => {
  const name = rule.meta.id.replace(PREFIX, '')
  if (name in LEFT_OUT) return []
  const { kind, keywords } = LIBRARY_RULES[name] ?? { kind: 'secret', keywords: [''] }
  return [{ kind, keywords, handler: rule.create(context, {}) }]
})

export const LIBRARY_KEYWORDS = RUNNING.flatMap(({ keywords }) => keywords)

export function librarySecrets(text: string): Secret[] {
  const found: Secret[] = []
  for (const { kind, keywords, handler } of RUNNING) {
    if (!keywords.some((keyword) => text.includes(keyword))) continue
    report = (one) => {
      const [start, end] = placeOf(text, one)
      if (isNoPlaceholder(text.slice(start, end))) found.push({ kind, start, end })
    }
    void handler.file?.({ content: text, filePath: '', ext: '', contentType: 'text' })
  }
  return found
}

/** Of the longest reported value that begins in the range. */
function placeOf(text: string, { message, range }: Report): [start: number, end: number] {
  const values = Object.values(message.data).filter((value) => typeof value === 'string')
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    const at = text.slice(range[0], range[1] + value.length).indexOf(value)
    if (value === '' || at === -1) continue
    return [range[0] + at, range[0] + at + value.length]
  }
  return [range[0], range[1]]
}
