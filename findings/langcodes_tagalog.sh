#!/usr/bin/env bash
# BCP 47 has two languages, Tagalog (tl) and Filipino (fil); ISO 639 has both, too. langcodes 3.5.1, which
# follows the aliases of CLDR, "standardizes" the first to the second, so a record in Tagalog comes out as
# one in Filipino. It does the same to "mo", of which the registry of BCP 47 says that "ro" is preferred;
# of "tl" it says no such thing. Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check langcodes==3.5.1
cat >seen.py <<'PY'
import langcodes
for tag in ['tl', 'tgl', 'fil', 'mo']:
    print(tag, langcodes.tag_is_valid(tag), langcodes.standardize_tag(tag))
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
tl True fil
tgl True fil
fil True fil
mo True ro
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
