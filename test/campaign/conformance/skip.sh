# Sourced, with `$name` of the check and `$root`. In CI, a check that cannot run has failed.

# skip REASON
skip() {
  if [ "${CI:-}" = true ]; then
    echo "$name: cannot run, $1"
    exit 1
  fi
  echo "$name: skipped, $1"
  exit 0
}
