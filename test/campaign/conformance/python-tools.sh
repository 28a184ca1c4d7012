# Sourced by scripts that need packages of PyPI: `$work`, a folder that goes away again, with a virtual environment in it, and
# `$server`, the process to end with it. Needs `$name` and `$root`.
. "$root/test/campaign/conformance/skip.sh"
python3 -c 'import venv, ensurepip' 2>/dev/null || skip 'python3 with venv and pip is not installed'

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

# install PACKAGE==VERSION…
install() {
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$@" >"$work/pip.log" 2>&1 && return
  skip "pip cannot install $*: $(tail -n 1 "$work/pip.log")"
}

MOTO='moto[server]==5.2.5'

# Starts it on a free port of this machine, which CAIRN_MOTO_URL then names.
start_moto() {
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  "$work/venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/server.log" 2>&1 &
  server=$!
  tries=0
  until python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 1).close()" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
      echo "$name: moto did not start"
      cat "$work/server.log"
      exit 1
    fi
    sleep 0.1
  done
  export CAIRN_MOTO_URL="http://127.0.0.1:$port"
}
