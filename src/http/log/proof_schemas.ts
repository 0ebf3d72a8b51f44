import { Type } from 'typebox'

import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  contentHash,
  fixityReason,
  fixityStatus,
  receiptId,
  sha256Hash,
  version,
  versionSchema,
} from '#src/http/kit/work_members.ts'

const hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const hex64 = Type.String({ pattern: '^[0-9a-f]{128}$' })
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
  checkpoint: Type.String({ description: 'The signed tree head, a C2SP checkpoint.' }),
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

const fixityCheck = component('FixityCheck', {
  timestamp: Type.String({ format: 'date-time', description: 'When the check ended.' }),
  status: Type.String({
    enum: ['verified', 'failed', 'unreachable'],
    description: 'The fixity status after it.',
  }),
  method: Type.Literal('remote_fetch', { description: 'The registry itself read the address.' }),
  version: Type.Integer({ minimum: 1, description: 'The version that was checked.' }),
  final_url: nullable(
    Type.String(),
    'The address that answered, after redirects; without a query that may hold a secret.',
  ),
  http_status: nullable(Type.Integer(), 'Status of the reply; null if no reply came.'),
  bytes: nullable(count, 'Length of the content; null if none was read to its end.'),
  media_type: nullable(Type.String(), 'As the server names it; null if the server names none.'),
  sha256: nullable(hex32, 'Hash of what was read; null if nothing was.'),
  sha512: nullable(hex64, 'Another hash of the same.'),
  ...fixityReason,
})

/** The proofs of a version. */
export const proofsSchema = component('Proofs', {
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
