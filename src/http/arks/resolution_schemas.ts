import { Type } from 'typebox'

import { receiptSchema } from '#src/http/log/proof_schemas.ts'
import { nextDescription, pageLinksSchema } from '#src/edge/list_page.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  agentType,
  arkIdentifier,
  contentHash,
  fixityReason,
  fixityStatus,
  linksSchema,
  receiptId,
  sourceSchema,
  version,
} from '#src/http/kit/work_members.ts'
import { metadataSchema } from '#actors/works/request_checks.ts'

const contentSchema = component('Content', {
  url: Type.String({
    description: 'Where the content is: the `work_url`, or else the address of the DOI.',
  }),
  hash: contentHash,
  hash_source: nullable(
    Type.String({ title: 'HashSource', enum: ['declared', 'fetched'] }),
    'Whether the registrant declared the hash or the registry computed it; null without one.',
  ),
  media_type: nullable(Type.String(), 'As the server named it; null until the content was read.'),
  size: nullable(Type.Integer({ minimum: 0 }), 'Bytes; null until the content was read.'),
  fixity_status: fixityStatus,
  ...fixityReason,
  checked_at: nullable(time, 'When the content was last checked; null if it never was.'),
})

const shownClaim = component(
  'AuthorClaim',
  {
    ppid: Type.String({ examples: ['p0h4kq2m7xz3'] }),
    orcid: Type.Optional(Type.String({ examples: ['0000-0002-1825-0097'] })),
    status: Type.Literal('verified'),
    basis: Type.String({
      title: 'ClaimBasis',
      enum: ['registrant', 'orcid', 'admin'],
      description:
        'Who or what verified it: the registrant of the work, an administrator, or an ORCID iD ' +
        'that the person has signed in with.',
    }),
    confirmed_by: Type.Array(
      Type.String({ title: 'ClaimConfirmation', enum: ['registrant', 'orcid', 'admin', 'person'] }),
      {
        description:
          'All on whose word it rests. `person`: the person has said so themselves, and not only ' +
          'an application that they permit. Of a work that the person has registered: this alone.',
      },
    ),
  },
  { description: 'A person who is this author, as far as their profile is public.' },
)

const unplacedClaim = component('UnplacedClaim', {
  ...shownClaim.properties,
  name: Type.Optional(Type.String({ description: 'What the person is called, if they show it.' })),
})

const author = component(
  'Author',
  { name: Type.String(), claims: Type.Array(shownClaim) },
  {
    additionalProperties: true,
    description: 'With the fields that `author_details` gives for the author.',
  },
)

/** What an ARK stands for. */
export const resolutionSchema = component('Resolution', {
  ark: arkIdentifier,
  requested: Type.String({ description: 'The ARK as it was asked for.' }),
  status: Type.Literal('registered'),
  version,
  latest_version: version,
  is_latest: Type.Boolean(),
  created_at: time,
  updated_at: time,
  registered_at: Type.String({
    ...time,
    description:
      'When this version was registered. The receipt has the time of its newest statement, ' +
      'which may be about the content and days younger.',
  }),
  metadata: metadataSchema,
  content: contentSchema,
  receipt: receiptSchema,
  identifiers: Type.Array(component('Identifier', { type: Type.String(), value: Type.String() })),
  authors: Type.Array(author),
  unplaced_claims: Type.Optional(
    Type.Array(unplacedClaim, {
      description:
        'People who are verified to be authors of the work, where nothing says which of them.',
    }),
  ),
  source: sourceSchema,
  links: linksSchema,
})

const historyEvent = component('HistoryEvent', {
  seq: Type.Integer({ minimum: 0 }),
  at: time,
  type: Type.String({
    enum: [
      'work.registered',
      'work.versioned',
      'work.fixity_changed',
      'work.withdrawn',
      'work.erased',
      'work.metadata_lost',
    ],
  }),
  version,
  by: component('HistoryAgent', {
    type: agentType,
    name: Type.String(),
    organization: nullable(Type.String(), 'Its slug; null if it was not an organization.'),
  }),
  changed_fields: Type.Array(Type.String()),
  receipt_id: receiptId,
  fixity_status: Type.Optional(fixityStatus),
  reason: Type.Optional(fixityReason.reason),
  message: Type.Optional(fixityReason.message),
})

/**
 * A page of what happened to a work, newest first unless told. Only `work.fixity_changed` has a
 * fixity status and its reason: a check that found nothing new is no event. `work.erased` has the
 * reason for which the metadata was erased; `work.metadata_lost` says that what the registry had of
 * the work is lost, while the log proves that it was registered.
 */
export const historySchema = component('History', {
  ark: arkIdentifier,
  events: Type.Array(historyEvent),
  next: nullable(Type.Integer({ minimum: 0 }), nextDescription),
  links: pageLinksSchema,
})
