# shellcheck shell=bash
# For sourcing: builds presets, quietly unless something goes wrong.

# Runs a command, says what it is and how long it took, and shows its output where it fails.
step() {
  local name=$1 begin=$SECONDS log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log"
    rm -f "$log"
    echo "failed: $name" >&2
    return 1
  fi
  rm -f "$log"
  echo "$name: $((SECONDS - begin)) s"
}

# Configures and builds a preset; further arguments are targets.
build_preset() {
  local preset=$1
  shift
  step "configure $preset" cmake --preset "$preset"
  step "build $preset" cmake --build --preset "$preset" ${1:+--target "$@"}
}
