#!/bin/sh
# Stands in for Node: what git and agents start runs in `hook-server.mjs`, which has the code loaded. Everything
# else runs in a process of its own, and so does what arrives while the server is busy or is started by it. Every
# install and doctor asks for the version: Node answers that once.
server=${0%/*}
IFS= read -r node <"$server/real-node"
IFS= read -r entry <"$server/entry"
case "$1 ${2-}${NODE_OPTIONS-}" in
  "${entry%/*}/main.js --version")
    [ -z "${LEDGER_TEST_OWN_PROCESS-}" ] || exec "$node" "$@"
    if [ ! -f "$server/version" ]; then
      "$node" "$@" >"$server/version.$$" || exit
      mv "$server/version.$$" "$server/version"
    fi
    IFS= read -r version <"$server/version"
    echo "$version" 2>/dev/null && exit
    exec "$node" "$@" # Node says what is wrong
    ;;
esac
case "$1 ${2-}" in
  "$entry hook" | "$entry agent-hook" | "$entry merge-driver" | "$entry handoff-driver") ;;
  *) exec "$node" --require "$server/exec-path.cjs" "$@" ;;
esac
[ -z "${LEDGER_TEST_OWN_PROCESS-}" ] && [ -f "$server/ready" ] || exec "$node" "$@"
set -C
tries=0
until { true >"$server/busy"; } 2>/dev/null; do
  # Doctor probes all hooks at once, and none of them starts another.
  [ "${3-}" = --probe ] && [ $tries -lt 300 ] || exec "$node" "$@"
  tries=$((tries + 1))
  sleep 0.01
done
set +C
case "$2 ${3-}" in
  'hook pre-push' | 'hook post-rewrite' | agent-hook* | merge-driver*) cat >"$server/in" ;;
  *) true >"$server/in" ;;
esac
echo $$ >"$server/requests"
read -r status <"$server/answers"
[ ! -s "$server/out" ] || cat "$server/out"
[ ! -s "$server/err" ] || cat "$server/err" >&2
echo 'done' >"$server/requests"
exit "$status"
