#!/usr/bin/env bash
# Synthesizes a checkout for one or more environments into one tree with one manifest, and makes the lock
# file of each stack, for a review or a deploy: with the versions of the checkout's own .terraform.lock.hcl,
# or, without that file, the newest that the stacks allow.
#
#   synthesize.sh CHECKOUT TREE [ENVIRONMENT...]
#
# Without an ENVIRONMENT, all that have a settings file in the checkout. One that has none there is left
# out: it exists on the other side only, and is compared with nothing.
#
# SETTINGS               folder of the settings files in the checkout  (default: stacks/settings)
# INSTALL                command that installs packages  (default: npm ci --ignore-scripts)
# SYNTH                  command that synthesizes; a folder is appended  (default: that of cdktf or cdktn, or of this package if neither command is installed)
# TERRAFORM_BINARY_NAME  program that makes the lock files  (default: terraform)
#
# TREE must be new or empty: what lay in it, as from a commit, would be taken for synthesized.
#
# A checkout without cdktf.json gives an empty tree: the base of a first pull request. A synthesis that
# fails gives no tree. A tree that breaks an intent is written: the verdict is that of its review.
set -euo pipefail

fail() {
  printf 'synthesize.sh: %s\n' "$1" >&2
  exit 2
}
checkout=$1
mkdir -p "$2"
tree=$(cd "$2" && pwd)
if [ -n "$(ls -A "$tree")" ]; then fail "TREE must be new or empty, got: $2"; fi
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
    if [ -f "$file" ]; then set -- "$@" "$(basename "$file" .json)"; fi
  done
  if [ "$#" -eq 0 ]; then fail "\`SETTINGS\` must hold ENVIRONMENT.json, got: none in $settings"; fi
fi
for environment in "$@"; do
  # A line break in the name of a file would begin a line of the log.
  if [[ ! $environment =~ ^[A-Za-z0-9_.-]+$ ]]; then
    fail "the name of a settings file must be made of letters, digits, \`.\`, \`_\` and \`-\`, got: $(printf %q "$environment")"
  fi
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
synth='secure-connectivity synth --intents report --out'
for tool in cdktn cdktf; do
  if [ -x "node_modules/.bin/$tool" ]; then synth="$tool synth --output"; fi
done
out=
data=
trap 'rm -rf "$out" "$data"' EXIT
for environment in "${environments[@]}"; do
  # As deep in the project as cdktf.out: paths from a stack to the project are the same as at a deploy.
  out=$(mktemp -d "$PWD/.synthesized-XXXXXX")
  # shellcheck disable=SC2086
  CONNECTIVITY_ENV=$environment CHECKPOINT_DISABLE=1 ${SYNTH:-npx --no-install $synth} "$out"
  node - "$out" "$tree" <<'NODE'
const { cpSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const [out, tree] = process.argv.slice(2);
const fail = (problem) => {
  process.stderr.write(`synthesize.sh: ${problem}\n`);
  process.exit(2);
};
const manifestOf = (folder) => join(folder, 'manifest.json');
if (!existsSync(manifestOf(out))) fail('`SYNTH` must write a manifest.json, got: none');
const read = (folder) => JSON.parse(readFileSync(manifestOf(folder), 'utf8'));
const all = existsSync(manifestOf(tree)) ? read(tree) : { stacks: {} };
const { stacks, ...rest } = read(out);
for (const name of Object.keys(stacks)) {
  if (Object.hasOwn(all.stacks, name)) {
    fail(`environments must have stacks of different names, got in two: ${JSON.stringify(name)}`);
  }
}
const manifest = { ...rest, stacks: { ...all.stacks, ...stacks } };
if (existsSync(join(out, 'stacks'))) {
  const options = { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true };
  cpSync(join(out, 'stacks'), join(tree, 'stacks'), options);
}
writeFileSync(manifestOf(tree), `${JSON.stringify(manifest, null, 2)}\n`);
NODE
  rm -rf "$out"
done

terraform=${TERRAFORM_BINARY_NAME:-terraform}
if ! command -v "$terraform" >/dev/null; then
  echo "synthesize.sh: no $terraform on the PATH: the stacks have no lock files, without which no tree is deployed as reviewed" >&2
  exit 0
fi
data=$(mktemp -d)
for stack in "$tree"/stacks/*/; do
  if [ -f .terraform.lock.hcl ]; then cp .terraform.lock.hcl "$stack"; fi
  # The programs of providers stay out of the tree.
  TF_DATA_DIR="$data/$(basename "$stack")" CHECKPOINT_DISABLE=1 \
    "$terraform" -chdir="$stack" init -backend=false -input=false -no-color >/dev/null
  # Without a provider to install it writes none, and an empty one says that there is none.
  if [ ! -e "$stack/.terraform.lock.hcl" ]; then : >"$stack/.terraform.lock.hcl"; fi
done
