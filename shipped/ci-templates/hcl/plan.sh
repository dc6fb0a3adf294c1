#!/usr/bin/env bash
# Plans a root of Terraform, and reviews the plan.
#
#   plan.sh PROGRAM ROOT REPORT
#
# PROGRAM is the folder of the package. Writes review.md, review.json, review.html and status into the folder
# REPORT, as review.sh does, and digest, which is empty where the plan changes nothing.
#
# PLAN_PASSPHRASE        encrypts the plan, which holds the state, into REPORT/plan.enc for apply.sh  (default: no plan is kept)
# TERRAFORM_BINARY_NAME  program that plans  (default: terraform)
#
# In GitHub Actions it sets the outputs `digest` (of plan.enc) and `report` (of the report): another job could
# replace an artifact, but no output of this one.
set -euo pipefail

program=$1 root=$2 report=$3
passphrase=${PLAN_PASSPHRASE:-}
unset PLAN_PASSPHRASE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$report"
rm -f "$report"/status "$report"/plan.enc
run() { "${TERRAFORM_BINARY_NAME:-terraform}" -chdir="$root" "$@"; }

# No line that Terraform repeats from the root commands the runner.
token=$(node -p 'crypto.randomUUID()')
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::stop-commands::$token"; fi
run init -input=false -no-color -lockfile=readonly
planned=0
run plan -input=false -no-color -lock-timeout=5m -detailed-exitcode -out="$work/plan" || planned=$?
if [ "$planned" != 0 ] && [ "$planned" != 2 ]; then exit "$planned"; fi
run show -json "$work/plan" >"$work/plan.json"
status=0
node "$program/dist/cli/main.js" review --plan "root=$work/plan.json" --format text \
  --format "markdown=$report/review.md" --format "json=$report/review.json" \
  --format "html=$report/review.html" || status=$?
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::$token::"; fi
case "$status" in
  0 | 3 | 4) echo "$status" >"$report/status" ;;
  *) echo "plan.sh: the review ended with $status and came to no verdict" >&2; exit "$status" ;;
esac

digest=
if [ "$planned" = 2 ] && [ -n "$passphrase" ]; then
  openssl enc -aes-256-cbc -pbkdf2 -pass stdin -in "$work/plan" -out "$report/plan.enc" <<<"$passphrase"
  digest=$(sha256sum <"$report/plan.enc" | cut -d ' ' -f 1)
fi
echo "$digest" >"$report/digest"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf '%s\n' "digest=$digest" \
    "report=$(cd "$report" && cat status review.md review.html | sha256sum | cut -d ' ' -f 1)" >>"$GITHUB_OUTPUT"
fi
