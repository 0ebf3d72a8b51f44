import { Type } from 'typebox'

import { nextDescription, pageLinksSchema } from '#src/edge/list_page.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  fixityStatus,
  linksSchema,
  version,
  workStatus,
} from '#src/http/kit/work_members.ts'

/** An organization as everybody may see it. */
export const organizationSchema = component('Organization', {
  slug: Type.String({ examples: ['brown-university'] }),
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  ror: Type.Optional(Type.String({ examples: ['https://ror.org/05gq02987'] })),
  country: Type.Optional(Type.String({ examples: ['US'] })),
  url: Type.Optional(Type.String()),
  created_at: time,
  updated_at: time,
  works_count: Type.Integer({ description: 'Works it has registered that are not withdrawn.' }),
  people_count: Type.Integer({
    description: 'People with a verified claim to a work that it has registered.',
  }),
  set_spec: Type.String({ description: 'The set of its works, where records are harvested.' }),
  unchanged: Type.Optional(Type.Literal(true)),
  links: component('OrganizationLinks', {
    self: Type.String(),
    works: Type.String(),
    page: Type.String(),
  }),
})

/** A page of the works that an organization has registered, newest first unless told. */
export const organizationWorksSchema = component('OrganizationWorkPage', {
  organization: Type.String(),
  works: Type.Array(
    component('OrganizationWork', {
      ark_identifier: arkIdentifier,
      work_title: nullable(Type.String(), 'Null once the metadata was erased.'),
      version,
      status: workStatus,
      fixity_status: fixityStatus,
      created_at: time,
      updated_at: time,
      links: linksSchema,
    }),
  ),
  next: nullable(Type.Integer(), nextDescription),
  links: pageLinksSchema,
})
