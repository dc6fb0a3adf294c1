#!/usr/bin/env bash
# Prints the digest of what a gate reads of a report. A job can replace an artifact of another job, but
# not an output of it.
#
#   report-digest.sh FOLDER
set -euo pipefail
cd "$1"
sha256sum status review.md review.json statement.json | sha256sum | cut -d ' ' -f 1
