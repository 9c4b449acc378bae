/**
 * `completion`: each shell asks the command itself, so completion never goes stale. Where `ledger-git` is
 * not on PATH, the alias `git ledger` answers, which `install` makes in every clone.
 */

import type { Command } from '../command/command.ts'

const ASK = `if command -v ledger-git >/dev/null 2>&1; then ledger-git --complete "$@"
  else git ledger --complete "$@"
  fi 2>/dev/null`

const BASH = `# ledger-git, git ledger, npx ledger-git
_ledger_git_ask() {
  ${ASK}
}
_ledger_git_from() {
  local i line n=0 lead= IFS=$'\\n'
  local -a begun
  # bash takes the = of --rev=main for a word of its own.
  for ((i = $1; i <= COMP_CWORD; i++)); do
    case \${lead:+open}\${COMP_WORDS[i]} in
      =) [ "$n" -gt 0 ] && begun[n - 1]+== && lead=\${begun[n - 1]} ;;
      open*) begun[n - 1]+=\${COMP_WORDS[i]}; [ "$i" = "$COMP_CWORD" ] || lead= ;;
      *) begun[n]=\${COMP_WORDS[i]}; n=$((n + 1)) ;;
    esac
  done
  COMPREPLY=()
  for line in $(_ledger_git_ask "\${begun[@]}"); do
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$lead"}")
  done
  case \${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
}
_ledger_git() { _ledger_git_from 1; }
# git's own completion calls it for git ledger.
_git_ledger() {
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do [ "\${COMP_WORDS[i]}" = ledger ] && break; done
  _ledger_git_from $((i + 1))
}
_ledger_git_npx() { [ "\${COMP_WORDS[1]}" != ledger-git ] || _ledger_git_from 2; }
complete -o default -F _ledger_git ledger-git git-ledger
complete -p npx >/dev/null 2>&1 || complete -o default -F _ledger_git_npx npx
# Without git's completion: the words behind git ledger alone.
_ledger_git_git() { [ "\${COMP_WORDS[1]}" != ledger ] || _ledger_git_from 2; }
complete -p git >/dev/null 2>&1 || declare -F __git_main >/dev/null || declare -F _completion_loader >/dev/null ||
  complete -o default -F _ledger_git_git git
`

const ZSH = `#compdef ledger-git git-ledger npx
# ledger-git, git ledger, npx ledger-git. git's own completion finds it by its name, _git-ledger.
_ledger_git_ask() {
  ${ASK}
}
_ledger_git_from() {
  local line
  local -a begun found
  begun=("\${(@Q)words[$1,$CURRENT]}")
  for line in "\${(@f)$(_ledger_git_ask "\${begun[@]}")}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then
    case \${found[1]%%:*} in
      *=) _describe -V ledger-git found -S '' ;;
      *) _describe -V ledger-git found ;;
    esac
  else
    _files
  fi
}
_ledger_git() {
  if [[ $service != npx ]]; then _ledger_git_from 2
  elif [[ $words[2] == ledger-git ]]; then _ledger_git_from 3
  else _default
  fi
}
if [[ $funcstack[1] == _git-ledger ]]; then
  _ledger_git "$@"
else
  _git-ledger() { _ledger_git_from 2 }
  compdef _ledger_git ledger-git git-ledger
  (( $+_comps[npx] )) || compdef _ledger_git npx
fi
`

const FISH = `# ledger-git, git ledger, npx ledger-git
function __ledger_git_ask
  set -l before (commandline -opc)
  set -l words $before[(math $argv[1] + 1)..] (commandline -ct)
  set -l found
  if command -q ledger-git
    set found (command ledger-git --complete $words 2>/dev/null)
  else
    set found (command git ledger --complete $words 2>/dev/null)
  end
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
function __ledger_git_behind
  set -l before (commandline -opc)
  test (count $before) -ge 2; and test "$before[2]" = $argv[1]
end
complete -c ledger-git -f -a '(__ledger_git_ask 1)'
complete -c git-ledger -f -a '(__ledger_git_ask 1)'
complete -c git -n '__ledger_git_behind ledger' -f -a '(__ledger_git_ask 2)'
complete -c npx -n '__ledger_git_behind ledger-git' -f -a '(__ledger_git_ask 2)'
`

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH }

export const completion: Command = {
  name: 'completion',
  words: { '<shell>': { choices: Object.keys(SCRIPTS) } },
  describe: 'Print the completion script for bash, zsh or fish',
  examples: [
    ['ledger-git completion bash >> ~/.bashrc', 'bash'],
    ['ledger-git completion zsh > ~/.zfunc/_git-ledger', 'zsh: ~/.zfunc is in $fpath'],
    ['ledger-git completion fish > ~/.config/fish/completions/ledger-git.fish', 'fish'],
  ],
  run: async (input) => {
    input.context.stdout(SCRIPTS[input.word('shell') as keyof typeof SCRIPTS])
  },
}
