#!/usr/bin/env bash
# EDTF level 1 writes a season as a month: 2004-21 is spring, 2004-24 winter. Asked for the first and the
# last day, two readers of that standard differ: edtf 4.11.1 for JavaScript takes spring for the first three
# months of the year, edtf 5.0.2 for Python for March to May. A quarterly that is dated "spring" is older
# or younger than a paper of March, depending on who sorts. The standard gives seasons no months.
# Seen with Node 20 and Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit edtf@4.11.1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check edtf==5.0.2
cat >seen.mjs <<'JS'
import edtf from 'edtf'
const day = (ms) => new Date(ms).toISOString().slice(0, 10)
for (const text of ['2004-21', '2004-24']) {
  const { min, max } = edtf(text)
  console.log('JavaScript', text, day(min), day(max))
}
JS
cat >seen.py <<'PY'
from edtf import parse_edtf
day = lambda time: '%04d-%02d-%02d' % tuple(time[:3])
for text in ['2004-21', '2004-24']:
    season = parse_edtf(text)
    print('Python', text, day(season.lower_strict()), day(season.upper_strict()))
PY
seen=$(node seen.mjs && venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
JavaScript 2004-21 2004-01-01 2004-03-31
JavaScript 2004-24 2004-10-01 2004-12-31
Python 2004-21 2004-03-01 2004-05-31
Python 2004-24 2004-12-01 2004-12-31
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
