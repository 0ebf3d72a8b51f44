#!/usr/bin/env bash
# RIS lets a text of more than 70 characters go on in the next line, without a tag, and files of old
# databases do so. rispy 0.10.0 joins the lines. pandoc 3.9 stops with an error at the line without a tag,
# and so reads nothing of the file, not even the records before it.
# Seen with the pandoc of pypandoc_binary 1.17 and Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pypandoc_binary==1.17 rispy==0.10.0
cat >moss.ris <<'RIS'
TY  - JOUR
TI  - First
PY  - 2001
ER  - 
TY  - JOUR
TI  - Second
AB  - Mosses grow where nothing else does, on bare rock and in the
shade of old walls.
PY  - 2002
ER  - 
RIS
cat >seen.py <<'PY'
import pypandoc, rispy

with open("moss.ris") as file:
    print("rispy:", [(one["title"], one.get("abstract")) for one in rispy.load(file)])
try:
    print("pandoc:", pypandoc.convert_file("moss.ris", "csljson", format="ris"))
except RuntimeError as error:
    said = str(error).split("moss.ris")[-1].split("\n")
    print("pandoc:", " ".join(line.strip('" ') for line in said[:2]))
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
rispy: [('First', None), ('Second', 'Mosses grow where nothing else does, on bare rock and in the shade of old walls.')]
pandoc: (line 8, column 1): unexpected 's'
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
