/**
 * The rules of the library (`io/secrets/library-rules.ts`) that are used, each with the kind of secret it finds and
 * keywords, at least one of which every such secret needs.
 */

interface LibraryRule {
  readonly kind: string
  readonly keywords: readonly string[]
}

/** All combinations, with and without `_` in between. */
function combinations(starts: readonly string[], ends: readonly string[]): string[] {
  return starts.flatMap((start) => ends.flatMap((end) => [`${start}${end}`, `${start}_${end}`]))
}

export const LIBRARY_RULES: Readonly<Record<string, LibraryRule>> = {
  '1password': { kind: 'onepassword-token', keywords: ['ops_ey'] },
  anthropic: { kind: 'anthropic-key', keywords: ['sk-ant-'] },
  aws: {
    kind: 'aws-secret-key',
    keywords: combinations(['ccess', 'CCESS'], ['KEY', 'key', 'Key']),
  },
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
