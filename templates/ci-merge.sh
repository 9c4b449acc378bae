"$outside/bin/ledger-git" install --local
: >"$outside/merged"
while IFS= read -r branch; do
  head=$(git rev-parse --quiet --verify "refs/remotes/origin/$branch") ||
    { echo "$branch: left alone, it is gone"; continue; }
  # As the host merges: without the drivers. Only data is merged, nothing is checked out.
  LEDGER_GIT=0 git merge-tree --write-tree HEAD "$head" >/dev/null && continue
  tree=$(git merge-tree --write-tree HEAD "$head") ||
    { echo "$branch: left alone, more than the ledger and handoffs is in the way"; continue; }
  merge=$(git -c user.name=ledger-git -c user.email=ledger-git@noreply.invalid \
    commit-tree -p "$head" -p HEAD -m "Merge branch '$BASE' into $branch" "$tree")
  "$outside/bin/ledger-git" check --rev "$merge" ||
    { echo "$branch: left alone, its ledger would be stale"; continue; }
  echo "$head $merge $branch" >>"$outside/merged"
done <"$outside/branches"
