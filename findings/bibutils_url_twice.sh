#!/usr/bin/env bash
# A RIS record of an article usually has its DOI (DO) and its address (UR). bibutils 7.2 makes an address of
# the DOI as well, and `xml2bib` writes both as `url`, twice in one entry, which BibTeX warns of as a repeated
# field and biblatex's own data model knows once; `xml2ris` gives two UR for one. No warning.
# Seen with Debian's bibutils 7.2-2. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download bibutils=7.2-2 libbibutils8=7.2-2 >apt.log 2>&1 || { cat apt.log; exit 1; }
for package in ./*.deb; do dpkg -x "$package" root; done
export PATH=$PWD/root/usr/bin:$PATH
LD_LIBRARY_PATH=$(dirname "$(find root -name 'libbibutils.so*' | head -n 1)")
export LD_LIBRARY_PATH
cat >work.ris <<'RIS'
TY  - JOUR
TI  - Moss
AU  - Doe, Jane
PY  - 2001
DO  - 10.1234/x
UR  - https://example.org/a
ER  - 
RIS
ris2xml work.ris 2>/dev/null >work.xml
seen=$(xml2bib work.xml 2>/dev/null | grep '^url='; xml2ris work.xml 2>/dev/null | grep '^UR')
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
url="https://example.org/a",
url="https://doi.org/10.1234/x"
UR  - https://example.org/a
UR  - https://doi.org/10.1234/x
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
