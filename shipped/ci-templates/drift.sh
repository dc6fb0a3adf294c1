#!/usr/bin/env bash
# Checks for every stack of a tree whether the cloud matches the code. If it does not, a review shows
# which access exists in the cloud but not in the code, and vice versa.
#
#   drift.sh TREE
#
# Exit status: 0 no difference, 2 a difference, 1 a plan failed.
set -uo pipefail

package=$(cd "$(dirname "$0")/../.." && pwd)
cloud=$(mktemp -d)
trap 'rm -rf "$cloud"' EXIT

status=0
node "$package/shipped/ci-templates/drift.mjs" "$1" "$cloud" || status=$?
if [ "$status" -eq 2 ] && [ -d "$cloud/stacks" ]; then
  echo 'drift: the review of the code (base) against the cloud (head):'
  node "$package/dist/cli/main.js" review --base "$1" --head "$cloud" || true
fi
exit "$status"
