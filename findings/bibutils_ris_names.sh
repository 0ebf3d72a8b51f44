#!/usr/bin/env bash
# RIS writes a suffix behind a second comma (`Doe, Jane, Jr.`), and a group with a comma at its end, which
# says that nothing of it is a given name. `ris2xml` of bibutils 7.2 knows the suffix, but leaves the comma
# before it on the given name (`Jane,`), so that `xml2bib` prints the author as `Doe Jr., Jane,`: a third
# part that is empty. Of the group it takes the last word for a family name, comma or not. No warning.
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
cat >names.ris <<'RIS'
TY  - JOUR
TI  - Moss
AU  - Doe, Jane, Jr.
AU  - The Lichen Community,
PY  - 2001
ER  - 
RIS
ris2xml names.ris 2>/dev/null >names.xml
seen=$(grep -o '<namePart.*</namePart>' names.xml; xml2bib names.xml 2>/dev/null | grep -A 1 '^author=')
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
<namePart type="given">Jane,</namePart>
<namePart type="family">Doe</namePart>
<namePart type="suffix">Jr.</namePart>
<namePart type="given">The</namePart>
<namePart type="given">Lichen</namePart>
<namePart type="family">Community</namePart>
author="Doe Jr., Jane,
and Community, The Lichen",
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
