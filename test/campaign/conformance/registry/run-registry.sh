#!/bin/sh
# Prunes the storage of a real registry on the local S3 server, filled and read by a real client. Both are Debian packages;
# what is not installed is unpacked into a folder that is deleted at the end.
set -eu

name=registry
root=$(cd "$(dirname "$0")/../../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

. "$root/test/campaign/conformance/skip.sh"

registry=$(command -v docker-registry || true)
skopeo=$(command -v skopeo || true)
if [ -z "$registry" ] || [ -z "$skopeo" ]; then
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip 'docker-registry and skopeo are not installed, and there is no apt-get'
  needed() { apt-get --simulate --no-install-recommends install docker-registry skopeo 2>"$work/apt.log" | sed -n 's/^Inst \([^ ]*\).*/\1/p'; }
  packages=$(needed)
  if [ -z "$packages" ]; then
    apt-get update -qq >"$work/update.log" 2>&1 || true
    packages=$(needed)
  fi
  [ -n "$packages" ] || skip "apt-get knows no docker-registry and skopeo: $(tail -n 1 "$work/apt.log")"
  mkdir "$work/packages" "$work/unpacked"
  # Who downloads as another user may not write here otherwise.
  chmod 755 "$work"
  # shellcheck disable=SC2086 # a list of names
  (cd "$work/packages" && apt-get -o APT::Sandbox::User=root -qq download $packages >"$work/apt.log" 2>&1) ||
    skip "apt-get cannot download them: $(tail -n 1 "$work/apt.log")"
  for package in "$work/packages"/*.deb; do dpkg -x "$package" "$work/unpacked"; done
  registry=${registry:-$work/unpacked/usr/bin/docker-registry}
  skopeo=${skopeo:-$work/unpacked/usr/bin/skopeo}
  CAIRN_LIBRARIES=$(find "$work/unpacked" -name '*.so*' -exec dirname {} + | sort -u | tr '\n' ':')
  export CAIRN_LIBRARIES
fi

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
export CAIRN_REGISTRY="$registry" CAIRN_SKOPEO="$skopeo"
vitest run --config test/vitest.config.ts test/campaign/conformance/registry
