#!/bin/sh
# Runs the S3 contract, and runs of the pruner, against moto (PyPI) in a throw-away virtual environment.
set -eu

name=moto
root=$(cd "$(dirname "$0")/../../.." && pwd)
. "$root/test/campaign/conformance/python-tools.sh"
install "$MOTO"
start_moto

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
vitest run --config test/vitest.config.ts test/campaign/conformance/s3-moto.test.ts test/campaign/conformance/prune-moto.test.ts
