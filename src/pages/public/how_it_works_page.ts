import { isVerifiable, parsePolicy } from '#log/tlog/policy.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { publicStyle } from '#src/pages/kit/assets.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { asLink, codeBlock, table } from '#src/pages/kit/parts.ts'
import type { PublicPage } from '#src/pages/kit/public_page.ts'
import { quorumText } from '#src/pages/public/log/log_site.ts'
import { merkleFigure } from '#src/pages/public/merkle_figure.ts'
import { explained, landing } from '#src/words/english.ts'
import { list } from '#src/words/format.ts'
import type { Slot } from '#src/words/message.ts'
import type { Text, Wording } from '#src/words/wording.ts'

const sections = [
  ['receipt', explained.receipt],
  ['log', explained.log],
  ['proven', explained.proven],
  ['check', explained.check],
  ['by-hand', explained.byHand],
  ['newest', explained.newest],
  ['witnesses', explained.witnesses],
  ['keys', explained.keys],
  ['monitors', explained.monitors],
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
    title: explained.title,
    current: '/how-it-works',
    wide: true,
    styles: [publicStyle],
    head: html`<meta name="description" content="${explained.description}">
${addressLinks(`${baseUrl}/how-it-works`)}`,
    body: html`<article class="explained">
<h1>${explained.title}</h1>
<p class="lead">${explained.lead}</p>
<nav aria-label="${explained.onThisPage}"><ul class="contents">${contents}</ul></nav>
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

const emphasized: Slot = (words) => html`<em>${words}</em>`
const strong: Slot = (words) => html`<strong>${words}</strong>`

function code(text: string): Html {
  return html`<code>${text}</code>`
}

const receiptPart = part(
  'receipt',
  html`<p>${explained.receiptText}</p>
${codeBlock(
  explained.receiptExample,
  `ark            ark:/12345/k2…
version        1
receipt_id     rcpt_2026_11_21_…
statement      registered
timestamp      2026-11-21T21:25…
metadata_hash  sha256:f8089b7f…
content_hash   sha256:60cffdae…
signature      Ed25519 …`,
)}
<p>${explained.receiptHashes}</p>`,
)

const logPart = part(
  'log',
  html`<p>${explained.logText}</p>
${merkleFigure()}
<p>${explained.logProofs({ em: emphasized })}</p>`,
)

const claims: readonly (readonly [claim: Text, proven: Text])[] = [
  [explained.metadata, explained.metadataProven],
  [explained.file, explained.fileProven],
  [explained.later, explained.laterProven],
  [explained.unchanged, explained.unchangedProven],
  [explained.time, explained.timeProven],
  [explained.between, explained.betweenProven],
  [explained.same, explained.sameProven],
  [explained.names, explained.namesProven],
  [explained.right, explained.rightProven],
]

const claimTable = table(explained.table, claims, [
  [explained.that, ([claim]) => claim],
  [explained.isProven, ([, proven]) => proven],
])

const provenPart = part(
  'proven',
  html`${claimTable}
<p>${explained.noNames}</p>`,
)

function checkPart(baseUrl: string, ark: string): Html {
  return part(
    'check',
    html`<p>${explained.inBrowser({ button: landing.checkReceipt, strong })}</p>
<p>${explained.onMachine({ strong })}</p>
${codeBlock(
  explained.saveCommands,
  `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -s ${baseUrl}/api/v1/receipts/${ark}/v1 > receipt.json
arklog verify receipt.json --keys keys.json`,
)}
<p class="hint">${explained.fromSource({
      program: code('arklog'),
      command: code('npm run -s arklog --'),
    })}</p>
<p>${explained.checkSteps({ em: emphasized, option: code('--metadata') })}</p>`,
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
  html`<p>${explained.byHandText({ receipt: code('receipt.json'), keys: code('keys.json') })}</p>
${codeBlock(explained.signatureCommands, signatureCheck)}
<p>${explained.checkpointText({ link: specification('tlog-checkpoint') })}</p>
${codeBlock(explained.checkpointCommands, checkpointCheck)}
<p>${explained.inclusionText}</p>
${codeBlock(explained.inclusionProgram, inclusionCheck)}`,
)

function specification(name: string): Html {
  return html`<a href="https://c2sp.org/${name}" rel="noreferrer" translate="no" dir="ltr"
>c2sp.org/${name}</a>`
}

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
    html`<p>${explained.newestText}</p>
${codeBlock(
  explained.newestCommand,
  `arklog verify --newest receipt.json --keys keys.json --policy policy.txt --within 2h`,
)}
<p>${explained.mapAsk}</p>
${codeBlock(
  explained.mapCommands,
  `curl -s "${baseUrl}/v1/map/$(jq -r .ark receipt.json)" > map.json
${mapCheckpointCheck}`,
)}
<p>${explained.mapWay}</p>
${codeBlock(explained.mapProgram, mapCheck)}
<p class="hint">${explained.mapHint({
      command: code('arklog verify --newest'),
      link: asLink('/docs/guides/map'),
    })}</p>`,
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
    html`<p>${explained.witnessText} ${witnessesInForce(policyText)}</p>
<p>${explained.witnessTimes({
      member: code('witnessed_checkpoint'),
      before: code('before'),
      after: code('covers'),
    })}</p>
${codeBlock(explained.witnessCommands, witnessCheck)}
<p class="hint">${explained.witnessHint({
      policy: code('witness_policy'),
      file: code('keys.json'),
      command: code('arklog verify --policy'),
    })}</p>`,
  )
}

function witnessesInForce(policyText: string): Wording {
  const policy = policyText === '' ? undefined : parsePolicy(policyText)
  if (policy?.quorum === undefined) return explained.noWitnesses({ strong })
  const names = policy.witnesses.filter(isVerifiable).map(({ name }) => name)
  const address = '/v1/log/witnesses'
  return explained.theWitnesses({
    strong,
    names: list(names, 'unit'),
    quorum: quorumText(policy.quorum),
    address: html`<a href="${address}">${code(address)}</a>`,
  })
}

const keysPart = part(
  'keys',
  html`<p>${explained.keysText({
    link: asLink('/.well-known/svc-keys.json'),
  })} ${explained.rotations({ command: code('arklog verify'), option: code('--rotations') })}</p>
<p>${explained.keysApart}</p>`,
)

function monitorsPart(baseUrl: string): Html {
  return part(
    'monitors',
    html`<p>${explained.monitorText}</p>
${codeBlock(
  explained.monitorCommand,
  `arklog monitor ${baseUrl} --keys keys.json --state ./monitor`,
)}
<p>${explained.monitorTiles({
      link: specification('tlog-tiles'),
      checkpoint: html`<a href="/log/checkpoint">${code('/log/checkpoint')}</a>`,
      tiles: code('/log/tile/…'),
      pages: asLink('/log'),
    })}</p>`,
  )
}
