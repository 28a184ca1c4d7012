#!/bin/sh
# Deploys as far as it goes without AWS: checks the templates with cfn-lint, also the one that is published for those
# without CDK, creates those of CDK on moto's CloudFormation, and runs the functions of the stack with the environment that
# they have there. Both come from PyPI, in a throw-away virtual environment.
set -eu

name=deploy
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/test/campaign/conformance/deploy
. "$root/test/campaign/conformance/python-tools.sh"
install "$MOTO" cfn-lint==1.58.0
python=$work/venv/bin/python

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
# CDK tells what it bundles, and of nothing else when all is well.
quietly() {
  "$@" >"$work/synth.log" 2>&1 || {
    cat "$work/synth.log"
    exit 1
  }
}
synthesize() {
  quietly cdk synth --quiet --output "$work/$1" ${2:+-c "settings=$2"}
}
synthesize default
synthesize every test/campaign/conformance/deploy/every-setting.json
synthesize changed test/campaign/conformance/deploy/changed-settings.json
quietly node infra/build/template.ts --settings "$here/every-setting.json" --out "$work/published"

"$work/venv/bin/cfn-lint" --config-file "$here/cfn-lint.yaml" \
  --template "$work"/*/Cairn*.template.json "$work/published/cairn.template.json"
echo 'cfn-lint: nothing to say of the templates'

start_moto
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
vitest run --config test/vitest.config.ts test/campaign/conformance/deploy/deploy.test.ts
