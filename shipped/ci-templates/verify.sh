#!/usr/bin/env bash
# Verifies every link of a deploy, even of one that failed and therefore wrote no outputs file.
#
#   verify.sh OUTPUTS [OPTION...]
#
# OUTPUTS is the deploy's outputs file. If it does not exist, the outputs are read from the states of the
# stacks in cdktf.out, as far as they were deployed. This needs the credentials of a remote state.
set -uo pipefail

outputs=$1
shift

sources=()
if [ -f "$outputs" ]; then
  sources=(--outputs-file "$outputs")
else
  for stack in cdktf.out/stacks/*/; do
    [ -d "$stack" ] || continue
    name=$(basename "$stack")
    found=$("${TERRAFORM_BINARY_NAME:-terraform}" -chdir="$stack" output -json -no-color 2>/dev/null || true)
    if grep -Eq '"(connectivity|connections)"' <<<"$found"; then
      sources+=(--stack "$name")
    else
      echo "verify.sh: $name has no outputs to verify: its deploy did not get that far" >&2
    fi
  done
fi
if [ "${#sources[@]}" -eq 0 ]; then
  echo "verify.sh: nothing to verify: no $outputs, and no state with a link" >&2
  exit 2
fi
exec npx --no-install secure-connectivity verify "${sources[@]}" "$@"
