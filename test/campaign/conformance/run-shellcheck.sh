#!/bin/sh
# Checks the scripts of plans and of image sets with shellcheck, from a Debian package.
set -eu

name=shellcheck
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$root/test/campaign/conformance/skip.sh"

if ! command -v shellcheck >/dev/null; then
  command -v apt-get >/dev/null || skip 'it is not installed, and there is no apt-get'
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends shellcheck; } >"$work/apt.log" 2>&1 ||
    skip "apt-get cannot install it: $(tail -n 1 "$work/apt.log")"
fi

cd "$root"
node_modules/.bin/node test/campaign/conformance/print-scripts.ts "$work"
shellcheck "$work"/*.sh
# That it finds anything at all.
first=$(find "$work" -name '*.sh' | sort | head -n 1)
echo 'rm $unset' >>"$first"
! shellcheck "$first" >/dev/null || { echo 'shellcheck: a mistake was not found'; exit 1; }
echo "shellcheck: $(find "$work" -name '*.sh' | wc -l) scripts are clean"
