# The token stands in no file and on no command line: git asks for it.
with_token() {
  git -c credential.helper= -c 'credential.helper=!echo username=ledger-git; echo "password=$TOKEN" #' "$@"
}
status=0
while read -r head merge branch; do
  # The lease: only if the branch is still there, and has not moved.
  with_token push --no-verify --force-with-lease="refs/heads/$branch:$head" \
    "$url" "$merge:refs/heads/$branch" && continue
  now=$(with_token ls-remote "$url" "refs/heads/$branch") && [ "${now%%[!0-9a-f]*}" != "$head" ] &&
    echo "$branch: moved meanwhile" || status=1
done <"$outside/merged"
exit $status
