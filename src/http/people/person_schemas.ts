import { type TProperties, Type } from 'typebox'

import { pageMembers } from '#src/edge/list_page.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import { arkIdentifier, sourceSchema, version } from '#src/http/kit/works.ts'

const ppid = Type.String({ examples: ['p7k2m9xq4wbd'] })

const visibility = Type.String({
  title: 'Visibility',
  enum: ['public', 'trusted', 'private'],
  description:
    'Who sees it: everybody, applications with the permission of the person, or only the person.',
})

const itemStatus = Type.String({
  title: 'ItemStatus',
  enum: ['active', 'hidden', 'contested', 'deleted'],
  description: 'Hidden by the person from all others, or said by them to be wrong.',
})

function itemSchema(name: string, fields: TProperties) {
  return component(name, {
    ...fields,
    id: Type.String(),
    source: sourceSchema,
    visibility,
    status: itemStatus,
    contest_reason: Type.Optional(Type.String()),
    created_at: time,
    updated_at: time,
  })
}

const optionalText = Type.Optional(Type.String())

/** The replies about one affiliation or one education record. */
export const itemReplySchemas = {
  affiliation: itemSchema('Affiliation', {
    organization: Type.String({ examples: ['Brown University'] }),
    role: optionalText,
    department: optionalText,
    start_year: optionalText,
    end_year: optionalText,
    ror: optionalText,
  }),
  education: itemSchema('Education', {
    degree: optionalText,
    institution: Type.String({ examples: ['University of London'] }),
    year: optionalText,
    ror: optionalText,
  }),
} as const

const pagePlace = pageMembers(Type.String())

/** The lists of a person's items. */
export const itemListSchemas = {
  affiliation: component('AffiliationList', {
    affiliations: Type.Array(itemReplySchemas.affiliation),
    ...pagePlace,
  }),
  education: component('EducationList', {
    education: Type.Array(itemReplySchemas.education),
    ...pagePlace,
  }),
} as const

/** A claim, as far as the caller sees it. */
export const claimSchema = component('Claim', {
  claim_id: Type.String({ pattern: '^claim_' }),
  ark_identifier: arkIdentifier,
  ppid,
  status: Type.String({
    title: 'ClaimStatus',
    enum: ['pending', 'verified', 'rejected', 'disputed', 'withdrawn'],
  }),
  waits_for: Type.Optional(
    Type.String({
      title: 'ClaimSide',
      enum: ['researcher', 'registrant'],
      description: 'Who has yet to answer while the claim is pending.',
    }),
  ),
  basis: Type.Optional(
    Type.String({
      title: 'ClaimBasis',
      enum: ['registrant', 'orcid', 'admin'],
      description:
        'Who or what verified it: the registrant of the work, an administrator, or an ORCID iD ' +
        'that the work names.',
    }),
  ),
  author_position: Type.Optional(Type.Integer({ minimum: 1 })),
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Why it was contested.' })),
  blocked: Type.Optional(
    Type.Literal(true, { description: 'The person says that the work is not theirs.' }),
  ),
  created_at: time,
  updated_at: time,
  source: sourceSchema,
})

/** A page of claims. */
export const claimsSchema = component('ClaimPage', {
  claims: Type.Array(claimSchema),
  ...pageMembers(Type.String()),
})

const claimReviewSchema = component(
  'ClaimReview',
  {
    work_title: Type.String(),
    authors: Type.Array(Type.String(), { description: 'The first 50.' }),
    authors_count: Type.Integer({ minimum: 0 }),
    author_position: Type.Optional(Type.Integer({ minimum: 1 })),
    author: Type.Optional(
      component(
        'ClaimedAuthor',
        { name: Type.String(), orcid: optionalText },
        { description: 'The author at the position that is claimed.' },
      ),
    ),
    claimant: component(
      'Claimant',
      { name: optionalText, orcid: optionalText },
      { description: 'The person who claims it, as far as their profile is public.' },
    ),
    mismatches: Type.Array(
      component('ClaimMismatch', {
        code: Type.String({
          enum: ['no_place', 'no_such_author', 'name_differs', 'name_hidden', 'orcid_differs'],
        }),
        message: Type.String(),
      }),
      { description: 'What speaks against it: `confirm` then needs `confirm_mismatch`.' },
    ),
  },
  { description: 'The claim, compared with its work as it is now.' },
)

/** A page of claims that wait for a reviewer. */
export const waitingClaimsSchema = component('WaitingClaimPage', {
  claims: Type.Array(
    component('WaitingClaim', {
      ...claimSchema.properties,
      review: nullable(claimReviewSchema, 'Null once the metadata of the work has been erased.'),
      links: component('ClaimLinks', { profile: Type.String() }),
    }),
  ),
  ...pageMembers(Type.Integer()),
})

/** The addresses of a person. */
export const personLinksSchema = component('PersonLinks', {
  self: Type.String(),
  page: Type.String(),
})

/** A person, as far as the caller sees them. */
export const personSchema = component('Person', {
  ppid,
  name: optionalText,
  username: optionalText,
  avatar_url: optionalText,
  orcid: Type.Optional(Type.String({ examples: ['0000-0002-1825-0097'] })),
  orcid_authenticated: Type.Optional(
    Type.Boolean({ description: 'Whether the person has signed in at ORCID with it.' }),
  ),
  email: optionalText,
  email_verified: Type.Optional(Type.Boolean()),
  bio: optionalText,
  urls: Type.Optional(
    Type.Array(component('PersonUrl', { name: Type.Optional(Type.String()), url: Type.String() })),
  ),
  claims: Type.Array(claimSchema, { description: 'The newest 100.' }),
  affiliations: Type.Array(itemReplySchemas.affiliation),
  education: Type.Array(itemReplySchemas.education),
  works_count: Type.Optional(
    Type.Integer({ description: 'Works with a verified claim of the person.' }),
  ),
  visibility: Type.Optional(
    Type.Record(Type.String(), visibility, {
      title: 'VisibilityOfFields',
      description: 'Shown only to the person.',
    }),
  ),
  created_at: Type.Optional(time),
  updated_at: Type.Optional(time),
  changed_fields: Type.Optional(Type.Array(Type.String())),
  unchanged: Type.Optional(Type.Literal(true)),
  links: personLinksSchema,
})

/** A page of what others wrote for a person. */
export const writesSchema = component('WritePage', {
  writes: Type.Array(
    component('Write', {
      position: Type.Integer({
        description: 'The number of the write, by which it can be undone.',
      }),
      at: time,
      by: sourceSchema,
      key_id: Type.Optional(Type.String({ description: 'The key of the person that wrote it.' })),
      type: Type.String({ examples: ['ItemAdded', 'WorkRegistered'] }),
      item: Type.Optional(
        component('WrittenItem', { id: Type.String(), kind: Type.String(), status: itemStatus }),
      ),
      ark_identifier: Type.Optional(arkIdentifier),
      version: Type.Optional(version),
      diff: Type.Array(
        component('WriteDifference', {
          field: Type.String(),
          before: Type.Unknown(),
          after: Type.Unknown(),
        }),
        { description: 'What it changed; null is what was not there.' },
      ),
      undoable: Type.Boolean({
        description: 'Whether it can be undone, unless something has been changed since.',
      }),
      undone_at: Type.Optional(time),
    }),
  ),
  ...pageMembers(Type.Integer()),
})

/** What became of an undo. */
export const undoneSchema = component('UndoneWrite', {
  position: Type.Integer(),
  undone: Type.Literal(true),
  unchanged: Type.Optional(Type.Literal(true, { description: 'It was undone before.' })),
})
