#!/usr/bin/env bash
# For any CI system with bash, Node, and npm: judges the service at PETSTORE_BASE_URL with the key in PETSTORE_API_KEY; the exit code is the verdict.
#
#   deploy/ci/judge.sh run --wait-for-ready 60000
#
# CONFORMANCE_PACKAGE  what to install: this package in an exact version, or a packed file
# CONFORMANCE_OUTPUT   file for the outcome as lines NAME=VALUE: verdict, exit-code, and counts of clauses (default: GITHUB_OUTPUT, or none)
set -uo pipefail

package=${CONFORMANCE_PACKAGE:-@petstore-conformance/cli@1.0.0}
output=${CONFORMANCE_OUTPUT:-${GITHUB_OUTPUT:-}}
reports=${PETSTORE_REPORTS:-reports}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT

# Without the key: the installation must not see it.
env --unset=PETSTORE_API_KEY npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --loglevel=error "$package" || exit 3

"$tools/node_modules/.bin/petstore-conformance" "$@"
code=$?

if [ -n "$output" ]; then
  case $code in
    0) verdict=conformant ;;
    1) verdict=not-conformant ;;
    2) verdict=usage ;;
    3) verdict=not-judged ;;
    *) verdict=interrupted ;;
  esac
  printf 'verdict=%s\nexit-code=%s\n' "$verdict" "$code" >>"$output"
  if [ "${1:-}" = run ] && [ -f "$reports/report.json" ]; then
    node -e '
      const { clauses } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      const count = (name) => clauses.filter(({ verdict }) => verdict === name).length;
      const names = { clauses: clauses.length, passed: count("pass"), failed: count("fail"), waived: count("waived"), inconclusive: count("inconclusive") };
      for (const [name, value] of Object.entries(names)) console.log(`${name}=${value}`);
    ' "$reports/report.json" >>"$output"
  fi
fi
exit "$code"
