#!/usr/bin/env bash
# In LaTeX an accent may stand on an empty group: `10\^{}3` prints a circumflex between 10 and 3, and
# `\~{}` is how many files write a tilde in an address. The BibTeX reader of citation-js 0.8.2 takes the
# empty group for a missing letter and puts the word "undefined" with a combining accent into the title.
# No error, no warning. Seen with Node 20. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @citation-js/core@0.8.2 @citation-js/plugin-bibtex@0.8.2
cat >seen.cjs <<'JS'
const { Cite } = require('@citation-js/core')
require('@citation-js/plugin-bibtex')
const entry = String.raw`@article{a, title = {Times 10\^{}3 of \~{}x}}`
console.log(JSON.stringify(new Cite(entry).data[0].title).replace(/[^ -~]/g, (c) => '<' + c.codePointAt(0).toString(16) + '>'))
JS
seen=$(node seen.cjs)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
"Times 10undefined<302>3 of undefined<303>x"
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
