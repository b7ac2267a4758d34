#!/usr/bin/env bash
# Mutates the repaired twin of a Node server, and judges each mutant with the built gate: corpora/third-party/mutation/run.sh express
set -eu
here=$(cd "$(dirname "$0")" && pwd)
server=${1:?"Name a server: express, fastify, or hono"}
# The Node of this project, where it is installed.
export PATH="$here/../../../node_modules/.bin:$PATH"
cd "$here"
[ -e node_modules/.package-lock.json ] || npm ci --silent --no-audit --no-fund
[ -e ../../../dist/src/cli/main.js ] || (cd ../../.. && npm run -s build)
cd "../$server"
[ -e node_modules/.package-lock.json ] || npm ci --silent --no-audit --no-fund
mkdir -p "$here/results"
log="$here/results/$server.jsonl"
: > "$log"
config=$(mktemp --suffix=.json)
trap 'rm -f "$config"' EXIT
cat > "$config" <<JSON
{
  "testRunner": "command",
  "commandRunner": { "command": "node '$here/judge.mjs' repaired/server.js '$log'" },
  "mutate": ["repaired/*.js", "!repaired/pets.js"],
  "reporters": ["clear-text", "json"],
  "jsonReporter": { "fileName": "$here/results/$server.json" },
  "clearTextReporter": { "allowColor": false, "reportTests": false },
  "concurrency": 2,
  "timeoutMS": 60000,
  "symlinkNodeModules": true,
  "disableTypeChecks": false
}
JSON
"$here/node_modules/.bin/stryker" run "$config"
