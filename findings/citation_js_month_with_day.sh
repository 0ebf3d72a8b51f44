#!/usr/bin/env bash
# A day has no field in BibTeX. For a date of year, month and day citation-js 0.8.2 writes the macro of
# the month and the day as one quoted text, `month = {mar 5}`: the macro is no macro any more, and styles
# print "mar 5" in place of what they print for March. The usual form is `month = mar # "~5"`. Without a
# day it writes the number, `month = {3}`, so the two look unlike each other in one bibliography.
# Seen with Node 20. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @citation-js/core@0.8.2 @citation-js/plugin-bibtex@0.8.2
cat >seen.cjs <<'JS'
const { Cite } = require('@citation-js/core')
require('@citation-js/plugin-bibtex')
for (const date of [[2001, 3], [2001, 3, 5]]) {
  const cite = new Cite([{ id: 'x', type: 'book', title: 'On sound', issued: { 'date-parts': [date] } }])
  console.log(date.join('-'), cite.format('bibtex').split('\n').find((line) => line.includes('month')).trim())
}
JS
seen=$(node seen.cjs)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
2001-3 month = {3},
2001-3-5 month = {mar 5},
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
