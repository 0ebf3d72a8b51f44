#!/usr/bin/env bash
# A DOI may hold any printable sign; thousands that were made of SICIs have `<`, `>` or `#`. idutils 1.7.1
# (Zenodo, InvenioRDM) takes such a DOI, and makes its address by putting it behind the resolver as it is.
# What follows `#` is a fragment there, which no browser sends: the address leads to another DOI, or to
# none. The DOI handbook asks for `%23`. Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check idutils==1.7.1
cat >seen.py <<'PY'
import idutils
from urllib.parse import urlsplit
doi = idutils.normalize_doi('doi:10.1000/a#b')
address = idutils.to_url(doi, 'doi', 'https')
print(doi, bool(idutils.is_doi(doi)), address)
print('asked of the resolver:', urlsplit(address).path)
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
10.1000/a#b True https://doi.org/10.1000/a#b
asked of the resolver: /10.1000/a
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
