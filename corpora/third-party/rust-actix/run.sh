#!/bin/sh
# Builds the server into target/ and starts it on 127.0.0.1:$PORT; REPAIRED=1 starts the repaired twin.
set -eu
cd "$(dirname "$0")"
: "${PORT:?set PORT to the port to listen on}" "${API_KEY:?set API_KEY to the key that clients send}"
entry=ordinary
if [ "${REPAIRED:-}" = 1 ]; then entry=repaired; fi
cargo build --quiet --locked --bin "$entry"
exec "target/debug/$entry"
