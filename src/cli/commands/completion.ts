/** `completion`: each shell asks the command itself, so completion never goes stale. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Command } from '../command.ts'

const SCRIPTS: Record<string, string> = {
  bash: `_ledger_git() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(ledger-git --get-yargs-completions "\${COMP_WORDS[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ledger_git ledger-git
`,
  zsh: `#compdef ledger-git
_ledger_git() {
  local -a words_found
  words_found=("\${(@f)$(ledger-git --get-yargs-completions "\${words[@]}" 2>/dev/null)}")
  compadd -- \${words_found%%:*}
  _files
}
compdef _ledger_git ledger-git
`,
  fish: `complete -c ledger-git -a '(ledger-git --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'
`,
}

export const completion: Command = {
  name: 'completion',
  words: { '<shell>': { choices: Object.keys(SCRIPTS) } },
  describe: 'Print the completion script for bash, zsh or fish',
  examples: [
    ['ledger-git completion bash >> ~/.bashrc', 'bash'],
    ['ledger-git completion fish > ~/.config/fish/completions/ledger-git.fish', 'fish'],
  ],
  run: async (input) => {
    const script = SCRIPTS[input.word('shell')]
    if (script === undefined) throw new LedgerError('USAGE', 'expected bash, zsh or fish')
    input.context.stdout(script)
  },
}
