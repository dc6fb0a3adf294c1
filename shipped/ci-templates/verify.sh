#!/usr/bin/env bash
# Verifies every link of a deploy, even of one that failed and therefore wrote no outputs file.
#
#   verify.sh PROGRAM OUTPUTS TREE [OPTION...]
#
# OUTPUTS is the deploy's outputs file. If it does not exist, the outputs are read from the states of the
# stacks in TREE, as far as they were deployed. This needs the credentials of a remote state.
set -uo pipefail

program=$1 outputs=$2 tree=$3
shift 3

sources=()
if [ -f "$outputs" ]; then
  sources=(--outputs-file "$outputs")
else
  for stack in "$tree"/stacks/*/; do
    [ -d "$stack" ] || continue
    # What a tree brings along would choose the state, and the providers that read it.
    rm -rf "${stack}.terraform"
    run() { "${TERRAFORM_BINARY_NAME:-terraform}" -chdir="$stack" "$@" -no-color 2>/dev/null; }
    found=$(run init -input=false -lockfile=readonly >/dev/null && run output -json || true)
    if grep -Eq '"(connectivity|connections)"' <<<"$found"; then
      sources+=(--stack "${stack%/}")
    else
      echo "verify.sh: $(printf %q "$(basename "$stack")") has no outputs to verify: its deploy did not get that far" >&2
    fi
  done
fi
if [ "${#sources[@]}" -eq 0 ]; then
  echo "verify.sh: nothing to verify: no $outputs, and no state with a link" >&2
  exit 2
fi
exec node "$program/dist/cli/main.js" verify "${sources[@]}" "$@"
