#!/usr/bin/env bash
# Mutates the repaired twin of a server, and judges each mutant with the built gate: corpora/third-party/mutation/run.sh express
# With a program of corpora/peers instead: PEER=hurl corpora/third-party/mutation/run.sh express
set -eu
here=$(cd "$(dirname "$0")" && pwd)
server=${1:?"Name a server: express, fastify, hono, fastapi, flask, go-gin, or go-net-http"}
# The Node of this project, where it is installed.
export PATH="$here/../../../node_modules/.bin:$PATH"
cd "$here"
[ -e ../../../dist/src/cli/main.js ] || (cd ../../.. && npm run -s build)
mkdir -p results
result="$here/results/$server${PEER:+-$PEER}"
export JUDGE="$here/judge.mjs" LOG="$result.jsonl"
: > "$LOG"
[ -z "${PEER:-}" ] || node "$JUDGE" --prepare
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Stryker mutates a copy of its own.
javascript() {
  [ -e node_modules/.package-lock.json ] || npm ci --silent --no-audit --no-fund
  cd "../$server"
  [ -e node_modules/.package-lock.json ] || npm ci --silent --no-audit --no-fund
  cat > "$scratch/stryker.json" <<JSON
{
  "testRunner": "command",
  "commandRunner": { "command": "node '$JUDGE' 'exec node repaired/server.js'" },
  "mutate": ["repaired/*.js", "!repaired/pets.js"],
  "reporters": ["clear-text", "json"],
  "jsonReporter": { "fileName": "$result.json" },
  "clearTextReporter": { "allowColor": false, "reportTests": false },
  "concurrency": 2,
  "timeoutMS": 60000,
  "symlinkNodeModules": true,
  "disableTypeChecks": false
}
JSON
  "$here/node_modules/.bin/stryker" run "$scratch/stryker.json"
}

# Cosmic Ray mutates the files in place, one mutant after the other.
python() {
  install_python . requirements.txt
  install_python "../$server" "../$server/requirements.txt"
  cp -r "../$server" "$scratch/server"
  cd "$scratch/server"
  cat > "$scratch/cosmic-ray.toml" <<TOML
[cosmic-ray]
module-path = "repaired"
timeout = 120.0
excluded-modules = []
test-command = "node '$JUDGE' 'exec env REPAIRED=1 ./run.sh'"
[cosmic-ray.distributor]
name = "local"
TOML
  "$here/.venv/bin/cosmic-ray" baseline "$scratch/cosmic-ray.toml"
  "$here/.venv/bin/cosmic-ray" init "$scratch/cosmic-ray.toml" "$scratch/session.sqlite"
  "$here/.venv/bin/cosmic-ray" exec "$scratch/cosmic-ray.toml" "$scratch/session.sqlite"
  "$here/.venv/bin/cr-report" --show-output --show-diff "$scratch/session.sqlite" > "$result.txt"
  "$here/.venv/bin/cr-report" --surviving-only --show-diff "$scratch/session.sqlite"
}

install_python() {
  [ ! -e "$1/.venv/complete" ] || return 0
  python3 -m venv "$1/.venv"
  "$1/.venv/bin/pip" install --quiet --requirement "$2"
  touch "$1/.venv/complete"
}

# Gremlins mutates copies of its own. It knows no other command than "go test": as-go/go takes its place.
go_language() {
  REAL_GO=$(command -v go)
  export REAL_GO
  GOBIN="$scratch" go install github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
  cp -r "../$server" "$scratch/server"
  cd "$scratch/server/repaired"
  PATH="$here/as-go:$PATH" "$scratch/gremlins" unleash --workers 2 --timeout-coefficient 5 --output "$result.json" \
    --invert-assignments --invert-bitwise --invert-bwassign --invert-logical --invert-loopctrl --remove-self-assignments
}

case $server in
  go-*) go_language ;;
  fastapi | flask) python ;;
  *) javascript ;;
esac
