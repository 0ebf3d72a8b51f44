import { type TSchema, Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import type { NotFound, Rendered } from '#actors/registry/catalogue/port.ts'
import { readingAccess } from '#src/edge/admission.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { sendRendered } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, nullable, time } from '#src/edge/reply_schemas.ts'
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
  versionOfPath,
  type VersionRequest,
  versionSchema,
} from '#src/http/kit/works.ts'
import { registerMapRoutes } from '#src/http/receipts/map_routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { evidenceOf } from '#src/use_cases/evidence.ts'
import { receiptKeySchema } from '#src/use_cases/published_keys.ts'
import { existingVersion, type VersionLookup } from '#src/use_cases/work_lookup.ts'

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
})

const evidenceSchema = component('EvidenceFile', {
  format: Type.Literal('arklog-evidence-v1'),
  about: Type.Array(Type.String(), { description: 'How to check it, in plain words.' }),
  environment: Type.String({ enum: ['live', 'sandbox'] }),
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
    }),
    'The newest witnessed checkpoint, and that it continues that of the receipt; null without one.',
  ),
})

type ReceiptEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'nowMs'>

/** Receipts and proofs of versions, and what the map has of an ARK, below both prefixes. */
export function registerReceiptRoutes(server: FastifyInstance, edge: ReceiptEdge): void {
  for (const prefix of pathPrefixes) registerReads(server, edge, prefix)
  registerMapRoutes(server, edge)
}

/** Finds what proves a version that is named. */
type FindProof = (named: VersionLookup) => Promise<Rendered | NotFound>

function registerReads(server: FastifyInstance, edge: ReceiptEdge, prefix: PathPrefix): void {
  const access = readingAccess(prefix, 'read receipts', 'receipts')
  const read = (
    path: string,
    { noun, summary, schema }: { noun: string; summary: string; schema: TSchema },
    find: FindProof,
  ) => {
    const operationId = `get${access.type === 'key' ? '' : 'Public'}${noun}`
    const about = { operationId, ...conditionalRead, tags: ['receipts'], summary }
    const options = { ...edge.admit(access), schema: { ...about, response: { 200: schema } } }
    server.get(
      `${prefix}/${path}/:ark/v:version`,
      options,
      async (request: VersionRequest, reply) => {
        readQuery(request, {})
        const named = versionOfPath(edge.environments, request, reply)
        return sendProof(request, reply, existingVersion(named, await find(named)))
      },
    )
  }
  read(
    'receipts',
    {
      noun: 'Receipt',
      summary: 'The receipt of a version: its newest statement, and the proof that it is logged.',
      schema: receiptSchema,
    },
    (named) => named.environment.catalogue.receipt(named.ark, named.version),
  )
  read(
    'proofs',
    {
      noun: 'Proofs',
      summary: 'The proofs of a version: hashes, versions before it, all signatures.',
      schema: proofsSchema,
    },
    (named) => named.environment.catalogue.proofs(named.ark, named.version),
  )
  read(
    'evidence',
    {
      noun: 'Evidence',
      summary: 'All that proves a version, in one file that can be checked without the registry.',
      schema: evidenceSchema,
    },
    (named) => evidenceOf(named, edge.environments, edge.baseUrl, formatTimestamp(edge.nowMs())),
  )
}

/** Sends a receipt or a proof: they stay valid after their work is withdrawn. */
function sendProof(request: FastifyRequest, reply: FastifyReply, proof: Rendered): FastifyReply {
  return sendRendered(request, reply, { ...proof, status: 'registered' })
}
