#!/usr/bin/env bash
# For any CI system with bash, Node, and npm: judges the service at PETSTORE_BASE_URL with the key in PETSTORE_API_KEY; the exit code is the verdict.
#
#   deploy/ci/judge.sh run --wait-for-ready 60000
#
# CONFORMANCE_PACKAGE  what to install: this package in an exact version, or a packed file
# CONFORMANCE_OUTPUT   file for the outcome as lines NAME=VALUE: verdict, exit-code, and, of `run`, counts of clauses (default: GITHUB_OUTPUT, or none)
#
# The first word is run or smoke. A run is conformant if its report.json, which it writes unless PETSTORE_REPORTER says otherwise, says so.
set -uo pipefail

package=${CONFORMANCE_PACKAGE:-@petstore-conformance/cli@3.0.0}
output=${CONFORMANCE_OUTPUT:-${GITHUB_OUTPUT:-}}
reports=${PETSTORE_REPORTS:-reports}
command=${1:-}

finish() {
  local verdict
  case $1 in
    0) verdict=conformant ;;
    1) verdict=not-conformant ;;
    2) verdict=usage ;;
    3) verdict=not-judged ;;
    *) verdict=interrupted ;;
  esac
  [ -z "$output" ] || printf 'verdict=%s\nexit-code=%s\n' "$verdict" "$1" >>"$output"
  exit "$1"
}

refuse() {
  echo "judge.sh: $1" >&2
  finish 2
}

case $command in
  run | smoke) ;;
  *) refuse "the first word is run or smoke, and not \"$command\"" ;;
esac
previous=
for word in "$@"; do
  case $word in
    -h | --help) refuse "$word judges nothing" ;;
    --reports=*) reports=${word#*=} ;;
  esac
  [ "$previous" != --reports ] || reports=$word
  previous=$word
done

# On the command line, where nothing in the checked-out folder takes precedence over it; and as in any CI system, that folder's .env is not read.
case " $* " in
  *" --base-url"* | *" --reference "* | *" --config"*) ;;
  *) [ -z "${PETSTORE_BASE_URL:-}" ] || set -- "$@" --base-url "$PETSTORE_BASE_URL" ;;
esac
export CI=${CI:-true}

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
# Without the key: the installation must not see it.
env --unset=PETSTORE_API_KEY npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --loglevel=error "$package" || finish 3

touch "$tools/started"
"$tools/node_modules/.bin/petstore-conformance" "$@"
code=$?

report=$reports/report.json
if [ "$command" = run ]; then
  if [ "$report" -nt "$tools/started" ]; then
    counts=$(node -e '
      const { clauses, conclusion } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      const count = (name) => clauses.filter(({ verdict }) => verdict === name).length;
      const breaks = ({ verdict, level, newer }) => verdict === "fail" && (level === "required" || level === "implied") && !newer;
      const failed = clauses.filter(breaks).length;
      const outputs = {
        clauses: clauses.length, passed: count("pass"), failed, warnings: count("fail") - failed, waived: count("waived"), inconclusive: count("inconclusive"),
      };
      for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value}`);
      process.exitCode = conclusion.exitCode;
    ' "$report")
    reported=$?
    [ -z "$output" ] || echo "$counts" >>"$output"
    [ "$code" != 0 ] || code=$reported
  elif [ "$code" = 0 ]; then
    echo "judge.sh: the run wrote no $report, which has the verdict" >&2
    code=3
  fi
fi
finish "$code"
