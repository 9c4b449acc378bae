/** The blocks of the documents that a reader would paste into a shell, and the reasons why some are not run. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const TOP = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  readonly document: string
  readonly line: number
  readonly language: string
  readonly text: string
}

export const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(`${TOP}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

export function blocksOf(document: string): Block[] {
  const lines = readFileSync(`${TOP}${document}`, 'utf8').split('\n')
  const blocks: Block[] = []
  let open: { line: number; language: string } | undefined
  for (const [i, line] of lines.entries()) {
    const fence = /^```(.*)$/.exec(line)
    if (fence === null) continue
    if (open === undefined) open = { line: i + 1, language: fence[1] ?? '' }
    else {
      blocks.push({ document, ...open, text: lines.slice(open.line, i).join('\n') })
      open = undefined
    }
  }
  return blocks
}

const CLONE = 'for contributors, in a clone of ledger-git itself'
const SESSION = "needs a session of a coding agent, or its checkpoint's id"
const AGENT = 'starts a coding agent, which costs money'
const PICTURE = 'no command'
const OUTPUT = 'what a command prints, held by test/docs/first-screen.test.ts'

/** Blocks marked `text`, by document and first words: why nobody runs them as they are. */
export const NOT_RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': { '1 to look at': OUTPUT },
  'CONTRIBUTING.md': { 'npm ci': CLONE },
  'docs/ci.md': { 'outside=': 'for a CI job: needs a release and the range of the job' },
  'docs/commands.md': {
    'ledger-git <command>': PICTURE,
    '[CTX:': PICTURE,
    'git ledger handoff update --now':
      'needs a handoff of the branch, as `handoff create` makes it',
    'git ledger session show': SESSION,
    'git ledger session reset': SESSION,
    'git ledger session recover': SESSION,
    'git ledger checkpoint show': SESSION,
    'git ledger context status': SESSION,
    'git ledger context defer': SESSION,
    'git ledger context undo-wip': 'needs a commit of work in progress at HEAD',
  },
  'docs/context.md': { '[CTX:': PICTURE },
  'docs/gas-town.md': {
    'git ledger install --gastown': 'needs a rig of Gas Town',
    'npx ledger-git install': 'pushes: needs a remote',
  },
  'docs/install.md': { 'h="$(git': 'a line for a hook file' },
  'docs/migrate.md': { 'git show BLOB': 'BLOB stands for what `migrate` names' },
  'docs/performance.md': { 'npm run bench': CLONE },
  'docs/ralph.md': { 'ledger-git ralph run': AGENT, 'while true': AGENT },
  'docs/sessions.md': {
    'git config --global': 'changes the configuration of the machine, and needs Claude Code',
    'git ledger session list': SESSION,
    'git ledger session recover': SESSION,
    'git for-each-ref': 'deletes what sessions left; the branch must be there',
  },
  'docs/testing.md': {
    'npm test': CLONE,
    'npm run build': CLONE,
    'PATH=': CLONE,
    LEDGER_TEAM_SEED: CLONE,
    'LEDGER_LONG=1 npx': CLONE,
  },
}
