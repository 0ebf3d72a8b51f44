import { describeQuorum, isVerifiable, parsePolicy } from '#log/tlog/policy.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { codeBlock, table } from '#src/pages/kit/parts.ts'
import { merkleFigure } from '#src/pages/public/merkle_figure.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'

const sections = [
  ['receipt', 'What a receipt is'],
  ['log', 'What the log adds'],
  ['proven', 'What is proven, and what is not'],
  ['check', 'Check a record'],
  ['by-hand', 'Check it without our program'],
  ['newest', 'Check that it is the newest'],
  ['witnesses', 'Who else has signed, and when'],
  ['keys', 'Which keys to trust'],
  ['monitors', 'Watch the log'],
] as const

/**
 * How a record is checked, by whom, and what that proves. `baseUrl` has no slash at its end; `ark`
 * is that of a work to try it with; `policy` is that of the log’s witnesses, empty without any.
 */
export function howItWorksPage(
  baseUrl: string,
  { ark = 'ark:/…', policy }: { readonly ark: string | undefined; readonly policy: string },
): PublicPage {
  const contents = sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)
  return {
    title: 'How it works, and how to check it',
    current: '/how-it-works',
    wide: true,
    styles: [publicStyle],
    head: html`<meta name="description" content="What a receipt proves, what it does not,
and how anybody checks one."><link rel="canonical" href="${baseUrl}/how-it-works">`,
    body: html`<article class="explained">
<h1>How it works, and how to check it</h1>
<p class="lead">A registry that only says “this was registered in May” asks to be believed. This one
hands out what it takes to check, so that a change of its records would show.</p>
<nav aria-label="On this page"><ul class="contents">${contents}</ul></nav>
${receiptPart}
${logPart}
${provenPart}
${checkPart(baseUrl, ark)}
${byHandPart}
${newestPart(baseUrl)}
${witnessesPart(policy)}
${keysPart}
${monitorsPart(baseUrl)}
</article>`,
  }
}

function part(id: (typeof sections)[number][0], body: Html): Html {
  const name = sections.find(([one]) => one === id)?.[1]
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${body}</section>`
}

const receiptPart = part(
  'receipt',
  html`<p>Whenever a work is registered, and whenever it gets a new version, the registry makes a
statement about it and signs it with Ed25519. The statement and its signature are the receipt:</p>
${codeBlock(
  'A receipt',
  `ark            ark:/12345/k2…      the work
version        1
receipt_id     rcpt_2026_11_21_…   names the day of registration
statement      registered          or: content, tombstoned
timestamp      2026-11-21T21:25…   of this statement, by the registry’s clock
metadata_hash  sha256:f8089b7f…    of the metadata
content_hash   sha256:60cffdae…    of the content, once read
signature      Ed25519             over all of the above`,
)}
<p>The metadata are hashed in the form in which they are served (RFC 8785), so what you download can
be compared with what was signed. The content at the work’s address is fetched and hashed by the
registry, and read again from time to time; the page of a work tells what was found.</p>`,
)

const logPart = part(
  'log',
  html`<p>A signature alone could be made at any time, for any date. So every receipt is also an
entry of an append-only log, a Merkle tree as in Certificate Transparency (RFC 6962). It is in the
log, on disk and under a signed root, before whoever registered the work gets an answer.</p>
${merkleFigure()}
<p>The root hash stands for all entries and their order. With a handful of hashes, which come with
the receipt, anybody computes the root from one entry: that is its <em>inclusion proof</em>. With as
few, anybody proves that an older root is the beginning of a newer one: a <em>consistency
proof</em>. If an entry were changed, moved or taken out, neither would work any more.</p>`,
)

const claims: readonly (readonly [claim: string, proven: string])[] = [
  ['These metadata were registered, letter by letter', 'Proven by the metadata hash'],
  ['This file is the one that was registered', 'Proven, once the content was hashed'],
  ['It was not registered later than newer entries', 'Proven by its place in the log'],
  ['Nothing was changed, moved or taken out since', 'Proven against any root you have kept'],
  ['It was registered at exactly this time', 'Said by the registry’s clock, which the log orders'],
  ['It was registered between two times', 'Proven, where witnesses have signed before and after'],
  ['All readers are shown the same log', 'Only if somebody compares: see monitors'],
  ['The names are those of the authors', 'Not proven: it is what the publisher said'],
  ['What the work says is right', 'Not proven, and never will be'],
]

const claimTable = table('What a checked receipt tells you', claims, {
  'That …': ([claim]) => claim,
  'Is it proven?': ([, proven]) => proven,
})

const provenPart = part(
  'proven',
  html`${claimTable}
<p>Receipts hold hashes and identifiers, no names: a work can be withdrawn, and its metadata even be
erased by law, while its receipts stay what they were.</p>`,
)

function checkPart(baseUrl: string, ark: string): Html {
  return part(
    'check',
    html`<p><strong>In the browser.</strong> The page of each work has the button “Check the
receipt”. The check runs on your device; you can give it your own copy of the content.</p>
<p><strong>On your machine.</strong> Save the keys once, and a receipt; then no network is
needed:</p>
${codeBlock(
  'Commands that save the keys and a receipt, and check it',
  `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -s ${baseUrl}/api/v1/receipts/${ark}/v1 > receipt.json
arklog verify receipt.json --keys keys.json`,
)}
<p class="hint">In a copy of the program’s sources <code>arklog</code> is
<code>npm run -s arklog --</code>.</p>
<p>The answer names each step, and also what was <em>not</em> checked, such as the content when you
gave no file. Add <code>--metadata</code> or a file to check those too.</p>`,
  )
}

const signatureCheck = `{ printf 'svc-receipt-v1\\n'
  jq -jcS 'del(.signature, .fixity_status, .chain_proof)' receipt.json
} > signed
jq -r .signature.signature receipt.json | xxd -r -p > signature
{ printf 302a300506032b6570032100
  jq -r --slurpfile receipt receipt.json '.receipt_keys[]
    | select(.public_key == $receipt[0].signature.public_key
        and .valid_from <= $receipt[0].timestamp
        and (.valid_until == null or $receipt[0].timestamp < .valid_until)
      ).public_key' keys.json
} | xxd -r -p > key
openssl pkeyutl -verify -rawin -pubin -inkey key -keyform DER \\
  -in signed -sigfile signature`

const checkpointCheck = `jq -j .chain_proof.checkpoint receipt.json > checkpoint
sed '/^$/,$d' checkpoint > signed-head
name=$(jq -r .log.origin keys.json)
awk -v name="$name" '$1 == "—" && $2 == name { print $3; exit }' checkpoint |
  base64 -d | tail -c 64 > head-signature
{ printf 302a300506032b6570032100 | xxd -r -p
  jq -r .log.vkey keys.json | cut -d + -f 3- | base64 -d | tail -c 32
} > log-key
openssl pkeyutl -verify -rawin -pubin -inkey log-key -keyform DER \\
  -in signed-head -sigfile head-signature`

const inclusionCheck = `python3 - <<'END'
import base64, hashlib, json
sha256 = lambda data: hashlib.sha256(data).digest()
receipt = json.load(open('receipt.json'))
proof = receipt.pop('chain_proof')
receipt.pop('fixity_status')
entry = json.dumps(receipt, sort_keys=True, separators=(',', ':'), ensure_ascii=False)
origin, size, root = open('signed-head').read().splitlines()[:3]
node = sha256(b'\\0' + entry.encode())
index, last = proof['leaf_index'], int(size) - 1
for sibling in map(bytes.fromhex, proof['inclusion_proof']):
    if index & 1 or index == last:
        node = sha256(b'\\1' + sibling + node)
        while index and not index & 1:
            index, last = index >> 1, last >> 1
    else:
        node = sha256(b'\\1' + node + sibling)
    index, last = index >> 1, last >> 1
log = json.load(open('keys.json'))['log']
included = last == 0 and node == base64.b64decode(root) and origin == log['origin']
print('in the log' if included else 'NOT IN THE LOG')
raise SystemExit(not included)
END`

const byHandPart = part(
  'by-hand',
  html`<p>A check by the program of whom you check is half a check. The formats are public, and
other tools do as well. These commands are for <code>receipt.json</code> and <code>keys.json</code>
of above; each ends with an error if something is wrong. The signature of the receipt, by that one
of the saved keys which was in use at its time, with jq and openssl:</p>
${codeBlock('Commands that check the signature of a receipt', signatureCheck)}
<p>The signature of the log under the root of its tree, which comes with the receipt as a signed
note (<a href="https://c2sp.org/tlog-checkpoint" rel="noreferrer">c2sp.org/tlog-checkpoint</a>):</p>
${codeBlock('Commands that check the signature of the checkpoint', checkpointCheck)}
<p>That the receipt is an entry of the tree with this signed root, with the Python that your system
has:</p>
${codeBlock('A Python program that checks the inclusion proof', inclusionCheck)}`,
)

const mapCheck = `python3 - <<'END'
import base64, hashlib, json
sha256 = lambda data: hashlib.sha256(data).digest()
bit = lambda data, at: data[at // 8] >> 7 - at % 8 & 1
ark = json.load(open('receipt.json'))['ark']
proof = json.load(open('map.json'))['map_proof']
origin, size, root = open('signed-head').read().split('\\n')[:3]
form, log, covers, keys, map_root = proof['map_leaf'].split('\\n')[:5]
node, index = sha256(b'\\0' + proof['map_leaf'].encode()), int(size) - 1
for beside in proof['inclusion_proof']:
    while index and index % 2 == 0:
        index >>= 1
    node, index = sha256(b'\\1' + bytes.fromhex(beside) + node), index >> 1
is_last = node == base64.b64decode(root) and int(covers) == int(size) - 1 and log == origin
nothing, key = b'SPARSE_MERKLE_PLACEHOLDER_HASH__', sha256(ark.encode())
path = base64.b64decode(proof['proof'])
kind, depth = path[0], path[1]
at, sides = 2 + (depth + 7) // 8, []
for level in range(depth):
    is_there = bit(path[2:], level)
    sides.append(path[at:at + 32] if is_there else nothing)
    at += 32 * is_there
value = path[at:]
is_known = kind == 0 and len(value) == 54
node = sha256(b'JMT::LeafNode' + key + sha256(value))
for level in reversed(range(depth)):
    pair = sides[level] + node if bit(key, level) else node + sides[level]
    node = sha256(b'JMT::IntrnalNode' + pair)
is_proven = is_last and is_known and node == base64.b64decode(map_root)
version = int.from_bytes(value[2:6], 'big')
state = {1: f'version {version} is the newest', 2: 'the work was withdrawn'}
print(state.get(value[1], 'the log contradicts itself') if is_proven else 'NOT PROVEN')
raise SystemExit(not is_proven)
END`

const mapCheckpointCheck = checkpointCheck.replace(
  '.chain_proof.checkpoint receipt.json',
  '.map_proof.checkpoint map.json',
)

function newestPart(baseUrl: string): Html {
  return part(
    'newest',
    html`<p>A receipt proves that a version was registered. It does not prove that there is no newer
one. For that the log has a map of all ARKs, and an entry with the root of the map after new
statements. The last entry of a checkpoint that the witnesses sign is such an entry, so each of
these checkpoints has one map. The page of a work says what the map says of it, when you check the
receipt. On your machine, with the policy of the witnesses that you trust:</p>
${codeBlock(
  'The command that checks whether a receipt is of the newest version',
  `arklog verify --newest receipt.json --keys keys.json --policy policy.txt --within 2h`,
)}
<p>Without our program: ask for the proof, and check the signature of the log under it,</p>
${codeBlock(
  'Commands that ask for a proof of the map, and check the checkpoint in it',
  `curl -s "${baseUrl}/v1/map/$(jq -r .ark receipt.json)" > map.json
${mapCheckpointCheck}`,
)}
<p>then the way from the ARK to the root of the map, and from there to the signed root:</p>
${codeBlock('A Python program that checks the proof of the map', mapCheck)}
<p class="hint">For a log without a map the registry answers 404. Who else has signed this
checkpoint, and when, <code>arklog verify --newest</code> says. <a href="/docs/guides/map">The
map</a> has all formats.</p>`,
  )
}

const witnessCheck = `: > witnesses
jq -j .chain_proof.checkpoint receipt.json > covers
awk '$1 == "—" && $2 == "arklog/witnessed-before" { print $3; exit }' covers |
  base64 -d | tail -c +5 > before
for note in before covers; do
  sed '/^$/,$d' $note > noted-head
  jq -r .log.witness_policy keys.json | awk '$1 == "witness" { print $2, $3 }' |
  while read -r witness vkey; do
    cut -d + -f 3- <<< "$vkey" | base64 -d > vkey
    [ "$(head -c 1 vkey | xxd -p)" = 04 ] || continue
    awk -v name="\${vkey%%+*}" '$1 == "—" && $2 == name { print $3 }' $note |
    while read -r line; do
      base64 -d <<< "$line" > cosignature
      [ "$(head -c 4 cosignature | xxd -p)" = "$(cut -d + -f 2 <<< "$vkey")" ] || continue
      seconds=$((16#$(tail -c +5 cosignature | head -c 8 | xxd -p)))
      { printf 'cosignature/v1\\ntime %s\\n' "$seconds"; cat noted-head; } > cosigned
      tail -c +13 cosignature > witness-signature
      { printf 302a300506032b6570032100 | xxd -r -p; tail -c 32 vkey; } > witness-key
      openssl pkeyutl -verify -rawin -pubin -inkey witness-key -keyform DER \\
        -in cosigned -sigfile witness-signature > verdict || exit 1
      echo "$witness signed $note at $(date -u -d "@$seconds" +%FT%TZ)" | tee -a witnesses
    done || exit 1
  done || exit 1
done
[ -s witnesses ] || { echo 'no witness has signed'; exit 1; }
named=$(jq -r '.witnessed_checkpoint // empty' receipt.json)
digest=$(openssl dgst -sha256 -r before)
[ -z "$named" ] || [ "$named" = "sha256:\${digest%% *}" ] ||
  { echo 'the checkpoint before it is not the one that it names'; exit 1; }`

function witnessesPart(policyText: string): Html {
  return part(
    'witnesses',
    html`<p>A witness is somebody else’s program: it signs a root only if that is proven to
continue the last one that it has signed. Whoever sees the signatures of enough witnesses sees
what everybody sees. ${witnessesInForce(policyText)}</p>
<p>Each signature has a time, by the clock of its witness. So nobody need believe the clock of this
registry: a statement names the newest root that the witnesses had signed
(<code>witnessed_checkpoint</code>), with their signatures, which nobody could know before they were
made. The statement is younger than these, and older than the first signatures over a root that
covers it. These commands check them, for the files of above, and print when each witness signed:
before the statement (what a line of the checkpoint carries) and after it (the checkpoint).</p>
${codeBlock('Commands that check the signatures of witnesses', witnessCheck)}
<p class="hint">The keys are those of the <code>witness_policy</code> in <code>keys.json</code>:
compare them with what the witnesses publish. Keys of ML-DSA-44 are passed over, for they take
OpenSSL 3.5; <code>arklog verify --policy</code> checks them.</p>`,
  )
}

function witnessesInForce(policyText: string): Html {
  const policy = policyText === '' ? undefined : parsePolicy(policyText)
  if (policy?.quorum === undefined) {
    const none = 'This log has no witnesses at present'
    return html`<strong>${none}</strong>: what its clock says is its word.`
  }
  const names = policy.witnesses
    .filter(isVerifiable)
    .map(({ name }) => name)
    .join(', ')
  return html`<strong>The witnesses of this log are ${names}</strong>; a root counts as witnessed by
${describeQuorum(policy)}. What each has signed last is at <a href="/v1/log/witnesses"><code
>/v1/log/witnesses</code></a>.`
}

const keysPart = part(
  'keys',
  html`<p>A key inside a receipt proves nothing: whoever forges the one forges the other. Save
<a href="/.well-known/svc-keys.json">the published keys</a> when you first come here, compare them
with what others have saved, and check against your copy from then on. When a key is replaced, the
old one signs the new one, whole, and the log has an entry of it. So your copy leads to the newer
keys by itself: <code>arklog verify</code> follows the rotations that it is given with
<code>--rotations</code>, a newer list or the address of the registry, and believes nothing of it
that the old key and the log do not prove.</p>
<p>The key of receipts and the key of the log are different ones, so that neither alone is enough to
make a record.</p>`,
)

function monitorsPart(baseUrl: string): Html {
  return part(
    'monitors',
    html`<p>The log could still show different trees to different readers, as long as they never
compare. A monitor does: it keeps the newest root that it has seen, demands a proof that every later
one grew from it, and keeps the evidence if there is none. Anybody can run one, and the more do, the
less need anybody trust this registry:</p>
${codeBlock(
  'The command that runs a monitor',
  `arklog monitor ${baseUrl} --keys keys.json --state ./monitor`,
)}
<p>The log is served as static tiles (<a href="https://c2sp.org/tlog-tiles"
rel="noreferrer">c2sp.org/tlog-tiles</a>), so any monitor or witness of such logs can follow it too:
all of it is open at <a href="/log/checkpoint"><code>/log/checkpoint</code></a> and
<code>/log/tile/…</code>, without a key. People look at it
<a href="/log">on its own pages</a>: there a browser keeps the checkpoint that it has checked,
and the next check proves that the log has only grown since.</p>`,
  )
}
