#!/usr/bin/env bash
# Installs the packages once and starts the server; REPAIRED=1 starts the repaired twin.
set -eu
cd "$(dirname "$0")"
: "${API_KEY:?Set API_KEY to the key that clients must send.}"
export API_KEY PORT="${PORT:-3000}"
if [ ! -e .venv/complete ]; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --requirement requirements.txt
  touch .venv/complete
fi
if [ "${REPAIRED:-}" = 1 ]; then variant=repaired; else variant=ordinary; fi
export PYTHONDONTWRITEBYTECODE=1
cd "$variant"
exec ../.venv/bin/flask --app app run --host 127.0.0.1 --port "$PORT"
