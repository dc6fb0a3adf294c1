#!/usr/bin/env bash
# Applies exactly the plan that plan.sh has reviewed. Terraform refuses it where the state has changed since.
#
#   apply.sh ROOT REPORT DIGEST
#
# PLAN_PASSPHRASE  as for plan.sh
set -euo pipefail

root=$1 report=$2 digest=$3
passphrase=${PLAN_PASSPHRASE:-}
unset PLAN_PASSPHRASE
if [ -z "$digest" ]; then
  echo 'apply.sh: the plan changes nothing'
  exit 0
fi
got=$(sha256sum <"$report/plan.enc" | cut -d ' ' -f 1)
if [ "$got" != "$digest" ]; then
  echo "apply.sh: the plan must be the one that was reviewed, with the digest $digest, got: $got" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
openssl enc -d -aes-256-cbc -pbkdf2 -pass stdin -in "$report/plan.enc" -out "$work/plan" <<<"$passphrase"
run() { "${TERRAFORM_BINARY_NAME:-terraform}" -chdir="$root" "$@"; }
run init -input=false -no-color -lockfile=readonly
run apply -input=false -no-color -lock-timeout=5m "$work/plan"
