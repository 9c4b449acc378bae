/** Our own name in texts, where it stands before a command. Pure. */

/** First words of our command lines. */
const COMMANDS =
  'archive|check|checkpoint|completion|config|context|continuity|dashboard|diff|doctor|event|fleet|handoff|' +
  'help|install|log|migrate|preview|ralph|resolve|session|show|status|statusline|synthesize|tracker|uninstall|why'

const NAMED = new RegExp(`(?<![\\w./-]|npx )ledger-git (?=(?:${COMMANDS})\\b|<|--?h)`, 'g')

/** Messages say `ledger-git`, and not everybody can type that. Git shows the manual, or the alias itself, for `git ledger --help`. */
export function inOwnName(text: string, program: string): string {
  return text.replace(NAMED, `${program} `).replaceAll('git ledger --help', 'git ledger help')
}

/** For those who are told of our commands by another name; empty where the text names none. */
export function nameNote(text: string, program: string): string {
  return text.replace(NAMED, `${program} `) === text
    ? ''
    : `\n(ledger-git is typed as \`${program}\` here.)`
}
