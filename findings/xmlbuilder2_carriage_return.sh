#!/usr/bin/env bash
# xmlbuilder2 4.0.3 writes a carriage return in a text as it stands. XML 1.0 (section 2.11) has every
# reader turn that into a line feed, so what is written is not what is read: an abstract with the line
# ends of Windows comes back as another text, and a hash of it does not hold. In an attribute, line
# ends are written as they stand, too, and read as a space (section 3.3.3). A writer has to say
# `&#13;` and `&#10;` there, as it says `&amp;`.
# Seen with Node 20 and 24, and read with Python's expat. Fails if any of this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit xmlbuilder2@4.0.3
cat >write.cjs <<'JS'
const { create } = require('xmlbuilder2')
const text = 'first line\r\nsecond line'
const document = create().ele('abstract', { note: text }).txt(text).doc()
process.stdout.write(document.end({ headless: true }))
JS
node write.cjs >written.xml
cat >read.py <<'PY'
import xml.etree.ElementTree as tree
element = tree.parse('written.xml').getroot()
print('text', ascii(element.text))
print('attribute', ascii(element.get('note')))
PY
seen=$(python3 read.py)
printf '%s\n' "$seen"
expected="text 'first line\nsecond line'
attribute 'first line second line'"
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
