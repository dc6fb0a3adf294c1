#!/usr/bin/env bash
# Reviews a change with the program that a checkout has installed.
#
#   review.sh CHECKOUT BASE_TREE HEAD_TREE REPORT [OWN_REPORT]
#
# Writes review.md, review.json and status into the folder REPORT. CHECKOUT is the base, so that a
# change cannot bring along the program that judges it. If the base has none, OWN_REPORT is used: the
# change's own report, which always needs approval.
#
# PLANS     a folder of plans in JSON, STACK.json for each stack that was planned  (default: none)
# REHEARSE  `true` deploys the change in a sandbox if Terraform is on the PATH, adds to review.md what
#           clients notice during the deploy, and writes rehearsal.html; the status stays the same  (default: no)
set -euo pipefail

checkout=$1 base=$2 head=$3 report=$4 own=${5:-}
plans=()
if [ -n "${PLANS:-}" ]; then
  for plan in "$PLANS"/*.json; do
    [ -e "$plan" ] || { echo "review.sh: \`PLANS\` must hold STACK.json, got: $PLANS" >&2; exit 2; }
    plans+=(--plan "$(basename "$plan" .json)=$plan")
  done
fi
# Empty folders do not survive an artifact.
mkdir -p "$base" "$head" "$report"

tool="$checkout/node_modules/.bin/secure-connectivity"
if [ -x "$tool" ]; then
  status=0
  "$tool" review --base "$base" --head "$head" ${plans[@]+"${plans[@]}"} \
    --format "markdown=$report/review.md" --format "json=$report/review.json" || status=$?
elif [ -f "$own/review.json" ]; then
  cp "$own/review.json" "$report/review.json"
  status=$(cat "$own/status")
  decision=
  if [ "$status" = 0 ]; then status=3; fi
  if [ "$status" = 3 ]; then decision='NEEDS APPROVAL: '; fi
  {
    echo "**${decision}The base has no program for the review, so the change was reviewed with its own program, against nothing.**"
    echo
    cat "$own/review.md"
  } >"$report/review.md"
else
  echo "review.sh: no secure-connectivity is installed in $checkout" >&2
  exit 2
fi
echo "$status" >"$report/status"

if [ "${REHEARSE:-}" = true ] && [ -x "$tool" ]; then
  rehearsed=0
  rm -f "$report/rehearsal.md"
  "$tool" rehearse --base "$base" --head "$head" \
    --format "markdown=$report/rehearsal.md" --format "html=$report/rehearsal.html" || rehearsed=$?
  echo >>"$report/review.md"
  if [ -f "$report/rehearsal.md" ]; then
    cat "$report/rehearsal.md" >>"$report/review.md"
  else
    echo "The change was not rehearsed: \`secure-connectivity rehearse\` ended with $rehearsed, and the log says why." >>"$report/review.md"
  fi
fi
