# ledger-git, git ledger, npx ledger-git
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
    printf '%s\n' $found
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
