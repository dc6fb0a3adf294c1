#!/usr/bin/env bash
# Synthesizes a checkout for one or more environments into one tree, for a review or a plan.
#
#   synthesize.sh CHECKOUT TREE [ENVIRONMENT...]
#
# Without an ENVIRONMENT, all that have a settings file in the checkout. One that has none there is left
# out: it exists on the other side only, and is compared with nothing.
#
# SETTINGS  folder of the settings files in the checkout  (default: stacks/settings)
# INSTALL   command that installs packages  (default: npm ci --ignore-scripts)
# SYNTH     command that synthesizes; a folder is appended  (default: that of cdktf or cdktn, or of this package if neither command is installed)
#
# TREE must be new or empty: what lay in it, as from a commit, would be taken for synthesized.
#
# A checkout without cdktf.json gives an empty tree: the base of a first pull request. A synthesis that
# fails gives no tree.
set -euo pipefail

checkout=$1
mkdir -p "$2"
tree=$(cd "$2" && pwd)
if [ -n "$(ls -A "$tree")" ]; then
  echo "synthesize.sh: TREE must be new or empty, got: $2" >&2
  exit 2
fi
shift 2

if [ ! -f "$checkout/cdktf.json" ]; then
  echo "synthesize.sh: no cdktf.json in $checkout: an empty tree" >&2
  exit 0
fi

cd "$checkout"
settings=${SETTINGS:-stacks/settings}
# Before anything of the checkout runs: what exists is what the commit has.
environments=()
if [ "$#" -eq 0 ]; then
  for file in "$settings"/*.json; do
    if [ -f "$file" ]; then environments+=("$(basename "$file" .json)"); fi
  done
  if [ "${#environments[@]}" -eq 0 ]; then
    echo "synthesize.sh: \`SETTINGS\` must hold ENVIRONMENT.json, got: none in $settings" >&2
    exit 2
  fi
fi
for environment in "$@"; do
  if [ -f "$settings/$environment.json" ]; then
    environments+=("$environment")
  else
    echo "synthesize.sh: no $settings/$environment.json in $checkout: no stacks of $environment" >&2
  fi
done
if [ "${#environments[@]}" -eq 0 ]; then exit 0; fi

# Unquoted on purpose: a command with its arguments.
# shellcheck disable=SC2086
${INSTALL:-npm ci --ignore-scripts}
synth='secure-connectivity synth --out'
for tool in cdktn cdktf; do
  if [ -x "node_modules/.bin/$tool" ]; then synth="$tool synth --output"; fi
done
mkdir -p "$tree/stacks"
out=
trap 'rm -rf "$out"' EXIT
for environment in "${environments[@]}"; do
  # As deep in the project as cdktf.out: paths from a stack to the project are the same as at a deploy.
  out=$(mktemp -d "$PWD/.synthesized-XXXXXX")
  # shellcheck disable=SC2086
  CONNECTIVITY_ENV=$environment CHECKPOINT_DISABLE=1 ${SYNTH:-npx --no-install $synth} "$out"
  cp -R "$out/stacks/." "$tree/stacks/"
  rm -rf "$out"
done
