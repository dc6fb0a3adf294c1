#!/usr/bin/env bash
# Reviews a tree with the program that `program.sh` has installed.
#
#   review.sh PROGRAM BASE HEAD_TREE REPORT
#
# PROGRAM is the folder of the package. BASE is a tree, or `live` for the cloud as it is, or `state` for what
# the last deploys left; for these two, the credentials of the state are needed. Writes review.md,
# review.json, review.html and status into the folder REPORT; status is 0, 3 or 4, and no file where the
# review came to no verdict.
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
    echo "review.sh: BASE and HEAD_TREE must be folders, got: $tree, a link" >&2
    exit 2
  fi
done
# Empty folders do not survive an artifact.
mkdir -p "$head" "$report"
rm -f "$report/status"
work=
trap 'rm -rf "$work"' EXIT
reviewed=$head
bases=("$base")
case "$base" in
  live | state)
    # Terraform is initialized in a copy beside the tree, where relative paths are the same: nothing of the
    # tree may change before its digest is taken.
    work=$(mktemp -d "$(dirname "$head")/.reviewed-XXXXXX")
    cp -R "$head/." "$work"
    reviewed=$work
    # Terraform would go on in another folder, or with the state and the providers that a tree brings along.
    if [ -n "$(find "$work" -type l)" ]; then
      echo "review.sh: HEAD_TREE must have no links, got: $head" >&2
      exit 2
    fi
    if [ -d "$work/stacks" ]; then
      find "$work/stacks" -mindepth 2 -maxdepth 2 -name .terraform -prune -exec rm -rf {} +
    fi
    export TF_CLI_ARGS_init="${TF_CLI_ARGS_init:-} -lockfile=readonly"
    ;;
  *) mkdir -p "$base" ;;
esac
if [ "$base" = state ]; then
  bases=()
  states=$(mktemp -d)
  trap 'rm -rf "$work" "$states"' EXIT
  for stack in "$work"/stacks/*/; do
    name=$(basename "$stack")
    run() { "${TERRAFORM_BINARY_NAME:-terraform}" -chdir="$stack" "$@"; }
    run init -input=false -no-color >/dev/null
    run state pull >"$states/$name"
    # A stack that was never deployed has no state: all of it is new.
    if [ -s "$states/$name" ]; then bases+=("state:$name=$states/$name"); fi
  done
  if [ "${#bases[@]}" -eq 0 ]; then
    mkdir "$states/none"
    bases=("$states/none")
  fi
fi

status=0
arguments=()
for one in "${bases[@]}"; do arguments+=(--base "$one"); done
tool review "${arguments[@]}" --head "$reviewed" ${plans[@]+"${plans[@]}"} \
  --format "markdown=$report/review.md" --format "json=$report/review.json" \
  --format "html=$report/review.html" || status=$?
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
