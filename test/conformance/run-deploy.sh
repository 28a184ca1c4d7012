#!/bin/sh
# Deploys as far as it goes without AWS: checks the templates with cfn-lint, creates them on moto's CloudFormation, and
# runs the functions of the stack with the environment that they have there. Both come from PyPI, in a throw-away virtual
# environment.
set -eu

MOTO_VERSION=5.2.5
CFN_LINT_VERSION=1.58.0
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/test/conformance/deploy

if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
  echo 'deploy: skipped, python3 with venv and pip is not installed'
  exit 0
fi

work=$(mktemp -d)
server=
clean_up() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

python3 -m venv "$work/venv"
python=$work/venv/bin/python
if ! "$python" -m pip install --quiet --disable-pip-version-check \
  "moto[server]==$MOTO_VERSION" "cfn-lint==$CFN_LINT_VERSION" >"$work/pip.log" 2>&1; then
  echo "deploy: skipped, pip cannot install moto $MOTO_VERSION and cfn-lint $CFN_LINT_VERSION: $(tail -n 1 "$work/pip.log")"
  exit 0
fi

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
synthesize() {
  # CDK tells what it bundles, and of nothing else when all is well.
  cdk synth --quiet --output "$work/$1" ${2:+-c "settings=$2"} >"$work/synth.log" 2>&1 || {
    cat "$work/synth.log"
    exit 1
  }
}
synthesize default
synthesize every test/conformance/deploy/every-setting.json
synthesize changed test/conformance/deploy/changed-settings.json

"$work/venv/bin/cfn-lint" --config-file "$here/cfn-lint.yaml" --template "$work"/*/Cairn*.template.json
echo 'cfn-lint: nothing to say of the templates'

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$work/venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/server.log" 2>&1 &
server=$!
tries=0
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1).close()" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
    echo 'deploy: moto did not start'
    cat "$work/server.log"
    exit 1
  fi
  sleep 0.1
done

export CAIRN_MOTO_URL="http://127.0.0.1:$port"
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$work/stacks/cairn" "$work/stacks/every"
if ! "$python" "$here/deploy.py" "$work/every" Cairn-every "$work/stacks/every" ||
  ! "$python" "$here/deploy.py" "$work/default" Cairn "$work/stacks/cairn"; then
  tail -n 40 "$work/server.log"
  exit 1
fi
mv "$work/changed" "$work/stacks/changed"

export CAIRN_DEPLOY_WORK="$work/stacks"
export CAIRN_DEPLOY_PYTHON="$python"
vitest run --config test/vitest.config.ts test/conformance/deploy/deploy.test.ts
