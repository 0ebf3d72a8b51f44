import { Type } from 'typebox'

import { fieldFaultSchema, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  contentHash,
  fixityStatus,
  linksSchema,
  receiptId,
  sha256Hash,
  sourceSchema,
  version,
  versionSchema,
} from '#src/http/kit/work_members.ts'

const identity = {
  svc_id: Type.String(),
  ark_identifier: arkIdentifier,
  work_title: Type.String(),
  work_type: Type.String(),
  created_at: time,
}

/** The body of 201: what was registered. */
export const createdWorkSchema = Type.Object({
  ...identity,
  version,
  receipt_id: receiptId,
  fixity_status: fixityStatus,
  metadata_hash: sha256Hash,
  source: sourceSchema,
  warnings: Type.Array(fieldFaultSchema),
  links: linksSchema,
})

/** The body of 200 for a dry run: the work would be registered. */
export const validWorkSchema = Type.Object({
  valid: Type.Literal(true),
  warnings: Type.Array(fieldFaultSchema),
})

/** The body of a bulk registration's reply. */
export const bulkReplySchema = Type.Object({
  results: Type.Array(
    Type.Object(
      { index: Type.Integer(), status: Type.Integer(), error: Type.Optional(Type.String()) },
      {
        additionalProperties: true,
        description: 'The body that the reply would have had if the work had been sent alone.',
      },
    ),
  ),
})

/** A work as it is read; all fields of its metadata stand beside these. */
export const workSchema = Type.Object(
  {
    ...identity,
    version,
    updated_at: time,
    status: Type.String({ enum: ['registered', 'withdrawn'] }),
    fixity_status: fixityStatus,
    receipt_id: receiptId,
    metadata_hash: sha256Hash,
    source: sourceSchema,
    links: linksSchema,
  },
  { additionalProperties: true },
)

/** A page of a work's versions, newest last. */
export const versionsSchema = Type.Object({
  ark: arkIdentifier,
  total: Type.Integer({ minimum: 1 }),
  versions: Type.Array(versionSchema),
  next: nullable(version, 'What `after` takes for the page that follows; null if none does.'),
})

/** What a change of a work answers. */
export const workChangeSchema = Type.Object({
  ark_identifier: arkIdentifier,
  version,
  kind: Type.String({ enum: ['registered', 'updated', 'versioned', 'withdrawn', 'erased'] }),
  receipt_id: receiptId,
  created_at: time,
  metadata_hash: sha256Hash,
  content_hash: contentHash,
  fixity_status: fixityStatus,
  changed_fields: Type.Array(Type.String()),
  unchanged: Type.Optional(Type.Literal(true)),
  warnings: Type.Optional(Type.Array(fieldFaultSchema)),
  source: sourceSchema,
  links: linksSchema,
})
