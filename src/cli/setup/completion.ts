/**
 * `completion`: prints `templates/completion/`, where each shell asks the command itself, so that it never goes
 * stale. Where `ledger-git` is not on PATH, the alias `git ledger` answers, which `install` makes in every clone.
 */

import type { Command } from '../command/command.ts'

const SHELLS = ['bash', 'zsh', 'fish']

export const completion: Command = {
  name: 'completion',
  words: { '<shell>': { choices: SHELLS } },
  describe: 'Print the completion script for bash, zsh or fish',
  examples: [
    ['ledger-git completion bash >> ~/.bashrc', 'bash'],
    ['ledger-git completion zsh > ~/.zfunc/_git-ledger', 'zsh: ~/.zfunc is in $fpath'],
    ['ledger-git completion fish > ~/.config/fish/completions/ledger-git.fish', 'fish'],
  ],
  run: async (input) => {
    input.context.stdout(
      input.context.asset(`templates/completion/ledger-git.${input.word('shell')}`),
    )
  },
}
