#!/usr/bin/env bash
# Installs the published program that judges a change, and prints its folder.
#
#   program.sh LOCKFILE FOLDER
#   program.sh --check LOCKFILE
#
# LOCKFILE is package-lock.json of the default branch, which names the version; if it names none, as before
# the first pull request, the version is that of this script's own package. With --check nothing is
# installed: this script's own package must be that version.
set -euo pipefail

check=
if [ "$1" = --check ]; then
  check=true
  shift
fi
lockfile=$1 folder=${2:-}
own=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
wanted=$(node - "$lockfile" "$own/package.json" <<'NODE'
const { existsSync, readFileSync } = require('node:fs');
const [lockfile, own] = process.argv.slice(2);
const name = 'cdktf-secure-connectivity';
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const fail = (problem) => {
  process.stderr.write(`program.sh: ${problem}\n`);
  process.exit(2);
};
const entry = existsSync(lockfile) ? read(lockfile).packages?.[`node_modules/${name}`] : undefined;
const { version, integrity = '', resolved = 'https:', link } = entry ?? read(own);
if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version ?? '') || link || !/^https?:/.test(resolved)) {
  fail(`\`${lockfile}\` of the default branch must name a published version of ${name}, got: ${JSON.stringify(version)} of ${JSON.stringify(resolved)}`);
}
process.stdout.write(`${version} ${integrity}\n`);
NODE
)
read -r version integrity <<<"$wanted"
if [ -n "$check" ]; then
  installed=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).version' "$own/package.json")
  [ "$installed" = "$version" ] && exit 0
  echo "program.sh: the image must have cdktf-secure-connectivity $version, as the default branch does, got: $installed" >&2
  exit 2
fi
mkdir -p "$folder"
npm install --prefix "$folder" --no-save --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error \
  "cdktf-secure-connectivity@$version" >&2
program="$folder/node_modules/cdktf-secure-connectivity"
got=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).packages["node_modules/cdktf-secure-connectivity"].integrity' "$folder/node_modules/.package-lock.json")
if [ -n "$integrity" ] && [ "$got" != "$integrity" ]; then
  echo "program.sh: cdktf-secure-connectivity $version must have the integrity that the default branch states, got: $got" >&2
  exit 2
fi
echo "$program"
