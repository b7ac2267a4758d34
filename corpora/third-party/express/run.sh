#!/usr/bin/env bash
# Installs the packages once and starts the server; REPAIRED=1 starts the repaired twin.
set -eu
cd "$(dirname "$0")"
: "${API_KEY:?Set API_KEY to the key that clients must send.}"
export API_KEY PORT="${PORT:-3000}"
[ -e node_modules/.package-lock.json ] || npm ci --silent --no-audit --no-fund
if [ "${REPAIRED:-}" = 1 ]; then variant=repaired; else variant=ordinary; fi
exec node "$variant/server.js"
