# ledger-git, git ledger, npx ledger-git
_ledger_git_ask() {
  if command -v ledger-git >/dev/null 2>&1; then ledger-git --complete "$@"
  else git ledger --complete "$@"
  fi 2>/dev/null
}
_ledger_git_from() {
  local i line n=0 lead= IFS=$'\n'
  local -a begun
  # bash treats the = of --rev=main as a separate word.
  for ((i = $1; i <= COMP_CWORD; i++)); do
    case ${lead:+open}${COMP_WORDS[i]} in
      =) [ "$n" -gt 0 ] && begun[n - 1]+== && lead=${begun[n - 1]} ;;
      open*) begun[n - 1]+=${COMP_WORDS[i]}; [ "$i" = "$COMP_CWORD" ] || lead= ;;
      *) begun[n]=${COMP_WORDS[i]}; n=$((n + 1)) ;;
    esac
  done
  COMPREPLY=()
  for line in $(_ledger_git_ask "${begun[@]}"); do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$lead"}")
  done
  case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
}
_ledger_git() { _ledger_git_from 1; }
# Called by git's own completion for git ledger.
_git_ledger() {
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do [ "${COMP_WORDS[i]}" = ledger ] && break; done
  _ledger_git_from $((i + 1))
}
_ledger_git_npx() { [ "${COMP_WORDS[1]}" != ledger-git ] || _ledger_git_from 2; }
complete -o default -F _ledger_git ledger-git git-ledger
complete -p npx >/dev/null 2>&1 || complete -o default -F _ledger_git_npx npx
# Without git's completion: only the words after git ledger.
_ledger_git_git() { [ "${COMP_WORDS[1]}" != ledger ] || _ledger_git_from 2; }
complete -p git >/dev/null 2>&1 || declare -F __git_main >/dev/null || declare -F _completion_loader >/dev/null ||
  complete -o default -F _ledger_git_git git
