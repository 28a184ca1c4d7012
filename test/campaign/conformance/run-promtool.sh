#!/bin/sh
# Compares the answers to the queries of risks with those of Prometheus on drawn clusters, with promtool from a Debian
# package. Other clusters for each commit.
set -eu

name=promtool
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$root/test/campaign/conformance/skip.sh"

if ! command -v promtool >/dev/null; then
  command -v apt-get >/dev/null || skip 'it is not installed, and there is no apt-get'
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends prometheus; } >"$work/apt.log" 2>&1 ||
    skip "apt-get cannot install it: $(tail -n 1 "$work/apt.log")"
fi

cd "$root"
seed=${CAIRN_SEED:-$(printf %d "0x$(git rev-parse --short=7 HEAD)")}
node_modules/.bin/node test/campaign/conformance/risks/compare-promtool.ts --folder "$work" --seed "$seed" \
  --queries ../shared/data/risk-queries.json "$@"
