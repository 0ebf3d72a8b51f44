"""Holds the reader in Python to the vectors in test/vectors: prints what it reads otherwise."""
import glob, json, os, sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../../src/verify/python"))
import verify as reader

def is_size(number):
    return type(number) is int and 0 <= number < 2**53

def holds(kind, v):
    unhex = bytes.fromhex
    if kind == "ed25519":
        return reader.verify_ed25519(*(unhex(v[m]) for m in ("message", "signature", "public_key")))
    if kind == "vkey":
        return bool(reader.parse_vkey(v["vkey"], kind))
    if kind == "checkpoint":
        return bool(reader.parse_checkpoint(v["text"], kind))
    if kind == "cosignature":
        key = reader.parse_vkey(v["vkey"], kind)
        time = reader.signed_at(v["text"], unhex(v["cosignature"]), key)
        return reader.is_usable(key, (4, 6)) and time is not None
    if kind == "note":
        message = v["message"] if "message" in v else unhex(v["message_hex"]).decode()
        keys = [reader.parse_vkey(vkey, kind) for vkey in v["vkeys"]]
        return bool(reader.open_note(message, keys, kind)[1])
    path = [unhex(one) for one in v["proof"]]
    if v["type"] == "inclusion":
        place, names = (v["leaf_index"], v["tree_size"]), ("leaf_hash", "root_hash")
        hashes = [unhex(v[name]) for name in names]
        is_right = all(map(is_size, place)) and all(len(one) == 32 for one in [*path, *hashes])
        return is_right and reader.included(hashes[0], *place, path, hashes[1])
    place, hashes = (v["from"], v["to"]), [unhex(v[name]) for name in ("from_root", "to_root")]
    is_right = all(map(is_size, place)) and all(len(one) == 32 for one in [*path, *hashes])
    return is_right and reader.consistent(*place, *hashes, path)

read = 0
for kind in ("ed25519", "vkey", "checkpoint", "cosignature", "note", "proof"):
    for file in sorted(glob.glob(os.path.join(here, "../../vectors", kind, "*valid", "*.json"))):
        with open(file, encoding="utf-8") as opened:
            vector = json.load(opened)
        read += 1
        try:
            is_right = holds(kind, vector)
        except (reader.Refused, UnicodeDecodeError):
            is_right = False
        if is_right != (os.path.basename(os.path.dirname(file)) == "valid"):
            print("read otherwise:", file)
print(read, "vectors")
