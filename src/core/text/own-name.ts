/** Our own name in texts, before a command. Pure. */

/** First words of our command lines. */
const COMMANDS =
  'archive|check|checkpoint|completion|config|context|continuity|dashboard|diff|doctor|event|fleet|handoff|' +
  'help|install|log|migrate|preview|ralph|resolve|session|show|status|statusline|synthesize|tracker|uninstall|why'

/** A script in package.json: npm puts our command on PATH, and a new clone has no alias yet. */
const SCRIPT = String.raw`install \|\| exit 0`

const NAMED = new RegExp(
  String.raw`(?<![\w./-]|npx )ledger-git (?!${SCRIPT})(?=(?:${COMMANDS})\b|<|--?h)`,
  'g',
)

/**
 * Messages say `ledger-git`, which not everybody can type. `git ledger --help` becomes `git ledger help`, because git
 * would show the manual or the alias itself.
 */
export function inOwnName(text: string, program: string): string {
  return text.replace(NAMED, `${program} `).replaceAll('git ledger --help', 'git ledger help')
}

/** A note for readers who must type another name; empty if the text names no command. */
export function nameNote(text: string, program: string): string {
  return text.replace(NAMED, `${program} `) === text
    ? ''
    : `\n(ledger-git is typed as \`${program}\` here.)`
}
