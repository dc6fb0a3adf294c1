#!/usr/bin/env bash
# Asks Terraform whether the cloud still is what the code says, for every stack of a tree.
#
#   drift.sh TREE
#
# Exit status: 0 no difference, 2 a difference, 1 a plan failed.
set -uo pipefail

status=0
for stack in "$1"/stacks/*/; do
  name=$(basename "$stack")
  if ! terraform -chdir="$stack" init -input=false >/dev/null; then
    echo "drift.sh: $name cannot be initialized"
    status=1
    continue
  fi
  terraform -chdir="$stack" plan -input=false -lock=false -no-color -detailed-exitcode
  case $? in
    0) echo "drift.sh: $name is what the code says" ;;
    2)
      echo "drift.sh: $name differs from the code"
      if [ "$status" -eq 0 ]; then status=2; fi
      ;;
    *)
      echo "drift.sh: $name cannot be planned"
      status=1
      ;;
  esac
done
exit "$status"
