/** The dashboard's page: the shell that the server delivers, and a self-contained file for export. */

import { createHash } from 'node:crypto'
import { escapeUnits } from '../text/escape-units.ts'

export interface PageParts {
  readonly script: string
  readonly style: string
}

/** Three branches that join. */
const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#4a7dbd" stroke-width="2"><path d="M3 2v3q0 3 5 4t5-4V2M8 2v12"/></svg>',
  )

const NOTHING_ELSE =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'"

/** Headers of every response. Frames are forbidden, because another site could use one for clickjacking. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${NOTHING_ELSE}; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

/** The page without data; data is sent only with a token. */
export const SHELL = documentOf(
  '<link rel="stylesheet" href="/dashboard.css">\n<script src="/dashboard.js" defer></script>',
)

const DATA = '<script type="application/json" id="export">'

/** True for a page that `selfContainedPage` of this or another release made. */
export function isExportedPage(text: string): boolean {
  return text.startsWith('<!doctype html>') && text.includes(`\n${DATA}{`)
}

/** `data`: what the script reads instead of asking a server. */
export function selfContainedPage({ script, style }: PageParts, data: unknown): string {
  const code = script.replace(/<\/(script)/gi, String.raw`<\/$1`)
  const policy = `${NOTHING_ELSE}; script-src '${hashOf(code)}'; style-src '${hashOf(style)}'`
  return documentOf(
    [
      `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      `<style>${style}</style>`,
      `${DATA}${scriptJson(data)}</script>`,
    ].join('\n'),
    // At the end of the body, because an inline script cannot be deferred.
    `<script>${code}</script>`,
  )
}

/** JSON that cannot end the element that contains it, whatever its texts say. */
export function scriptJson(data: unknown): string {
  return escapeUnits(JSON.stringify(data), /[<>&\u2028\u2029]/g)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function documentOf(head: string, end = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Fleet</title>
<link rel="icon" href="${ICON}">
${head}
</head>
<body>
<div id="app"><p class="starting">Loading the fleet …</p></div>
<noscript>This page needs JavaScript. In a terminal, ledger-git fleet shows the same.</noscript>
${end}
</body>
</html>
`
}
