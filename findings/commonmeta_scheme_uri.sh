#!/usr/bin/env bash
# DataCite's `schemeUri` of an affiliation's identifier is optional. commonmeta-py 0.312 looks for
# `schemeURI`, as the XML spells it and the JSON does not, and sets the variable only where that member
# is there: a record with an identifier that is no address, such as an ISNI, is not read at all, but ends
# with UnboundLocalError, with `schemeUri` or without. An address of ROR is read; an ISNI with the
# spelling of the XML is, too, without its identifier. Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check commonmeta-py==0.312
cat >seen.py <<'PY'
import json
from commonmeta import Metadata

def affiliation_of(identifier):
    creator = {
        'name': 'Doe, Jane', 'nameType': 'Personal', 'givenName': 'Jane', 'familyName': 'Doe',
        'affiliation': [{'name': 'Moss Institute', **identifier}],
    }
    record = {
        'doi': '10.5555/moss', 'creators': [creator], 'titles': [{'title': 'Moss'}],
        'publisher': 'Moss Press', 'publicationYear': 2001,
        'types': {'resourceTypeGeneral': 'Dataset'},
        'schemaVersion': 'http://datacite.org/schema/kernel-4',
    }
    try:
        [contributor] = Metadata(json.dumps(record), via='datacite').contributors
        [affiliation] = contributor['person']['affiliations']
        return affiliation.get('name'), affiliation.get('identifier')
    except Exception as error:
        return type(error).__name__

ror = {'affiliationIdentifier': 'https://ror.org/04wxnsj81', 'affiliationIdentifierScheme': 'ROR'}
isni = {'affiliationIdentifier': '0000 0001 2146 438X', 'affiliationIdentifierScheme': 'ISNI'}
address = 'https://isni.org/isni/'
for identifier in [ror, isni, {**isni, 'schemeUri': address}, {**isni, 'schemeURI': address}]:
    print(affiliation_of(identifier))
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
('Moss Institute', 'https://ror.org/04wxnsj81')
UnboundLocalError
UnboundLocalError
('Moss Institute', None)
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
