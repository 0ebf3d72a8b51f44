import { hash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import type { NotFound, Rendered } from '#actors/registry/catalogue/port.ts'
import { type Parameters, readQuery } from '#src/edge/query_string.ts'
import { sendRendered } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  arkIdentifier,
  contentHash,
  fixityCheck,
  fixityReason,
  fixityStatus,
  hex32,
  hex64,
  receiptId,
  sha256Hash,
  version,
  shownWorkOfPath,
  versionOfPath,
  type VersionRoute,
  versionSchema,
} from '#src/http/kit/works.ts'
import {
  mapProofMembers,
  mapProofSchema,
  proofParameters,
  registerMapRoutes,
} from '#src/http/receipts/map_routes.ts'
import { mapRecordOf, withMapProof } from '#src/use_cases/map_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { publishedKeys, receiptKeySchema } from '#src/use_cases/published_keys.ts'
import { existingVersion, type VersionLookup } from '#src/use_cases/work_lookup.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { checkpointIn } from '#src/client/verify/checkpoint.js'
import type { EvidenceFile } from '#src/client/verify/types.ts'

const count = Type.Integer({ minimum: 0 })

const statementKind = Type.String({
  title: 'StatementKind',
  enum: ['registered', 'content', 'tombstoned'],
  description:
    'What is stated: `registered` when the version was made, `content` when its content was ' +
    'first hashed, `tombstoned` when the work was withdrawn.',
})

const chainProof = component('ChainProof', {
  block_height: Type.Integer({ minimum: 1, description: 'The `tree_size`.' }),
  merkle_root: hex32,
  inclusion_proof: Type.Array(hex32, { description: 'From the leaf upwards (RFC 6962).' }),
  leaf_index: count,
  tree_size: Type.Integer({ minimum: 1 }),
  checkpoint: Type.String({
    description:
      'The signed tree head, a C2SP checkpoint. A line of `arklog/witnessed-before` carries, ' +
      'after four bytes, the checkpoint that the statement names as `witnessed_checkpoint`: the ' +
      'statement was made after its cosignatures, and before those of this one.',
  }),
})

const algorithm = Type.Literal('Ed25519')

/** A receipt: the newest statement about a version, its signature, and that it is in the log. */
export const receiptSchema = component(
  'Receipt',
  {
    statement: statementKind,
    ark: arkIdentifier,
    version,
    receipt_id: receiptId,
    timestamp: time,
    content_hash: contentHash,
    metadata_hash: sha256Hash,
    reason: Type.Optional(
      Type.String({ description: 'Of a tombstone: why the work was withdrawn.' }),
    ),
    by: Type.Optional(
      Type.Literal('operator', {
        description: 'Of a tombstone: the operator of the registry withdrew it, not its owner.',
      }),
    ),
    witnessed_checkpoint: Type.Optional(
      Type.String({
        pattern: '^sha256:[0-9a-f]{64}$',
        description:
          'SHA-256 of the newest checkpoint that witnesses had signed, cosignatures included. ' +
          'Absent without witnesses.',
      }),
    ),
    signature: component('Signature', { algorithm, public_key: hex32, signature: hex64 }),
    fixity_status: fixityStatus,
    chain_proof: chainProof,
  },
  {
    description:
      'What is signed is `svc-receipt-v1`, a line feed, and all members but `signature`, ' +
      '`fixity_status` and `chain_proof` as canonical JSON (RFC 8785). With `signature` they are ' +
      'the log entry. Nothing signs `fixity_status`.',
  },
)

/** The proofs of a version. */
const proofsSchema = component('Proofs', {
  ark: arkIdentifier,
  version,
  latest_version: version,
  content_proofs: component('ContentProofs', {
    sha256: nullable(hex32, 'Hash of the content, declared or fetched; null if not known yet.'),
    sha512: nullable(hex64, 'Another hash of it; null until it was fetched.'),
    ...fixityReason,
    fixity_checks: Type.Array(fixityCheck, {
      description: 'The checks of the content, oldest first; of many, the newest.',
    }),
  }),
  provenance_chain: Type.Array(versionSchema, {
    description:
      'All versions of the work, those after this one too, oldest first; of very many, the newest.',
  }),
  signatures: Type.Array(
    component('SignedStatement', {
      statement: statementKind,
      receipt_id: receiptId,
      timestamp: time,
      algorithm,
      public_key: hex32,
      key_id: Type.String(),
      signature: hex64,
      chain_proof: chainProof,
    }),
    { description: 'All statements about the version, oldest first.' },
  ),
  tlog_proof: Type.String({ description: 'The newest statement’s proof, as C2SP tlog-proof.' }),
  map_proof: Type.Optional(mapProofSchema),
})

const evidenceSchema = component('EvidenceFile', {
  format: Type.Literal('arklog-evidence-v1'),
  about: Type.Array(Type.String(), { description: 'How to check it, in plain words.' }),
  environment: wordOf('EnvironmentName', ['live', 'sandbox']),
  receipt: receiptSchema,
  metadata: nullable(
    Type.String(),
    'The metadata as one text, whose SHA-256 is `metadata_hash`; null once withdrawn or erased.',
  ),
  keys: component('EvidenceKeys', {
    log: component('EvidenceLog', {
      origin: Type.String(),
      vkey: Type.String(),
      url: Type.String(),
    }),
    receipt_keys: Type.Array(receiptKeySchema),
  }),
  policy: nullable(Type.String(), 'Whose cosignatures checkpoints carry, as C2SP tlog-policy.'),
  newest: nullable(
    component('NewestCheckpoint', {
      checkpoint: Type.String(),
      consistency_proof: Type.Array(hex32, { description: 'From the checkpoint of the receipt.' }),
      map: Type.Optional(
        component('NewestMap', mapProofMembers, {
          description: 'What the map of that checkpoint has of the ARK, if the log has a map.',
        }),
      ),
    }),
    'The newest witnessed checkpoint, and that it continues that of the receipt; null without one.',
  ),
})

type ReceiptEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'nowMs' | 'suspensions'
>

/** Finds what proves a version that is named. */
type FindProof = (named: VersionLookup, edge: ReceiptEdge) => Promise<Rendered | NotFound>

type ProofRoute = Route<ReceiptEdge, VersionRoute['Params']>

/** The route of what proves a version; `noun` is how operations call it. */
function proofRoute(
  name: string,
  described: {
    readonly noun: string
    readonly summary: string
    readonly schema: TSchema
    /** Whether the metadata of the version is in it. */
    readonly hasMetadata?: boolean
  },
  find: FindProof,
  parameters?: Parameters,
): ProofRoute {
  const { noun, summary, schema, hasMetadata = false } = described
  return {
    method: 'GET',
    path: `/${name}/:ark/v:version`,
    demands: { type: 'reading', right: 'read receipts', limit: 'receipts' },
    ...(parameters && { parameters }),
    operationId: `get${noun}`,
    publicOperationId: `getPublic${noun}`,
    ...conditionalRead,
    summary,
    response: { 200: schema },
    async handle(edge, request, reply) {
      const { proof } = readQuery(request, parameters ?? {})
      const named = versionOfPath(edge.environments, request, reply)
      if (hasMetadata) shownWorkOfPath(edge, request, reply)
      const found = existingVersion(named, await find(named, edge))
      const shown = proof === undefined ? found : await withMapProof(named, found)
      return sendProof(request, reply, shown)
    },
  }
}

const proofRoutes: readonly ProofRoute[] = [
  proofRoute(
    'receipts',
    {
      noun: 'Receipt',
      summary: 'The receipt of a version: its newest statement, and the proof that it is logged.',
      schema: receiptSchema,
    },
    ({ environment, ark, version: number }) => environment.catalogue.receipt(ark, number),
  ),
  proofRoute(
    'proofs',
    {
      noun: 'Proofs',
      summary: 'The proofs of a version: hashes, versions before it, all signatures.',
      schema: proofsSchema,
    },
    ({ environment, ark, version: number }) => environment.catalogue.proofs(ark, number),
    proofParameters,
  ),
  proofRoute(
    'evidence',
    {
      noun: 'Evidence',
      summary: 'All that proves a version, in one file that can be checked without the registry.',
      schema: evidenceSchema,
      hasMetadata: true,
    },
    (named, edge) =>
      evidenceOf(named, edge.environments, edge.baseUrl, formatTimestamp(edge.nowMs())),
  ),
]

/** Receipts and proofs of versions, and what the map has of an ARK, below both prefixes. */
export function registerReceiptRoutes(server: FastifyInstance, edge: ReceiptEdge): void {
  registerRoutes(server, edge, 'receipts', proofRoutes)
  registerMapRoutes(server, edge)
}

/** Sends a receipt or a proof: they stay valid after their work is withdrawn. */
function sendProof(request: FastifyRequest, reply: FastifyReply, proof: Rendered): FastifyReply {
  return sendRendered(request, reply, { ...proof, status: 'registered' })
}

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
  '   had. newest.map, if it is there, is what the map of the whole registry had of the work at',
  '   that checkpoint: whether there was a newer version then, or the work was withdrawn.',
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
  const { environment, ark } = named
  const found = await environment.catalogue.receipt(ark, named.version)
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
    metadata: environment.catalogue.metadataText(ark, named.version) ?? null,
    keys: { log: { origin, vkey, url }, receipt_keys },
    policy: log.witness_policy,
    newest: await newestAfter(named, receipt.chain_proof.tree_size, log.witness_policy !== null),
  }
  const body = Buffer.from(`${JSON.stringify(file, null, 1)}\n`)
  return { ...found, body, etag: `"${hash('sha256', body)}"` }
}

/**
 * The newest checkpoint whose map can be proven, with what that has of the ARK, or else the newest
 * that is witnessed; and that it continues the tree of a size. With witnesses they have signed it.
 */
async function newestAfter(
  { environment, ark }: VersionLookup,
  treeSize: number,
  isWitnessed: boolean,
): Promise<EvidenceFile['newest']> {
  const { log } = environment
  const continued = (size: number) =>
    (size === treeSize ? [] : log.consistency(treeSize, size)).map(encodeHex)
  const { witnessed } = log.cosigned()
  const record = await mapRecordOf(environment, ark)
  if (record !== undefined) {
    const { checkpoint, ...map } = record.map_proof
    const { treeSize: size } = checkpointIn(checkpoint)
    const head = log.provingHead(size - 1)
    const isSigned = !isWitnessed || (head.number !== undefined && head.treeSize === size)
    if (size >= treeSize && isSigned) {
      return { checkpoint, consistency_proof: continued(size), map }
    }
  }
  if (witnessed === undefined || witnessed.treeSize < treeSize) return null
  const consistency_proof = continued(witnessed.treeSize)
  return { checkpoint: witnessed.checkpoint, consistency_proof }
}
