/**
 * `completion`: prints a script from `templates/completion/`. The script asks the command itself for completions, so
 * it never goes stale. If `ledger-git` is not on PATH, it asks the alias `git ledger`, which `install` creates in
 * every clone.
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
