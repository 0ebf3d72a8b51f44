#!/usr/bin/env python3
"""Verifies evidence files of Arklog registries, offline, with nothing but Python 3.9 or newer.

    python3 verify.py FILE... [--keys svc-keys.json] [--policy FILE]

Written from log/README.md and docs/evidence.md; it shares no code with the registry. Of each file
it says `proven`, `consistent` (without --keys: all fits the keys that the file brings along, which
prove nothing by themselves), or `refused` with the step that failed; then between which seconds it
was made, and whose the witnesses are that prove it. Exit code: 0 all are proven, 1 one is not, 2
nothing could be read.
"""
import argparse, base64, functools, hashlib, json, re, sys

class Refused(Exception):
    """What was given proves nothing: the step that failed, and why."""

def demand(is_right, step, why):
    if not is_right:
        raise Refused(step, why)

def sha256(data):
    return hashlib.sha256(data).digest()

# Ed25519 (RFC 8032), strict as log/README.md has it.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)

def add(a, b):
    s, t = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, z = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = t - s, z - c, z + c, t + s
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        result = add(result, point) if scalar & 1 else result
        point, scalar = add(point, point), scalar >> 1
    return result

def equal(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0

def strict_point(data):
    """The point of 32 bytes; None unless it is canonical, on the curve and not of small order."""
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if len(data) != 32 or y >= P or (x * x - square) % P or x == 0:
        return None
    x = x if x % 2 == sign else P - x
    return None if equal(times(8, (x, y, 1, x * y % P)), (0, 1, 1, 0)) else (x, y, 1, x * y % P)

BASE = strict_point(bytes([0x58] + [0x66] * 31))

# Files of one log have the same checkpoints.
@functools.lru_cache(1_000)
def verify_ed25519(message, signature, key):
    a, r = strict_point(key), strict_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER or len(signature) != 64:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return equal(times(s, BASE), add(r, times(k, a)))

# ML-DSA-44 (FIPS 204), with an empty context.
Q, GAMMA1, GAMMA2, TAU, BETA, OMEGA = 8380417, 1 << 17, 95232, 39, 78, 80
ZETAS = [pow(1753, int(f"{i:08b}"[::-1], 2), Q) for i in range(256)]

def ntt(w, at=1):
    """The values of a polynomial at the roots of x^256 + 1, as section 7.5 orders them."""
    if len(w) == 1:
        return w
    pairs = [(low, ZETAS[at] * high % Q) for low, high in zip(w, w[len(w) // 2 :])]
    return ntt([a + b for a, b in pairs], 2 * at) + ntt([a - b for a, b in pairs], 2 * at + 1)

def inverse_ntt(w, at=1):
    """The polynomial of 256 values, 256 times."""
    if len(w) == 1:
        return w
    half, inverse = len(w) // 2, pow(ZETAS[at], -1, Q)
    pairs = [*zip(inverse_ntt(w[:half], 2 * at), inverse_ntt(w[half:], 2 * at + 1))]
    return [(a + b) % Q for a, b in pairs] + [(a - b) * inverse % Q for a, b in pairs]

def unpack(data, bits):
    number = int.from_bytes(data, "little")
    return [number >> bits * i & (1 << bits) - 1 for i in range(256)]

def uniform(seed):
    data = hashlib.shake_128(seed).digest(1680)
    found = [data[i] | data[i + 1] << 8 | (data[i + 2] & 127) << 16 for i in range(0, 1680, 3)]
    return [c for c in found if c < Q][:256]

def challenge(seed):
    stream, poly = hashlib.shake_256(seed).digest(2048), [0] * 256
    signs, rest = int.from_bytes(stream[:8], "little"), iter(stream[8:])
    for i in range(256 - TAU, 256):
        j = next(value for value in rest if value <= i)
        poly[i], poly[j], signs = poly[j], 1 - 2 * (signs & 1), signs >> 1
    return poly

def hints(data):
    """The hint of each polynomial, as a set of indices; None for what is not canonical."""
    found, at = [], 0
    for end in data[OMEGA:]:
        part = data[at:end]
        if not at <= end <= OMEGA or any(a >= b for a, b in zip(part, part[1:])):
            return None
        found, at = found + [set(part)], end
    return None if any(data[at:OMEGA]) else found

def high_bits(c, is_hinted):
    low = (c + GAMMA2 - 1) % (2 * GAMMA2) - GAMMA2 + 1
    high, low = (0, low - 1) if c - low == Q - 1 else ((c - low) // (2 * GAMMA2), low)
    return (high + (1 if low > 0 else -1)) % 44 if is_hinted else high

@functools.lru_cache(1_000)
def verify_mldsa(message, signature, key):
    if len(signature) != 2420 or len(key) != 1312:
        return False
    hint = hints(signature[2336:])
    z = [[GAMMA1 - c for c in unpack(signature[i : i + 576], 18)] for i in range(32, 2336, 576)]
    if hint is None or any(abs(c) >= GAMMA1 - BETA for poly in z for c in poly):
        return False
    mu = hashlib.shake_256(hashlib.shake_256(key).digest(64) + b"\0\0" + message).digest(64)
    c, z, spelled = ntt(challenge(signature[:32])), [ntt(poly) for poly in z], b""
    for row in range(4):
        t1 = ntt([v << 13 for v in unpack(key[32 + 320 * row : 352 + 320 * row], 10)])
        total = [-a * b for a, b in zip(c, t1)]
        for column in range(4):
            a = uniform(key[:32] + bytes([column, row]))
            total = [t + u * v for t, u, v in zip(total, a, z[column])]
        w = [pow(256, -1, Q) * value % Q for value in inverse_ntt(total)]
        packed = sum(high_bits(v, i in hint[row]) << 6 * i for i, v in enumerate(w))
        spelled += packed.to_bytes(192, "little")
    return hashlib.shake_256(mu + spelled).digest(32) == signature[:32]

# Merkle trees (RFC 9162 sections 2.1.3.2 and 2.1.4.2). The last of `path` is the first beside it.
def climb(index, last, path, values):
    """Joins values, the first of the newer tree, with the hashes beside their way up."""
    while last:
        if index % 2 or index < last:
            beside = path.pop() if path else b""
            newer = beside + values[0] if index % 2 else values[0] + beside
            older = [sha256(b"\1" + beside + v) if index % 2 else v for v in values[1:]]
            values = [sha256(b"\1" + newer), *older]
        index, last = index // 2, last // 2
    return values if not path else None

def included(leaf, index, size, proof, root):
    return 0 <= index < size and climb(index, size - 1, proof[::-1], [leaf]) == [root]

def consistent(old, new, old_root, new_root, proof):
    if not 0 < old < new or not proof:
        return 0 < old == new and not proof and old_root == new_root
    index, last, path = old - 1, new - 1, proof[::-1]
    while index % 2:
        index, last = index // 2, last // 2
    seed = path.pop() if index else old_root
    return climb(index, last, path, [seed, seed]) == [new_root, old_root]

# Notes, keys and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature).
KEY_BYTES = {1: 32, 4: 32, 6: 1312}
SPACES = "\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NAME = f"[^\x00-\x20+\x7f-\x9f{SPACES}\ud800-\udfff]+"
CARRIED = "arklog/witnessed-before"

def unbase64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""

def number_of(text):
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,15}", text) and int(text) < 2**53 else -1

def parse_vkey(text, step):
    """(name, key ID, type, public key) of a verifier key."""
    found = re.fullmatch(rf"({NAME})\+([0-9a-f]{{8}})\+(.*)", text)
    data = unbase64(found[3]) if found else b""
    demand(len(data) > 1, step, "not a verifier key")
    digest = sha256(found[1].encode() + b"\n" + data)[:4].hex()
    is_whole = len(data) - 1 == KEY_BYTES.get(data[0]) and digest == found[2]
    demand(is_whole or data[0] not in KEY_BYTES, step, "not a verifier key: its id does not match")
    return found[1], found[2], data[0], data[1:]

def is_usable(key, kinds):
    return key[2] in kinds and (key[2] == 6 or strict_point(key[3]) is not None)

def parse_note(text, step):
    """The text of a note and its lines: (name, key ID, bytes)."""
    end, lines = text.rfind("\n\n"), []
    is_plain = not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", text) and end >= 0
    is_plain = is_plain and text[-1] == "\n" and len(text.encode()) <= 1_000_000
    demand(is_plain, step, "not a signed note")
    for line in text[end + 2 : -1].split("\n"):
        found = re.fullmatch(f"\u2014 ({NAME}) ([^ ]+)", line)
        data = unbase64(found[2]) if found else b""
        demand(len(data) > 4 and len(lines) < 100, step, "not a signed note")
        lines.append((found[1], data[:4].hex(), data[4:]))
    return text[: end + 1], lines

def parse_checkpoint(text, step):
    lines = [*text.split("\n"), "", "", ""]
    size, root = number_of(lines[1]), unbase64(lines[2])
    is_one = re.fullmatch(NAME, lines[0]) and size >= 0 and len(root) == 32 and len(lines) == 7
    is_one = is_one and not lines[3] and (size > 0 or root == sha256(b""))
    demand(is_one, step, "not a checkpoint")
    return lines[0], size, root

def signed_at(text, signature, key):
    """When a key has signed the text of a checkpoint, 0 if it says no time; None if it has not."""
    name, _, kind, public = key
    if kind == 1:
        return 0 if verify_ed25519(text.encode(), signature, public) else None
    seconds, signature = int.from_bytes(signature[:8], "big"), signature[8:]
    if seconds >= 2**53 or (kind == 4 and seconds == 0):
        return None
    if kind == 4:
        message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
        return seconds if verify_ed25519(message, signature, public) else None
    origin, size, root = [*text.split("\n"), "", ""][:3]
    size, root, names = number_of(size), unbase64(root), (name.encode(), origin.encode())
    is_short = all(0 < len(one) < 256 for one in names)
    if size < 0 or len(root) != 32 or text.count("\n") != 3 or not is_short:
        return None
    signer, log = (bytes([len(one)]) + one for one in names)
    time, start, end = (number.to_bytes(8, "big") for number in (seconds, 0, size))
    message = b"subtree/v1\n\0" + signer + time + log + start + end + root
    return seconds if verify_mldsa(message, signature, public) else None

def open_note(text, keys, step):
    """Text of a note, and when keys have signed it; a wrong line of one of them condemns it."""
    signed, lines = parse_note(text, step)
    times = {}
    for name, key_id, signature in lines:
        for key in (key for key in keys if key[:2] == (name, key_id)):
            seconds = signed_at(signed, signature, key)
            demand(seconds is not None, step, f"the signature of {name} is wrong")
            times.setdefault(key[:2], seconds)
    return signed, times

def open_checkpoint(text, log, policy, step):
    """The checkpoint of a note that the log has signed, and when which witnesses have."""
    named = policy["witnesses"] if policy else {}
    witnesses = {name: key for name, key in named.items() if key[2] in KEY_BYTES}
    signed, times = open_note(text, [log, *witnesses.values()], step)
    checkpoint = parse_checkpoint(signed, step)
    is_of_log = log[:2] in times and checkpoint[0] == log[0]
    demand(is_of_log, step, f"the log {log[0]} has not signed the checkpoint")
    return checkpoint, {n: times[k[:2]] for n, k in witnesses.items() if times.get(k[:2])}

# The map of all ARKs (docs/map.md).
NOTHING = b"SPARSE_MERKLE_PLACEHOLDER_HASH__"
LEAF = "arklog-map/v1\n"
STATES = {1: "registered", 2: "tombstoned", 255: "contradictory"}

def bit(data, at):
    return data[at // 8] >> (7 - at % 8) & 1

def parse_leaf(text):
    """Origin, entries covered, number of keys and root of a map leaf; None if unreadable."""
    demand(text.startswith(LEAF), "map_proof", "not a map leaf")
    _, origin, *numbers, root, end = [*text.split("\n"), *[""] * 6][:6]
    covers, keys, root = *map(number_of, numbers), unbase64(root)
    is_one = re.fullmatch(NAME, origin) and min(covers, keys) >= 0 and len(root) == 32
    return (origin, covers, keys, root) if is_one and text.count("\n") == 5 and not end else None

def check_proof(ark, proof, root):
    """The value of an ARK in the map of a root; None if a proof shows that it has none."""
    step, odd, key = "map_proof", "not a proof of the map in its one form", sha256(ark.encode())
    demand(len(proof) > 1 and proof[0] < 3 and proof[1] <= 128, step, odd)
    kind, depth = proof[0], proof[1]
    width = (depth + 7) // 8
    bitmap, rest, siblings = proof[2 : 2 + width], proof[2 + width :], []
    demand(len(bitmap) == width, step, odd)
    for level in range(8 * width):
        is_there = bit(bitmap, level)
        # The deepest is not nothing, and there is none below it.
        is_plain = level < depth - 1 or is_there == (level == depth - 1)
        demand(is_plain and len(rest) >= 32 * is_there, step, odd)
        siblings.append(rest[:32] if is_there else NOTHING)
        rest = rest[32 * is_there :]
    demand(len(rest) == (54, 64, 0)[kind], step, odd)
    if kind == 1:
        is_beside = rest[:32] != key and all(bit(rest, n) == bit(key, n) for n in range(depth))
        demand(is_beside, step, odd)
    found = (key + sha256(rest), rest, b"")[kind]
    node = sha256(b"JMT::LeafNode" + found) if found else NOTHING
    for level in reversed(range(depth)):
        pair = siblings[level] + node if bit(key, level) else node + siblings[level]
        node = sha256(b"JMT::IntrnalNode" + pair)
    demand(node == root, step, "the proof does not lead to the root of the map")
    if kind != 0:
        return None
    demand(rest[0] == 1 and rest[1] in STATES, step, "a value of the map has not its right form")
    number = lambda start, end: int.from_bytes(rest[start:end], "big")
    return {"state": STATES[rest[1]], "version": number(2, 6), "version_leaf": number(6, 12),
            "newest_leaf": number(12, 18)}

def contradiction(fact, index, value):
    """What no right map says of an ARK of which it covers a statement; None if both agree."""
    if value is None:
        return "the map denies an ARK of which it covers a statement"
    version = fact["version"]
    if value["newest_leaf"] < index:
        return "the map leaves out a statement that it covers"
    if value["state"] == "contradictory":
        return None
    if fact["statement"] == "registered" and value["version"] < version:
        return f"the map says version {value['version']}, and covers {version}"
    if fact["statement"] == "tombstoned" and value["state"] != "tombstoned":
        return "the map hides a withdrawal"
    is_same = fact["statement"] == "registered" and value["version"] == version
    is_other = is_same and value["version_leaf"] != index
    return "the map names another entry for this version" if is_other else None

# Policies (C2SP tlog-policy).
URL = f"https?://[^/?#@{SPACES}]+(/[^?#{SPACES}]*)?"

def parse_policy(text):
    policy, keys, grouped = {"logs": {}, "witnesses": {}, "groups": {}, "quorum": None}, [], set()
    lines = text.split("\n")
    number = len(lines)
    try:
        demand(len(text.encode("utf-16-le")) <= 1_000_000, "policy", "it is too long")
        for number, line in enumerate(lines, 1):
            demand(read_line(line, policy, keys, grouped), "policy", "it is wrong")
        demand(policy["quorum"], "policy", "it has no quorum")
    except Refused:
        raise Refused("policy", f"The policy of witnesses is wrong in line {number}")
    return policy

def read_line(line, policy, keys, grouped):
    """Adds what a line of a policy says; whether it may say that."""
    def take(text, kinds, url):
        key = parse_vkey(text, "policy")
        is_new = all(key[3] != known[3] and key[:2] != known[:2] for known in keys)
        keys.append(key)
        is_right = is_new and (key[2] not in KEY_BYTES or is_usable(key, kinds))
        return key if is_right and all(re.fullmatch(URL, one) for one in url) else None

    names = {*policy["witnesses"], *policy["groups"]}
    word, *rest = [part for part in re.split("[ \t]+", line) if part] or ["#"]
    if re.search("[\x00-\x08\x0b-\x1f\x7f]", line):
        return False
    if word == "log" and len(rest) in (1, 2):
        policy["logs"][rest[0]] = take(rest[0], (1, 6), rest[1:])
        return policy["logs"][rest[0]] and len(policy["logs"]) <= 64
    if word == "quorum" and len(rest) == 1 and policy["quorum"] is None:
        policy["quorum"] = rest[0]
        return rest[0] in {"none", *names}
    if word not in ("witness", "group") or len(rest) < 2 or rest[0] in {"none", *names}:
        return word.startswith("#")
    name, given, *members = rest
    if word == "witness":
        policy["witnesses"][name] = take(given, (4, 6), members)
        return len(members) < 2 and policy["witnesses"][name] and len(policy["witnesses"]) <= 64
    is_number = re.fullmatch("[1-9][0-9]{0,3}", given)
    threshold = int(given) if is_number else {"all": len(members), "any": 1}.get(given, 0)
    is_right = 0 < threshold <= len(members) == len({*members} & names - grouped)
    grouped.update(members)
    policy["groups"][name] = (threshold, members)
    return is_right and len(policy["groups"]) <= 64

def demand_quorum(policy, signed, step):
    is_free = policy is None or policy["quorum"] == "none"
    is_reached = is_free or quorum_time(policy, signed, False) is not None
    demand(is_reached, step, "too few witnesses have signed the checkpoint")

def quorum_time(policy, signed, is_latest):
    """When enough witnesses had signed or, of the latest, had not yet; None if they never had."""
    reached = set()
    for witness in sorted(signed, key=signed.get, reverse=is_latest):
        reached.add(witness)
        for name, (threshold, members) in policy["groups"].items():
            reached |= {name} if len(reached.intersection(members)) >= threshold else set()
        if policy["quorum"] in reached:
            return signed[witness]
    return None

# JSON: strict to read, canonical (RFC 8785) to write, of statements, which are flat.
def read_json(data, step="form"):
    def members(pairs):
        is_plain = len(dict(pairs)) == len(pairs) and "__proto__" not in dict(pairs)
        demand(is_plain, step, "not strict JSON: a member stands twice")
        return dict(pairs)

    def number(text):
        value = float(text)
        is_whole = value.is_integer() and abs(value) < 2**53 and str(value) != "-0.0"
        return int(value) if is_whole else value

    demand(not re.search(rb"(?<!\\)(\\\\)*\\u0000", data), step, "not strict JSON: a NUL")
    try:
        return json.loads(data.decode(), object_pairs_hook=members, parse_int=number,
                          parse_float=number, parse_constant=lambda _: demand(0, step, "not JSON"))
    except (ValueError, RecursionError, OverflowError):
        raise Refused(step, "not strict JSON")

def canonical(value):
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"

# What each object of an evidence file must hold: a pattern, or a test (docs/evidence.md).
COUNT = lambda value: type(value) is int and value >= 0
ANY = lambda value: isinstance(value, dict)
TEXT = lambda value: isinstance(value, str) and not re.search("[\ud800-\udfff]", value)
LIST = lambda value: isinstance(value, list)
TEXTS = lambda value: LIST(value) and all(map(TEXT, value))
HASHES = lambda value: LIST(value) and len(value) < 65 and all(is_like(HEX32, one) for one in value)
HEX32, HEX64, HASH = "[0-9a-f]{64}", "[0-9a-f]{128}", "sha256:[0-9a-f]{64}"
FIXITY, NO_HASH = "verified|pending|failed|unreachable", "sha256:" + 64 * "0"
CLOCK = r"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}|24:00:00\.000)"
TIME = rf"[0-9]{{4}}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T{CLOCK}Z"
NONE, POSITIVE = (lambda value: value is None), (lambda value: COUNT(value) and value > 0)
FORMS = {
    "evidence": {"format": "arklog-evidence-v1", "about": TEXTS, "environment": "live|sandbox",
                 "receipt": ANY, "metadata": (NONE, TEXT), "keys": ANY, "policy": (NONE, TEXT),
                 "newest": (NONE, ANY)},
    "keys": {"log": ANY, "receipt_keys": lambda value: LIST(value) and 0 < len(value) <= 1000},
    "log": {"origin": TEXT, "vkey": TEXT, "url": TEXT},
    "key": {"key_id": TEXT, "public_key": HEX32, "valid_from": TIME, "valid_until": (NONE, TIME),
            "rotation": (NONE, ANY)},
    "newest": {"checkpoint": TEXT, "consistency_proof": HASHES},
    "map": {"map_leaf": TEXT, "proof": TEXT, "inclusion_proof": HASHES},
    "signature": {"algorithm": "Ed25519", "public_key": HEX32, "signature": HEX64},
    "chain_proof": {"block_height": POSITIVE, "merkle_root": HEX32, "inclusion_proof": HASHES,
                    "leaf_index": COUNT, "tree_size": POSITIVE, "checkpoint": TEXT},
    "statement": {"statement": "registered|content|tombstoned", "ark": r"ark:/[\x21-\x7e]{1,255}",
                  "version": POSITIVE, "timestamp": TIME,
                  "receipt_id": "rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_[0-9a-z]{1,32}",
                  "content_hash": (NONE, HASH), "metadata_hash": HASH},
    "rotation": {"statement": "key_rotated", "old_key_id": "[0-9a-f]{16}", "timestamp": TIME,
                 "new_key_id": "[0-9a-f]{16}", "new_public_key": HEX32},
}

def is_like(rule, value):
    if isinstance(rule, tuple):
        return any(is_like(one, value) for one in rule)
    return rule(value) if callable(rule) else TEXT(value) and re.fullmatch(rule, value) is not None

def check_form(value, name, step="form", is_open=False):
    demand(ANY(value), step, f"{name} is no object")
    for member, rule in FORMS[name].items():
        is_right = member in value and is_like(rule, value[member])
        demand(is_right, step, f"{member} of {name} has not its form")
    further = value.keys() - FORMS[name].keys()
    is_right = is_open and all(TEXT(one) and is_like((NONE, TEXT), value[one]) for one in further)
    demand(is_right or not further, step, f"{name} has a member that is not known")
    return value

def take_apart(entry, name, step):
    """Statement, signature and proof of a receipt or a rotation."""
    parts = ("signature", "chain_proof") + ("fixity_status",) * (name == "statement")
    statement = {member: value for member, value in entry.items() if member not in parts}
    is_right = name == "rotation" or is_like(FIXITY, entry.get("fixity_status"))
    is_right = is_right and is_like(HASH, statement.get("witnessed_checkpoint", NO_HASH))
    demand(is_right, step, "fixity_status or witnessed_checkpoint has not its form")
    signature, proof = (check_form(entry.get(part), part, step) for part in parts[:2])
    return check_form(statement, name, step, name == "statement"), signature, proof

def is_signed(statement, signature, public_key):
    message = ("svc-receipt-v1\n" + canonical(statement)).encode()
    return verify_ed25519(message, bytes.fromhex(signature["signature"]), bytes.fromhex(public_key))

def check_logged(statement, signature, proof, log, policy, steps):
    """The checkpoint that covers a signed statement, and when which witnesses have signed it."""
    entry = canonical({**statement, "signature": signature}).encode()
    demand(len(entry) <= 65_535, steps[0], f"the entry has {len(entry)} bytes, more than 65535")
    root, size, beside = proof["merkle_root"], proof["tree_size"], proof["inclusion_proof"]
    leaf, path = sha256(b"\0" + entry), [bytes.fromhex(one) for one in beside]
    is_there = included(leaf, proof["leaf_index"], size, path, bytes.fromhex(root))
    demand(is_there, steps[1], "the hashes do not lead from the entry to merkle_root")
    head = parse_checkpoint(parse_note(proof["checkpoint"], steps[2])[0], steps[2])
    is_head = (size, proof["block_height"], root) == (head[1], head[1], head[2].hex())
    demand(is_head, steps[2], "block_height, tree_size or merkle_root differ from the checkpoint")
    open_checkpoint(proof["checkpoint"], log, None, steps[3])
    return open_checkpoint(proof["checkpoint"], log, policy, steps[4])

def milliseconds(text):
    year, month, day, hour, minute, second, ms = map(int, re.findall("[0-9]+", text))
    year, month = (year - 1, month + 9) if month < 3 else (year, month - 3)
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day
    return (((days - 719_469) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + ms

def key_id(public_key):
    return sha256(bytes.fromhex("302a300506032b6570032100" + public_key)).hex()[:16]

def follow_rotations(keys, listed, log):
    """Adds the keys to which rotations lead from the newest trusted: [key, from, until] in ms."""
    places = [n for n, key in enumerate(listed) if key["public_key"] == keys[-1][0]]
    demand(places, "keys", "the file has not the newest trusted key")
    leaf = -1
    for listed_key in listed[places[0] + 1 :]:
        demand(listed_key["rotation"], "keys", "a key has no rotation")
        statement, signature, proof = take_apart(listed_key["rotation"], "rotation", "keys")
        old, new, at = keys[-1], statement["new_public_key"], milliseconds(statement["timestamp"])
        names = (signature["public_key"], statement["old_key_id"], statement["new_key_id"], new)
        is_next = names == (old[0], key_id(old[0]), key_id(new), listed_key["public_key"])
        is_next = is_next and strict_point(bytes.fromhex(new)) and at >= old[1]
        is_next = is_next and proof["leaf_index"] > leaf and is_signed(statement, signature, old[0])
        demand(is_next, "keys", "a rotation does not lead from one key to the next")
        check_logged(statement, signature, proof, log, None, ["keys"] * 5)
        old[2], leaf = at, proof["leaf_index"]
        keys.append([new, at, None])

def trusted_keys(evidence, pinned):
    """The key of the log, and the receipt keys: the trusted ones, and what follows from them."""
    own, listed = evidence["keys"]["log"], evidence["keys"]["receipt_keys"]
    is_pinned, pinned = pinned is not None, pinned or evidence["keys"]
    log, origin = parse_vkey(pinned["log"]["vkey"], "keys"), pinned["log"]["origin"]
    demand(is_usable(log, (1, 6)) and log[0] == origin, "keys", "the key file is malformed")
    is_same = all(own[one] == pinned["log"][one] for one in ("vkey", "origin"))
    demand(is_same, "keys", f"the file is of another log than {origin}, whose key is trusted")
    keys = []
    for key in pinned["receipt_keys"]:
        until = key["valid_until"] and milliseconds(key["valid_until"])
        keys.append([key["public_key"], milliseconds(key["valid_from"]), until])
    if not is_pinned:
        keys = [[*keys[0][:2], None]]
    # Keys that were saved after the file was made need nothing of it.
    if not is_pinned or all(key[0] != listed[-1]["public_key"] for key in keys):
        try:
            follow_rotations(keys, listed, log)
        except Refused as error:
            why = f"the rotations do not follow from the key file: {error.args[1]}"
            raise Refused("keys", why)
    return log, keys

def check_time(statement, proof, log, policy, signed):
    """Between which seconds witnesses prove that it was made; its own time must lie there."""
    after, before = quorum_time(policy, signed, False), None
    carried = [line[2] for line in parse_note(proof["checkpoint"], "time")[1] if line[0] == CARRIED]
    if "witnessed_checkpoint" in statement and carried:
        is_named = f"sha256:{sha256(carried[0]).hex()}" == statement["witnessed_checkpoint"]
        demand(is_named, "time", "the carried checkpoint is not the one that the statement names")
        _, earlier = open_checkpoint(carried[0].decode(errors="surrogateescape"), log, policy, "time")
        before = quorum_time(policy, earlier, True)
    at = milliseconds(statement["timestamp"])
    demand((before or 0) <= after, "time", "the witnesses signed what it names after what covers it")
    is_inside = at < (after + 1) * 1000 and (before is None or before * 1000 <= at)
    demand(is_inside, "time", "its own time is not in the proven interval")
    return before, after + 1

def check_newest(newest, head, log, policy):
    """The newest checkpoint, and since when a quorum has seen it; None if nobody says."""
    later, signed = open_checkpoint(newest["checkpoint"], log, policy, "newest")
    path = [bytes.fromhex(one) for one in newest["consistency_proof"]]
    demand_quorum(policy, signed, "newest")
    is_later = consistent(head[1], later[1], head[2], later[2], path)
    demand(is_later, "newest", "the newest checkpoint does not continue that of the receipt")
    return later, quorum_time(policy, signed, True) if policy else None

def check_map(told, head, fact, index):
    """What the map that ends the tree of a head has of the ARK of a statement that it covers."""
    leaf, path = told["map_leaf"], [bytes.fromhex(one) for one in told["inclusion_proof"]]
    parsed = parse_leaf(leaf)
    demand(parsed, "map_proof", "not a map leaf")
    origin, covers, _, root = parsed
    is_last = origin == head[0] and covers + 1 == head[1]
    is_last = is_last and included(sha256(b"\0" + leaf.encode()), covers, head[1], path, head[2])
    demand(is_last, "map_proof", "the map leaf is not the last entry of the checkpoint")
    value = check_proof(fact["ark"], unbase64(told["proof"]), root)
    lie = contradiction(fact, index, value)
    demand(lie is None, "map_proof", lie)
    is_known = value["state"] == "contradictory" or fact["version"] <= value["version"]
    why = f"the map says version {value['version']}, and covers {fact['version']}"
    demand(is_known, "map_proof", why)
    return value

GIVEN, OF_KEYS = ("the witnesses are those of your policy", "the witnesses are those of the key file")
OF_FILE, NOBODY = "the file itself names the witnesses, who may be invented", "there are no witnesses"
OF_TRIALS = ", and the file is of the sandbox, which is for trials"

def verify(evidence, pinned=None, policy_text=None):
    """The statement of an evidence file, when it was made, whose the witnesses are, and what the
    newest map has of the ARK, as of when, None if the file has none; Refused if it proves none."""
    error = evidence.get("error") if ANY(evidence) else None
    is_reply = is_like("[a-z_]{1,64}", error)
    demand(not is_reply, "form", f"it is the error that a server replied, not evidence: {error}")
    check_form(evidence, "evidence")
    check_form(check_form(evidence["keys"], "keys")["log"], "log")
    for key in evidence["keys"]["receipt_keys"]:
        check_form(key, "key")
    newest, told, value = dict(evidence["newest"] or {}), None, None
    if "map" in newest:
        told = check_form(newest.pop("map"), "map")
    if evidence["newest"] is not None:
        check_form(newest, "newest")
    statement, signature, proof = take_apart(evidence["receipt"], "statement", "form")
    log, keys = trusted_keys(evidence, pinned)
    text = evidence["policy"] if policy_text is None else policy_text
    policy = None if text is None else parse_policy(text)
    is_named = pinned is not None and text == pinned["log"].get("witness_policy")
    whose = GIVEN if policy_text is not None else OF_KEYS if is_named else OF_FILE
    if policy and policy["logs"] and evidence["keys"]["log"]["vkey"] not in policy["logs"]:
        # A policy may demand the other key of the log, of ML-DSA-44, in place of the trusted one:
        # but not that of the file, whose maker could name a key of their own.
        others = [key for key in policy["logs"].values() if key[0] == log[0] and key[2] == 6]
        demand(others, "policy", "the policy is for other logs")
        log = log if whose == OF_FILE else others[0]
    at, own = milliseconds(statement["timestamp"]), signature["public_key"]
    first = next(([begin, end] for key, begin, end in keys if key == own), None)
    demand(first, "receipt_key", f"the receipt’s key is not one of the {evidence['environment']} keys")
    is_in_use = first[0] <= at and (first[1] is None or at < first[1])
    demand(is_in_use, "receipt_key", f"the key was not valid at {statement['timestamp']}")
    is_right = is_signed(statement, signature, own)
    demand(is_right, "signature", "the signature is not one of this statement by the pinned key")
    steps = ("entry", "inclusion", "tree_head", "checkpoint", "witnesses")
    head, signed = check_logged(statement, signature, proof, log, policy, steps)
    demand_quorum(policy, signed, "witnesses")
    is_witnessed = policy is not None and policy["quorum"] != "none"
    interval = check_time(statement, proof, log, policy, signed) if is_witnessed else (None, None)
    metadata = evidence["metadata"]
    digest = metadata and f"sha256:{sha256(metadata.encode()).hex()}"
    is_same = metadata is None or digest == statement["metadata_hash"]
    demand(is_same, "metadata_hash", "the metadata is not that of the statement")
    if newest:
        later, seen = check_newest(newest, head, log, policy)
        if told:
            value = check_map(told, later, statement, proof["leaf_index"]), seen
    whose = whose if is_witnessed else NOBODY
    is_trial = evidence["environment"] == "sandbox"
    return statement, interval, whose + OF_TRIALS * is_trial, value

LATER = {"content": "content confirmed", "tombstoned": "withdrawn"}

def what_happened(statement):
    """When a version was registered, of which its receipt has the day, and what came later."""
    kind, at = statement["statement"], statement["timestamp"]
    day = "-".join(statement["receipt_id"].split("_")[1:4])
    later = f"registered {day}, as the registry says, {LATER.get(kind)} {at}"
    return later if kind in LATER else f"registered {at}"

def main():
    parser = argparse.ArgumentParser(description="verify evidence of Arklog registries, offline")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--keys", help="the registry's /.well-known/svc-keys.json, saved earlier")
    parser.add_argument("--policy", help="the witnesses that must have signed (C2SP tlog-policy)")
    options = parser.parse_args()
    worst = 0
    try:
        saved = options.keys and read_json(open(options.keys, "rb").read())
        policy = options.policy and open(options.policy, encoding="utf-8", newline="").read()
        for file in options.files:
            try:
                evidence = read_json(open(file, "rb").read())
                is_trial = saved and ANY(evidence) and evidence.get("environment") == "sandbox"
                pinned = saved.get("sandbox") if is_trial else saved
                demand(pinned or not saved, "keys", "the key file has no keys of a sandbox")
                statement, (begin, end), whose, value = verify(evidence, pinned, policy)
                worst = worst if saved else 1
                said = f"{statement['ark']} v{statement['version']} {what_happened(statement)}"
                now, seen = value or (None, None)
                begin, end, seen = ["?" if one is None else one for one in (begin, end, seen)]
                said = f"{said} [{begin}, {end}]; {whose}"
                said += f"; newest at {seen}: v{now['version']}, {now['state']}" if now else ""
                print(f"{file}: {'proven' if saved else 'consistent'}: {said}")
            except Refused as error:
                worst = 1
                print(f"{file}: refused: {error.args[0]}: {error.args[1]}")
    except (OSError, KeyError, TypeError, Refused) as error:
        why = error if isinstance(error, OSError) else "the key file has not its form"
        print(f"nothing could be checked: {why}", file=sys.stderr)
        worst = 2
    sys.exit(worst)

if __name__ == "__main__":
    main()
