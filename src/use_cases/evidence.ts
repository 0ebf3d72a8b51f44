import { hash } from 'node:crypto'

import type { NotFound, Rendered } from '#actors/registry/catalogue/port.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import type { EvidenceFile } from '#src/client/verify/types.ts'
import { publishedKeys } from '#src/use_cases/published_keys.ts'
import type { VersionLookup } from '#src/use_cases/work_lookup.ts'

// How to check the file, for people who have nothing but it.
const about = [
  'This file is evidence that a scholarly work was registered, and when. It holds all that is',
  'needed to check that without the registry that made it, and without a network.',
  '',
  'What it says: receipt.ark is the name of the work, receipt.timestamp the time at which the',
  'registry says that it made this statement, receipt.content_hash the SHA-256 of the',
  'content, and metadata what was registered, as one text.',
  '',
  'What proves it:',
  '1. The SHA-256 of the text in metadata is receipt.metadata_hash; that of the content, if',
  '   you have it, is receipt.content_hash.',
  '2. The key receipt.signature.public_key has signed the statement (Ed25519). The keys of',
  '   the registry are in keys.receipt_keys: each is announced by a rotation that the one',
  '   before signed.',
  '3. The statement with its signature is an entry of a public log: the hashes in',
  '   receipt.chain_proof lead from it to the root in receipt.chain_proof.checkpoint (RFC',
  '   9162).',
  '4. The log has signed that checkpoint, with the key in keys.log.vkey.',
  '5. Witnesses, run by others, have signed it too, each with the time of its own clock.',
  '   policy names them and their keys, and says how many are needed. So all were shown the',
  '   same log, and the statement is older than these signatures.',
  '6. receipt.witnessed_checkpoint is the SHA-256 of an earlier checkpoint with its',
  '   signatures, which nobody could know before they were made. It is carried in the line',
  '   arklog/witnessed-before. So the statement is younger than those. Between both lies the',
  '   time that is proven.',
  '7. newest is a later checkpoint, and proves that the log went on without changing what it',
  '   had.',
  '',
  'What you must trust: keys that come with a file prove only that all of it fits together.',
  'Compare keys.log.vkey, the first of keys.receipt_keys and the keys in policy with what',
  'you, a library or an archive saved earlier. If one kind of signature (Ed25519 or',
  'ML-DSA-44) has been broken by the time you read this, count only the other, from before',
  'that day.',
  '',
  'How to check it: python3 verify.py FILE --keys svc-keys.json, with the program that the',
  'registry served at /verify.py and that needs nothing but Python; or arklog verify FILE',
  '--keys svc-keys.json; or the page /verify of a registry. The formats are those of C2SP',
  '(c2sp.org: signed-note, tlog-checkpoint, tlog-cosignature, tlog-policy), RFC 9162, RFC',
  '8032, FIPS 204 and RFC 8785. What is signed by the receipt key is the line',
  '"svc-receipt-v1", a line feed, and the canonical JSON (RFC 8785) of the receipt without',
  'signature, fixity_status and chain_proof; the entry of the log is the canonical JSON of',
  'that with signature. Nothing signs fixity_status.',
]

/**
 * The evidence file of a version (docs/evidence.md): its receipt and all that is needed to verify
 * it, as JSON, the same as long as nothing of that changes. `now` is a time as receipts spell it.
 */
export async function evidenceOf(
  named: VersionLookup,
  environments: ServedEnvironments,
  baseUrl: string,
  now: string,
): Promise<Rendered | NotFound> {
  const { environment, ark, version } = named
  const found = await environment.catalogue.receipt(ark, version)
  if (found.type !== 'found') return found
  const receipt = JSON.parse(Buffer.from(found.body).toString()) as EvidenceFile['receipt']
  const { sandbox, ...live } = publishedKeys(environments, baseUrl, now)
  const { log, receipt_keys } = environment.name === 'sandbox' ? sandbox : live
  const { origin, vkey, url } = log
  const file: EvidenceFile = {
    format: 'arklog-evidence-v1',
    about,
    environment: environment.name,
    receipt,
    metadata: environment.catalogue.metadataText(ark, version) ?? null,
    keys: { log: { origin, vkey, url }, receipt_keys },
    policy: log.witness_policy,
    newest: newestAfter(environment.log, receipt.chain_proof.tree_size),
  }
  const body = Buffer.from(`${JSON.stringify(file, null, 1)}\n`)
  return { ...found, body, etag: `"${hash('sha256', body)}"` }
}

/** The newest witnessed checkpoint, and that it continues the tree of a size. */
function newestAfter(
  log: VersionLookup['environment']['log'],
  treeSize: number,
): EvidenceFile['newest'] {
  const { witnessed } = log.cosigned()
  if (witnessed === undefined || witnessed.treeSize < treeSize) return null
  const proof = witnessed.treeSize === treeSize ? [] : log.consistency(treeSize, witnessed.treeSize)
  return { checkpoint: witnessed.checkpoint, consistency_proof: proof.map(encodeHex) }
}
