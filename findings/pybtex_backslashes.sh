#!/usr/bin/env bash
# Reading a BibTeX file and writing it again is what reference managers do all day. pybtex 0.26.1 reads
# `100\% pure` and writes `100\\% pure`: a line break, and a comment that swallows the rest of the line.
# Each further round adds a backslash. Accents in braces, `{\"o}`, stay as they are.
# Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pybtex==0.26.1
cat >seen.py <<'PY'
from pybtex.database import parse_string
text = r'@article{a, title = {100\% pure, {\"o} and \& more}}'
for round in range(3):
    written = parse_string(text, 'bibtex').to_string('bibtex')
    print(round + 1, [line.strip() for line in written.split('\n') if 'title' in line][0])
    text = written
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
1 title = {100\\% pure, {\"o} and \\& more}
2 title = {100\\\% pure, {\"o} and \\\& more}
3 title = {100\\\\% pure, {\"o} and \\\\& more}
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
