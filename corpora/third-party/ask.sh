#!/usr/bin/env bash
# Sends the questions of corpora/third-party/README.md to one running server with curl and prints every response.
# It judges nothing: the reader compares each line with the interface document.
# usage: ask.sh BASE_URL API_KEY     e.g. ask.sh http://127.0.0.1:3000/v1 secret
set -u
base=$1
key=$2
reply=$(mktemp)
trap 'rm -f "$reply"' EXIT

# ask LABEL CURL-ARGUMENTS...: one request, one line: label | status, media type | start of the body
ask() {
  local label=$1 facts
  shift
  : >"$reply"
  facts=$(curl -sS --max-time 10 -o "$reply" -w '%{http_code} %{content_type}' "$@" 2>&1)
  printf '%-44s | %s | %s\n' "$label" "$facts" "$(tr -d '\n' <"$reply" | cut -c1-"${WIDTH:-260}")"
}
auth=(-H "Authorization: Bearer $key")
json=(-H 'Content-Type: application/json')
get() { ask "$1" "${auth[@]}" "$base$2"; }
post() { ask "$1" "${auth[@]}" "${json[@]}" --data-binary "$2" "$base/pets"; }
# count LABEL PATH: how many animals the list has and which statuses they show
count() {
  local body
  body=$(curl -sS --max-time 10 "${auth[@]}" "$base$2")
  printf '%-44s | %s animals | %s\n' "$1" "$(grep -o '"categoryId"' <<<"$body" | wc -l)" \
    "$(grep -oE '"status": ?[^,}]*' <<<"$body" | sort | uniq -c | tr -s ' \n' ' ')"
}
# roundtrip LABEL BODY: create an animal, then read it back
roundtrip() {
  local created id
  created=$(curl -sS --max-time 10 "${auth[@]}" "${json[@]}" --data-binary "$2" "$base/pets" | tr -d '\n')
  id=$(grep -oE '"id": ?[0-9]+' <<<"$created" | grep -oE '[0-9]+' | head -1)
  printf '%-44s | created %s | read %s\n' "$1" "${created:0:200}" \
    "$([ -z "$id" ] || curl -sS --max-time 10 "${auth[@]}" "$base/pets/$id" | tr -d '\n' | cut -c1-200)"
}

echo '== API key'
valid='{"name":"Rex","categoryId":1}'
declare -A credential=(
  [1-no-header]='X-None: 1' [2-wrong-key]='Authorization: Bearer wrong' [3-key-plus-one]="Authorization: Bearer ${key}x"
  [4-empty]='Authorization: Bearer ' [5-no-scheme]="Authorization: $key" [6-Basic]="Authorization: Basic $key"
)
for kind in $(printf '%s\n' "${!credential[@]}" | sort); do
  header=${credential[$kind]}
  ask "listPets $kind" -H "$header" "$base/pets"
  ask "createPet $kind" -H "$header" "${json[@]}" --data-binary "$valid" "$base/pets"
  ask "getPet $kind" -H "$header" "$base/pets/1"
done
ask 'createPet no key, invalid body' "${json[@]}" --data-binary '{}' "$base/pets"
ask 'createPet no key, malformed JSON' "${json[@]}" --data-binary '{' "$base/pets"
ask 'createPet no key, no body' -X POST "$base/pets"
ask 'getPet no key, unknown animal' "$base/pets/999999"
ask 'getPet no key, petId -1' "$base/pets/-1"
ask 'getPet no key, petId abc' "$base/pets/abc"
ask 'listPets no key, limit 0' "$base/pets?limit=0"

echo '== getPet'
get 'existing' /pets/1
for id in 999999 0 -1 9007199254740993 9223372036854775807; do get "unknown $id" "/pets/$id"; done
for id in 9223372036854775808 abc 1.5 1abc; do get "no int64: $id" "/pets/$id"; done

echo '== createPet, invalid bodies'
post 'name missing' '{"categoryId":1}'
post 'categoryId missing' '{"name":"Rex"}'
post 'both missing' '{}'
post 'name null' '{"name":null,"categoryId":1}'
post 'categoryId null' '{"name":"Rex","categoryId":null}'
post 'status null' '{"name":"Rex","categoryId":1,"status":null}'
for value in 5 0 true false '["Rex"]' '{}' 1.5; do post "name $value" "{\"name\":$value,\"categoryId\":1}"; done
for value in '"5"' '""' '"five"' true false 1.5 '[]' '[5]' '{}'; do post "categoryId $value" "{\"name\":\"Rex\",\"categoryId\":$value}"; done
for value in 9223372036854775808 -9223372036854775809 123456789012345678901234567890 1e30; do
  post "categoryId $value" "{\"name\":\"Rex\",\"categoryId\":$value}"
done
for value in '"lost"' '""' '"Available"' '" sold"' 1 0 true false '[]' '["sold"]' '{}'; do
  post "status $value" "{\"name\":\"Rex\",\"categoryId\":1,\"status\":$value}"
done
ask 'no body, no media type' "${auth[@]}" -X POST "$base/pets"
ask 'no body, application/json' "${auth[@]}" "${json[@]}" -X POST "$base/pets"
for value in '[]' null 5 '"Rex"' '[{"name":"Rex","categoryId":1}]'; do post "body $value" "$value"; done
post 'malformed JSON {' '{'
post 'malformed JSON, bare word' '{"name":Rex}'
ask 'valid body as text/plain' "${auth[@]}" -H 'Content-Type: text/plain' --data-binary "$valid" "$base/pets"

echo '== createPet, valid bodies'
post 'status omitted' "$valid"
for status in available pending sold; do roundtrip "status $status" "{\"name\":\"Rex\",\"categoryId\":2,\"status\":\"$status\"}"; done
for number in 0 -1 2147483648 9007199254740991 9007199254740993 -9007199254740993 9223372036854775807 -9223372036854775808; do
  roundtrip "categoryId $number" "{\"name\":\"Rex\",\"categoryId\":$number,\"status\":\"sold\"}"
done
roundtrip 'status omitted, read back' "$valid"
roundtrip 'name with accents and emoji' '{"name":"Zoë 🐈 \"x\" \\ \u00e9","categoryId":1,"status":"sold"}'
roundtrip 'id in the body' '{"id":1,"name":"Impostor","categoryId":1,"status":"sold"}'
echo '-- left open by the document'
post 'name ""' '{"name":"","categoryId":1}'
post 'name "0"' '{"name":"0","categoryId":1}'
post 'name "  Rex  "' '{"name":"  Rex  ","categoryId":1}'
WIDTH=90 post 'name of 5000 characters' "{\"name\":\"$(printf 'x%.0s' {1..5000})\",\"categoryId\":1}"
post 'categoryId 1.0' '{"name":"Rex","categoryId":1.0}'
post 'categoryId 1e2' '{"name":"Rex","categoryId":1e2}'
post 'name with a lone surrogate' '{"name":"\ud800","categoryId":1}'
post 'unknown field' '{"name":"Rex","categoryId":1,"color":"red"}'

echo '== listPets'
for number in $(seq 1 45); do
  for status in available pending sold; do
    curl -sS --max-time 10 -o /dev/null "${auth[@]}" "${json[@]}" --data-binary "{\"name\":\"Pet $number\",\"categoryId\":3,\"status\":\"$status\"}" "$base/pets"
  done
done
count 'default' /pets
for limit in 1 2 19 20 21 50 99 100; do count "limit $limit" "/pets?limit=$limit"; done
for status in available pending sold; do
  count "status $status" "/pets?status=$status"
  count "status $status, limit 100" "/pets?status=$status&limit=100"
  count "status $status, limit 3" "/pets?limit=3&status=$status"
done
get 'media type and records' '/pets?limit=2'
ask 'Accept: application/json' "${auth[@]}" -H 'Accept: application/json' "$base/pets?limit=1"
ask 'Accept: text/html' "${auth[@]}" -H 'Accept: text/html' "$base/pets?limit=1"
ask 'Accept: text/html, unknown animal' "${auth[@]}" -H 'Accept: text/html' "$base/pets/999999"
printf '%-44s | %s\n' '"status": null in the list' "$(curl -sS "${auth[@]}" "$base/pets?limit=100" | grep -oE '"status": ?null' | wc -l)"
echo '-- left open by the document'
for query in limit=0 limit=101 limit=-1 limit=abc limit= limit=1.5 status=lost status=; do WIDTH=120 get "$query" "/pets?$query"; done
