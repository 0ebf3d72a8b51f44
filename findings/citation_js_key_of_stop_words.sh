#!/usr/bin/env bash
# citation-js 0.8.2 makes BibTeX keys of author, year and the first word of the title that is no article.
# Of a title that is nothing but an article, such as "A" or "The", nothing is left, and the key ends with
# the word "undefined": two such works of one author and year get one key, and BibTeX takes one of them. Seen with Node 20. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @citation-js/core@0.8.2 @citation-js/plugin-bibtex@0.8.2
cat >seen.cjs <<'JS'
const { Cite } = require('@citation-js/core')
require('@citation-js/plugin-bibtex')
const author = [{ family: 'Doe', given: 'Jane' }]
const issued = { 'date-parts': [[2001]] }
for (const title of ['Sound', 'A', 'The']) {
  const cite = new Cite([{ id: 'x', type: 'book', title, author, issued }])
  console.log(title + ':', /\{(.*),/.exec(cite.format('bibtex'))[1])
}
JS
seen=$(node seen.cjs)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
Sound: Doe2001Sound
A: Doe2001undefined
The: Doe2001undefined
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
