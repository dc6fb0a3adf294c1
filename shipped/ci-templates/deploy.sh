#!/usr/bin/env bash
# Deploys a tree that was reviewed, and then verifies every link. Runs no code of the project.
#
#   deploy.sh PROGRAM TREE DIGEST [OPTION...]
#
# DIGEST is what the review of the tree came to; every OPTION is one of `verify`. The outputs are written to
# outputs.json in the working folder.
set -uo pipefail

program=$1 tree=$2 digest=$3
shift 3
export SECURE_CONNECTIVITY_REQUIRE_REVIEWED=1
# No line that Terraform repeats from the tree commands the runner.
token=$(node -p 'crypto.randomUUID()')
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::stop-commands::$token"; fi
status=0
node "$program/dist/cli/main.js" deploy '*' --tree "$tree" --reviewed "$digest" --auto-approve \
  --outputs-file outputs.json || status=$?
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::$token::"; fi
# With these the tree may have been refused, and then nothing else may read it. They can also be of one stack
# of several, whose check could not run: it would not run here either.
case "$status" in 2 | 4 | 22) exit "$status" ;; esac
# Also if the deploy's own check failed: that is when its findings are needed.
verified=0
bash "$program/shipped/ci-templates/verify.sh" "$program" outputs.json "$tree" "$@" || verified=$?
if [ "$status" = 0 ]; then status=$verified; fi
exit "$status"
