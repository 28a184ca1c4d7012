#!/bin/sh
# Builds the manifests of infra/cluster with kustomize and decodes them strictly with the types of Kubernetes. Both are Go
# modules, which Go fetches by its proxy into its own cache.
set -eu

name=manifests
root=$(cd "$(dirname "$0")/../../.." && pwd)
. "$root/test/campaign/conformance/skip.sh"
command -v go >/dev/null || skip 'go is not installed'

cd "$root/test/campaign/conformance/manifests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "manifests: gofmt would change $unformatted"; exit 1; }
go build -o "$work/manifests" .
"$work/manifests" "$root/infra/cluster"

# That it finds anything at all: a field that Kubernetes does not have, and a pod that asks for too much.
refused() {
  cp -R "$root/infra/cluster" "$work/cluster"
  sed -i.bak "$1" "$work/cluster/base/cron-job.yaml"
  if "$work/manifests" "$work/cluster" >"$work/out" 2>&1 || ! grep -q "$2" "$work/out"; then
    echo "manifests: $1 was not refused by $2"
    cat "$work/out"
    exit 1
  fi
  rm -r "$work/cluster"
}
refused 's/concurrencyPolicy/concurencyPolicy/' 'unknown field "spec.concurencyPolicy"'
refused 's/allowPrivilegeEscalation: false/allowPrivilegeEscalation: true/' 'allowPrivilegeEscalation != false'
