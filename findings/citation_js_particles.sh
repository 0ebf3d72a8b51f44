#!/usr/bin/env bash
# CSL parts "van" from "Beethoven" as a dropping particle, and "van der" from "Berg" as a non-dropping
# one. What citation-js 0.8.2 writes of such names: BibTeX and BibLaTeX lose the dropping particle, RIS
# loses both kinds, so "van der Berg, Jan" is "Berg, Jan" in the file. All three formats have room for
# them. Seen with Node 20. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @citation-js/core@0.8.2 @citation-js/plugin-bibtex@0.8.2 @citation-js/plugin-ris@0.8.2
cat >seen.cjs <<'JS'
const { Cite } = require('@citation-js/core')
require('@citation-js/plugin-bibtex')
require('@citation-js/plugin-ris')
const author = [
  { family: 'Beethoven', 'dropping-particle': 'van', given: 'Ludwig' },
  { family: 'Berg', 'non-dropping-particle': 'van der', given: 'Jan' },
]
const cite = new Cite([{ id: 'x', type: 'article-journal', title: 'On sound', author }])
for (const format of ['bibtex', 'biblatex', 'ris']) {
  const lines = cite.format(format).split('\n').filter((line) => /author|^AU/.test(line))
  console.log(format, lines.map((line) => line.trim()).join(' / '))
}
JS
seen=$(node seen.cjs)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
bibtex author = {Beethoven, Ludwig and van der Berg, Jan},
biblatex author = {Beethoven, Ludwig and van der Berg, Jan},
ris AU  - Beethoven, Ludwig / AU  - Berg, Jan
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
