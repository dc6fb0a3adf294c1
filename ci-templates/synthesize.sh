#!/usr/bin/env bash
# Synthesizes a checkout for one or more environments into one tree, for a review or a plan.
#
#   synthesize.sh CHECKOUT TREE ENVIRONMENT...
#
# INSTALL   command that installs packages  (default: npm ci --ignore-scripts)
# SYNTH     command that synthesizes; a folder is appended  (default: that of cdktf, or of cdktn if cdktf is not installed)
#
# A checkout without cdktf.json gives an empty tree: the base of a first pull request.
set -euo pipefail

checkout=$1
mkdir -p "$2"
tree=$(cd "$2" && pwd)
shift 2

if [ "$#" -eq 0 ]; then
  echo 'synthesize.sh: `ENVIRONMENT` must be given at least once, got: nothing' >&2
  exit 2
fi
if [ ! -f "$checkout/cdktf.json" ]; then
  echo "synthesize.sh: no cdktf.json in $checkout: an empty tree" >&2
  exit 0
fi

cd "$checkout"
# Unquoted on purpose: a command with its arguments.
# shellcheck disable=SC2086
${INSTALL:-npm ci --ignore-scripts}
tool=cdktf
if [ ! -x node_modules/.bin/cdktf ] && [ -x node_modules/.bin/cdktn ]; then tool=cdktn; fi
mkdir -p "$tree/stacks"
out=
trap 'rm -rf "$out"' EXIT
for environment in "$@"; do
  out=$(mktemp -d)
  # shellcheck disable=SC2086
  CONNECTIVITY_ENV=$environment CHECKPOINT_DISABLE=1 ${SYNTH:-npx --no-install $tool synth --output} "$out"
  cp -R "$out/stacks/." "$tree/stacks/"
  rm -rf "$out"
done
