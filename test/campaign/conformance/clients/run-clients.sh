#!/bin/sh
# Generates clients from openapi.json in Go, Python and TypeScript, compiles them, and calls a local run with each. Lints
# the document. All tools have exact versions and are installed into a folder that goes away again.
set -eu

name=clients
root=$(cd "$(dirname "$0")/../../../.." && pwd)
here="$root/test/campaign/conformance/clients"
document="$root/functions/openapi/openapi.json"
. "$root/test/campaign/conformance/python-tools.sh"
for tool in go npm; do
  command -v "$tool" >/dev/null || skip "$tool is not installed"
done
mkdir -p "$work/npm" "$work/go/cairn"
cp "$here/go.mod" "$here/go.sum" "$here/main.go" "$work/go"
# At once: each mostly waits for its registry.
(cd "$work/npm" && npm install --silent --no-audit --no-fund --ignore-scripts --no-package-lock \
  openapi-typescript@7.13.0 openapi-fetch@0.17.0 @redocly/cli@2.77.0 @stoplight/spectral-cli@6.16.3) >"$work/npm.log" 2>&1 &
npm=$!
(cd "$work/go" && go mod download) >"$work/go.log" 2>&1 &
go=$!
install openapi-python-client==0.29.1 mypy==1.18.2
wait "$npm" || skip "npm cannot install the tools: $(tail -n 1 "$work/npm.log")"
wait "$go" || skip "go cannot download the modules: $(tail -n 1 "$work/go.log")"

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
# A token, because the clients have to send one to most deployments.
token=$(node -p 'crypto.randomUUID()')
AUTH_TOKEN="$token" node infra/local/start.ts --upstream demo --port 0 --data "$work/data" >"$work/start.log" 2>&1 &
server=$!

echo "$name: lint"
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$work/npm/node_modules/.bin/redocly" lint --extends=recommended --format=summary "$document"
"$work/npm/node_modules/.bin/spectral" lint --fail-severity=warn --ruleset "$here/spectral.yaml" "$document"

echo "$name: generate and compile"
(cd "$work/go" && go tool oapi-codegen -generate types,client -package cairn "$document" >cairn/client.go && go build -o client .)
"$work/venv/bin/openapi-python-client" generate --fail-on-warning --path "$document" --config "$here/python.yaml" \
  --meta none --output-path "$work/python/cairn_client"
cp "$here/client.py" "$work/python"
(cd "$work/python" && "$work/venv/bin/mypy" --check-untyped-defs client.py)
mkdir "$work/npm/node_modules/cairn-api"
echo '{ "name": "cairn-api", "types": "index.d.ts" }' >"$work/npm/node_modules/cairn-api/package.json"
"$work/npm/node_modules/.bin/openapi-typescript" "$document" -o "$work/npm/node_modules/cairn-api/index.d.ts"
cp "$here/client.mts" "$work/npm"
mkdir -p "$work/npm/node_modules/@types"
ln -s "$root/node_modules/@types/node" "$work/npm/node_modules/@types/node"
ln -s "$root/node_modules/undici-types" "$work/npm/node_modules/undici-types"
(cd "$work/npm" && "$root/node_modules/.bin/tsc" --noEmit --strict --skipLibCheck --target esnext --module nodenext \
  --types node client.mts)

tries=0
until grep -q '^Cairn is ready at ' "$work/start.log"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then
    echo "$name: the local run did not start"
    cat "$work/start.log"
    exit 1
  fi
  sleep 0.2
done
url=$(sed -n 's/^Cairn is ready at //p' "$work/start.log")

example="$root/docs/examples/cluster.json"
"$work/go/client" "$url" "$token" "$example"
(cd "$work/python" && "$work/venv/bin/python" client.py "$url" "$token" "$example")
(cd "$work/npm" && node client.mts "$url" "$token" "$example")
