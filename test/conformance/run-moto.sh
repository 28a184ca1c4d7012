#!/bin/sh
# Runs the S3 contract, and runs of the pruner, against moto (PyPI) in a throw-away virtual environment.
set -eu

MOTO_VERSION=5.2.5
root=$(cd "$(dirname "$0")/../.." && pwd)

if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
  echo 'moto: skipped, python3 with venv and pip is not installed'
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
if ! "$work/venv/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$MOTO_VERSION" >"$work/pip.log" 2>&1; then
  echo "moto: skipped, pip cannot install moto $MOTO_VERSION: $(tail -n 1 "$work/pip.log")"
  exit 0
fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$work/venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/server.log" 2>&1 &
server=$!

tries=0
until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1).close()" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
    echo 'moto: the server did not start'
    cat "$work/server.log"
    exit 1
  fi
  sleep 0.1
done

cd "$root"
export PATH="$root/node_modules/.bin:$PATH"
export CAIRN_MOTO_URL="http://127.0.0.1:$port"
vitest run --config test/vitest.config.ts test/conformance/s3-moto.test.ts test/conformance/prune-moto.test.ts
