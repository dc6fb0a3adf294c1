#!/usr/bin/env bash
# Reviews the tree that is to be deployed against what is deployed, and says who must see it before.
#
#   review-deploy.sh PROGRAM TREE REPORT
#
# BASE  `live` for the cloud as it is, or `state` for what the last deploys left  (default: live)
#
# In GitHub Actions it sets the outputs `digest` (of the tree's files), `unchanged` and `attempt`, and in
# GitLab it writes REPORT/deploy.yml, the pipeline that deploys: what another job or an artifact could
# replace decides nothing. Exit status: 0 may be deployed, 4 forbidden, other: no verdict.
set -euo pipefail

program=$1 tree=$2 report=$3
templates="$program/shipped/ci-templates"
# No line that Terraform repeats from the tree commands the runner.
token=$(node -p 'crypto.randomUUID()')
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::stop-commands::$token"; fi
status=0
bash "$templates/review.sh" "$program" "${BASE:-live}" "$tree" "$report" || status=$?
if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::$token::"; fi
[ "$status" = 0 ] || exit "$status"
node "$templates/gate.mjs" "$report"

verdict=$(node - "$report/review.json" <<'NODE'
const { readFileSync } = require('node:fs');
const { decision, treeDigest } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (!/^[0-9a-f]{64}$/.test(treeDigest)) {
  process.stderr.write('review-deploy.sh: the review must give the digest of the tree, got: none\n');
  process.exit(2);
}
process.stdout.write(`${treeDigest} ${decision === 'no-change'}\n`);
NODE
)
read -r digest unchanged <<<"$verdict"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf '%s\n' "digest=$digest" "unchanged=$unchanged" "attempt=${GITHUB_RUN_ATTEMPT:-}" >>"$GITHUB_OUTPUT"
fi
if [ "${GITLAB_CI:-}" = true ]; then
  environment=production when=manual
  if [ "$unchanged" = true ]; then environment=production-unchanged when=on_success; fi
  sed -e "s/@DIGEST@/$digest/" -e "s/@ENVIRONMENT@/$environment/" -e "s/@WHEN@/$when/" \
    "$templates/gitlab-deploy.yml" >"$report/deploy.yml"
fi
