#compdef ledger-git git-ledger npx
# ledger-git, git ledger, npx ledger-git. git's own completion finds this file by its name, _git-ledger.
_ledger_git_ask() {
  if command -v ledger-git >/dev/null 2>&1; then ledger-git --complete "$@"
  else git ledger --complete "$@"
  fi 2>/dev/null
}
_ledger_git_from() {
  local line
  local -a begun found
  begun=("${(@Q)words[$1,$CURRENT]}")
  for line in "${(@f)$(_ledger_git_ask "${begun[@]}")}"; do
    [[ -n $line ]] && found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  if (( $#found )); then
    case ${found[1]%%:*} in
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
