#!/usr/bin/env bash
# DataCite's XML has a language for the publisher (`xml:lang`) and a code for a subject
# (`classificationCode`). The schema of PyPI datacite 1.4.1 for version 4.5 accepts both in JSON, and its
# writer of XML leaves both out without a word: languages of titles and addresses of schemes are written.
# So a record of a national bibliography that is sent through it comes out without its class numbers.
# Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check datacite==1.4.1
cat >seen.py <<'PY'
from datacite import schema45

subject = {
    'subject': 'Bryology', 'subjectScheme': 'Moss classes', 'schemeUri': 'https://moss.example/',
    'classificationCode': '588.2', 'lang': 'en',
}
record = {
    'doi': '10.5555/moss', 'creators': [{'name': 'Doe, Jane', 'nameType': 'Personal'}],
    'titles': [{'title': 'Les mousses', 'lang': 'fr'}],
    'publisher': {'name': 'Presses des mousses', 'lang': 'fr'}, 'publicationYear': '2001',
    'subjects': [subject], 'types': {'resourceType': 'Atlas', 'resourceTypeGeneral': 'Book'},
    'schemaVersion': 'http://datacite.org/schema/kernel-4',
}
print('valid', schema45.validate(record))
for line in schema45.tostring(record).splitlines():
    if any(f'<{name} ' in line or f'<{name}>' in line for name in ('title', 'publisher', 'subject')):
        print(line.strip())
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
valid True
<title xml:lang="fr">Les mousses</title>
<publisher>Presses des mousses</publisher>
<subject xml:lang="en" subjectScheme="Moss classes" schemeURI="https://moss.example/">Bryology</subject>
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
