import { type TSchema, Type } from 'typebox'

import { metadataSchema } from '#actors/works/request_checks.ts'
import { nextDescription, pageLinksSchema } from '#src/edge/list_page.ts'
import { component, fieldFaultSchema, nullable, time } from '#src/edge/reply_schemas.ts'
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
  workStatus,
} from '#src/http/kit/work_members.ts'

const { work_title, work_type } = metadataSchema.properties as Record<string, TSchema>

const identity = {
  svc_id: Type.String(),
  ark_identifier: arkIdentifier,
  work_title: work_title as TSchema,
  work_type: work_type as TSchema,
  created_at: time,
}

/** The body of 201: what was registered. */
export const createdWorkSchema = component('CreatedWork', {
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
export const validWorkSchema = component('ValidWork', {
  valid: Type.Literal(true),
  warnings: Type.Array(fieldFaultSchema),
})

/** The body of a bulk registration's reply. */
export const bulkReplySchema = component('BulkReply', {
  results: Type.Array(
    component(
      'BulkResult',
      { index: Type.Integer(), status: Type.Integer(), error: Type.Optional(Type.String()) },
      {
        additionalProperties: true,
        description: 'The body that the reply would have had if the work had been sent alone.',
      },
    ),
  ),
})

/** A work as it is read; all fields of its metadata stand beside these. */
export const workSchema = component('Work', {
  ...metadataSchema.properties,
  ...identity,
  version,
  updated_at: time,
  status: workStatus,
  fixity_status: fixityStatus,
  receipt_id: receiptId,
  metadata_hash: sha256Hash,
  source: sourceSchema,
  links: linksSchema,
})

/** A page of a work's versions, newest last unless told. */
export const versionsSchema = component('VersionPage', {
  ark: arkIdentifier,
  total: Type.Integer({ minimum: 1 }),
  versions: Type.Array(versionSchema),
  next: nullable(version, nextDescription),
  links: pageLinksSchema,
})

/** What a change of a work answers. */
export const workChangeSchema = component('WorkChange', {
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
