#!/usr/bin/env bash
# Reviews a change with the program that `program.sh` has installed.
#
#   review.sh PROGRAM BASE_TREE HEAD_TREE REPORT
#
# PROGRAM is the folder of the package. Writes review.md, review.json, statement.json and status into the
# folder REPORT; status is 0, 3 or 4, and no file where the review came to no verdict.
#
# NO_BASE   `true` where the base has no project: the change needs approval, whatever it opens  (default: no)
# PLANS     a folder of plans in JSON, STACK.json for each stack that was planned  (default: none)
# REHEARSE  `true` deploys the change in a sandbox if Terraform is on the PATH, adds to review.md what
#           clients notice during the deploy, and writes rehearsal.html; the status stays the same  (default: no)
set -euo pipefail

program=$1 base=$2 head=$3 report=$4
tool() { node "$program/dist/cli/main.js" "$@"; }
plans=()
if [ -n "${PLANS:-}" ]; then
  for plan in "$PLANS"/*.json; do
    [ -e "$plan" ] || { echo "review.sh: \`PLANS\` must hold STACK.json, got: $PLANS" >&2; exit 2; }
    plans+=(--plan "$(basename "$plan" .json)=$plan")
  done
fi
for tree in "$base" "$head"; do
  # One could lead to the other, and there would be no change.
  if [ -L "$tree" ]; then
    echo "review.sh: BASE_TREE and HEAD_TREE must be folders, got: $tree, a link" >&2
    exit 2
  fi
done
# Empty folders do not survive an artifact.
mkdir -p "$base" "$head" "$report"
rm -f "$report/status"

status=0
tool review --base "$base" --head "$head" ${plans[@]+"${plans[@]}"} \
  --format "markdown=$report/review.md" --format "json=$report/review.json" \
  --format "statement=$report/statement.json" || status=$?
case "$status" in
  0 | 3 | 4) ;;
  *) echo "review.sh: the review ended with $status and came to no verdict" >&2; exit "$status" ;;
esac
if [ "${NO_BASE:-}" = true ]; then
  if [ "$status" = 0 ]; then status=3; fi
  first='**The base has no project for the review, so the change is compared with an empty tree and needs approval.**'
  printf '%s\n\n' "$first" | cat - "$report/review.md" >"$report/review.md.new"
  mv "$report/review.md.new" "$report/review.md"
fi
echo "$status" >"$report/status"

if [ "${REHEARSE:-}" = true ]; then
  rehearsed=0
  rm -f "$report/rehearsal.md"
  tool rehearse --base "$base" --head "$head" \
    --format "markdown=$report/rehearsal.md" --format "html=$report/rehearsal.html" || rehearsed=$?
  echo >>"$report/review.md"
  if [ -f "$report/rehearsal.md" ]; then
    cat "$report/rehearsal.md" >>"$report/review.md"
  else
    echo "The change was not rehearsed: \`secure-connectivity rehearse\` ended with $rehearsed, and the log says why." >>"$report/review.md"
  fi
fi
