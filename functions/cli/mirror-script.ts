/**
 * Bash script that runs `oc mirror` for each file in order. Each run has its own workspace: oc-mirror replaces the
 * archives and the cluster resources of the run before.
 */
export function mirrorScript(names: readonly string[]): string {
  return [...HEAD, 'files=(', ...names.map((name) => `  '${name}'`), ')', '', ...BODY, ''].join('\n');
}

const HEAD = String.raw`#!/usr/bin/env bash
# Runs oc-mirror v2 for the ImageSetConfigurations beside this script, in their order.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: mirror.sh [--from ARCHIVES] [DESTINATION [WORKSPACE]] [-- FLAG…]

Runs "oc mirror --v2" for each ImageSetConfiguration beside this script, in order.
Run it again after a failure: oc-mirror keeps a cache of what it copied.

  DESTINATION      docker://REGISTRY to mirror into a registry, or file://FOLDER
                   to write archives (MIRROR_DESTINATION)
  WORKSPACE        folder for the workspaces of runs from registry to registry
                   (MIRROR_WORKSPACE, or else ./mirror-workspace)
  --from ARCHIVES  file://FOLDER to read the archives that this script wrote,
                   with docker://REGISTRY as DESTINATION (MIRROR_FROM)
  FLAG             further flags of "oc mirror"

Examples:
  mirror.sh docker://registry.example.com:5000
  mirror.sh file:///media/disk
  mirror.sh --from file:///media/disk docker://registry.example.com:5000
USAGE
}

refuse() {
  printf 'mirror.sh: %s\nRun "mirror.sh --help" for usage.\n' "$1" >&2
  exit 64
}
`.split('\n');

const BODY = String.raw`from=${'${MIRROR_FROM-}'}
destination=${'${MIRROR_DESTINATION-}'}
workspace=${'${MIRROR_WORKSPACE-}'}
given=0
while [ "$#" -gt 0 ]; do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --from)
      [ "$#" -ge 2 ] || refuse '--from requires file://FOLDER.'
      from=$2
      shift
      ;;
    --from=*) from=${'${1#*=}'} ;;
    --)
      shift
      break
      ;;
    -*) refuse "$1 is not accepted. Give flags of oc mirror after --." ;;
    *)
      given=$((given + 1))
      case $given in
        1) destination=$1 ;;
        2) workspace=$1 ;;
        *) refuse "unexpected argument $1. Give a destination and a workspace." ;;
      esac
      ;;
  esac
  shift
done
workspace=${'${workspace:-./mirror-workspace}'}
workspace=${'${workspace#file://}'}

case $destination in
  docker://?* | file://?*) ;;
  '') refuse 'the destination is missing. Use docker://REGISTRY or file://FOLDER.' ;;
  *) refuse "the destination $destination is not accepted. Use docker://REGISTRY or file://FOLDER." ;;
esac
case $from in
  '') ;;
  file://?*)
    case $destination in
      docker://*) ;;
      *) refuse "with --from, the destination $destination is not accepted. Use docker://REGISTRY." ;;
    esac
    ;;
  *) refuse "--from $from is not accepted. Use file://FOLDER." ;;
esac
from=${'${from%/}'}
if ! command -v oc >/dev/null; then
  echo 'mirror.sh: oc is not installed. Install oc and the oc-mirror plugin.' >&2
  exit 127
fi

folder=$(cd -- "$(dirname -- "${'${BASH_SOURCE[0]}'}")" && pwd)
number=0
resources=()
for file in "${'${files[@]}'}"; do
  number=$((number + 1))
  name=${'${file%.yaml}'}
  printf '[%s/%s] %s\n' "$number" "${'${#files[@]}'}" "$file"
  if ! grep -Eq '^ +- (name|catalog): ' "$folder/$file"; then
    printf 'mirror.sh: %s has only comments. Fill in its catalogs, then run this script again.\n' "$file" >&2
    exit 1
  fi
  if [ -n "$from" ]; then
    oc mirror -c "$folder/$file" --from "$from/$name" "$destination" --v2 "$@"
    resources+=("${'${from#file://}'}/$name/working-dir/cluster-resources")
  elif [ "${'${destination#docker://}'}" = "$destination" ]; then
    oc mirror -c "$folder/$file" "${'${destination%/}'}/$name" --v2 "$@"
  else
    oc mirror -c "$folder/$file" --workspace "file://${'${workspace%/}'}/$name" "$destination" --v2 "$@"
    resources+=("${'${workspace%/}'}/$name/working-dir/cluster-resources")
  fi
done

if [ "${'${#resources[@]}'}" -gt 0 ]; then
  echo 'Mirrored. Before the update to each release, apply the resources of its file:'
  printf '  oc apply -f %s\n' "${'${resources[@]}'}"
else
  echo 'The archives are written. Run this script with --from where the registry is.'
fi`.split('\n');
