#!/usr/bin/env bash
# Starts the server; REPAIRED=1 starts the repaired twin. PHP itself and APCu come from the system's packages.
set -eu
cd "$(dirname "$0")"
: "${API_KEY:?Set API_KEY to the key that clients must send.}"
export API_KEY PORT="${PORT:-3000}"
if ! php -m 2>/dev/null | grep -qx apcu; then
  echo 'PHP with APCu is missing: install the packages php-cli and php-apcu (Debian), then start again.' >&2
  exit 1
fi
if [ "${REPAIRED:-}" = 1 ]; then variant=repaired; else variant=ordinary; fi
exec php -S "127.0.0.1:$PORT" "$variant/index.php"
