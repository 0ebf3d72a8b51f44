#!/usr/bin/env bash
# SPDX has `LicenseRef-` for licences that are not on its list (annex D of the specification), so that any
# licence has a valid expression. license-expression 30.4.4 with the list of SPDX calls one unknown, and
# its `validate` gives an error, as it does for a name that was mistyped: the two cannot be told apart.
# Seen with Python 3.11. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check license-expression==30.4.4
cat >seen.py <<'PY'
from license_expression import get_spdx_licensing
spdx = get_spdx_licensing()
for text in ['MIT', 'LicenseRef-Press-Terms', 'MTI']:
    print(text, spdx.validate(text).errors)
PY
seen=$(venv/bin/python seen.py)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
MIT []
LicenseRef-Press-Terms ['Unknown license key(s): LicenseRef-Press-Terms']
MTI ['Unknown license key(s): MTI']
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
