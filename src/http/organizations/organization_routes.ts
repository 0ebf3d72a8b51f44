import { Type } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { workLinks } from '#actors/registry/catalogue/representation.ts'
import type {
  Organization,
  OrganizationsPage,
  OrganizationUpdateAnswer,
} from '#actors/people/organizations/events.ts'
import { organizationUpdateSchema } from '#actors/people/organizations/rules.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { may } from '#actors/values/authority.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { type Caller, environmentOf } from '#src/edge/caller.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { nameCursor, numberCursor, pageLinks, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { readQuery, textParameter } from '#src/edge/query_string.ts'
import { editedSince, recordSentBack } from '#src/edge/record_sent_back.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  arkIdentifier,
  fixityStatus,
  linksSchema,
  version,
  workStatus,
} from '#src/http/kit/works.ts'
import {
  nameOrganization,
  noOrganization,
  organizationReplies,
  organizationReply,
} from '#src/use_cases/organization_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

/** An organization as everybody may see it. */
export const organizationSchema = component('Organization', {
  slug: Type.String({ examples: ['brown-university'] }),
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  ror: Type.Optional(Type.String({ examples: ['https://ror.org/05gq02987'] })),
  country: Type.Optional(Type.String({ examples: ['US'] })),
  url: Type.Optional(Type.String()),
  parent: Type.Optional(
    Type.String({ description: 'The organization above it, such as its consortium.' }),
  ),
  created_at: time,
  updated_at: time,
  works_count: Type.Integer({ description: 'Works it has registered that are not withdrawn.' }),
  people_count: Type.Integer({
    description: 'People with a verified claim to a work that it has registered.',
  }),
  below: Type.Optional(
    component('OrganizationsBelow', {
      organizations_count: Type.Integer({ description: 'Organizations below it, at all levels.' }),
      works_count: Type.Integer({ description: 'Works of it and of all of these.' }),
    }),
  ),
  members_count: Type.Optional(
    Type.Integer({
      description: 'Its members, for keys of it, of an organization above it, and of the operator.',
    }),
  ),
  keys_count: Type.Optional(
    Type.Integer({ description: 'Its keys that can be used, for the same keys.' }),
  ),
  set_spec: Type.String({ description: 'The set of its works, where records are harvested.' }),
  unchanged: Type.Optional(Type.Literal(true)),
  links: component('OrganizationLinks', {
    self: Type.String(),
    works: Type.String(),
    page: Type.String(),
  }),
})

/** A page of the works that an organization has registered, newest first by default. */
const organizationWorksSchema = component('OrganizationWorkPage', {
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
  ...pageMembers(Type.Integer()),
})

/** A page of organizations by slug. */
const organizationsSchema = component('OrganizationPage', {
  organizations: Type.Array(organizationSchema),
  ...pageMembers(Type.String()),
})

const organizationPages = pagesOf({
  cursor: nameCursor,
  limit: 50,
  limitMax: 200,
  order: 'oldest',
})

const listParameters = {
  ...organizationPages.parameters,
  parent: textParameter(
    'Only the organizations right below this one.',
    /^[a-z0-9]+(?:-[a-z0-9]+){0,31}$/,
    'the slug of an organization',
  ),
}

type OrganizationEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'keys'>

type OrganizationParts = { readonly slug: string }

const workPages = pagesOf({
  cursor: numberCursor,
  olderName: 'before',
  limit: 50,
  limitMax: 200,
  order: 'newest',
})

// What is registered and claimed meanwhile changes nothing of the organization's record.
const { works_count, people_count, below, members_count, keys_count, updated_at } =
  organizationSchema.properties

/** Organizations, open to everyone, and their changes, below both prefixes. */
export function registerOrganizationRoutes(server: FastifyInstance, edge: OrganizationEdge): void {
  registerRoutes(server, edge, 'organizations', routes)
}

const routes: readonly Route<OrganizationEdge, OrganizationParts>[] = [
  {
    method: 'GET',
    path: '/organizations',
    demands: { type: 'public', limit: 'public_read' },
    parameters: listParameters,
    operationId: 'listOrganizations',
    summary: 'Lists organizations by slug, or those right below one.',
    description:
      'A page may have fewer than `limit` and still a `next`: it ends once it has counted the ' +
      'works of some 2,000 organizations, those below the listed ones included.',
    response: { 200: organizationsSchema },
    async handle(edge, request, reply) {
      const asked = readQuery(request, listParameters)
      const { cursor: after = '', limit, order } = organizationPages.of(asked)
      const environment = environmentOf(edge.environments, request.caller)
      // One more than the page has tells whether another page follows.
      const page = { after, limit: limit + 1, order }
      const found = await listed(environment, asked.parent, page)
      const shown = organizationReplies(edge.baseUrl, environment, found.slice(0, limit))
      const next = found.length > shown.length ? (shown.at(-1)?.slug ?? null) : null
      const organizations = shown.map((each) => ({
        ...each,
        ...countsFor(edge, request.caller, each.slug),
      }))
      cacheFor(reply, request.caller)
      return { organizations, next, links: pageLinks(edge.baseUrl, request, next) }
    },
  },
  {
    method: 'GET',
    path: '/organizations/:slug',
    demands: { type: 'public', limit: 'public_read' },
    operationId: 'getOrganization',
    summary: 'Reads an organization.',
    response: { 200: organizationSchema },
    handle(edge, request, reply) {
      const { environment, organization } = named(edge, request)
      cacheFor(reply, request.caller)
      return {
        ...organizationReply(edge.baseUrl, environment, organization),
        ...countsFor(edge, request.caller, organization.slug),
      }
    },
  },
  {
    method: 'GET',
    path: '/organizations/:slug/works',
    demands: { type: 'public', limit: 'public_read' },
    parameters: workPages.parameters,
    operationId: 'listOrganizationWorks',
    summary: 'Lists the works that an organization has registered, newest first unless told.',
    response: { 200: organizationWorksSchema },
    async handle(edge, request, reply) {
      const page = workPages.read(request)
      const { environment, organization } = named(edge, request)
      const owner = { type: 'organization', id: organization.slug } as const
      const held = await environment.holdings.works(owner, page)
      const works = held.works.map((work) => ({
        ...work,
        links: workLinks(edge.baseUrl, work.ark_identifier, work.version),
      }))
      reply.header('cache-control', 'no-cache')
      const links = pageLinks(edge.baseUrl, request, held.next)
      return { organization: organization.slug, works, next: held.next, links }
    },
  },
  {
    method: 'PUT',
    path: '/organizations/:slug',
    demands: { right: 'manage organizations', limit: 'works_update' },
    isCheckedByRules: true,
    operationId: 'updateOrganization',
    requestHeaders: ['X-Admin-Code'],
    summary: 'Changes the record of an organization.',
    description: 'For administrators: a key with `admin:*`, and a one-time code in `X-Admin-Code`.',
    body: organizationUpdateSchema,
    response: { 200: organizationSchema },
    async handle(edge, request) {
      const { environment, organization: before } = named(edge, request)
      const { body } = request
      const sentBack = await recordSentBack(body, {
        update: organizationUpdateSchema,
        edition: { updated_at },
        moving: { works_count, people_count, below, members_count, keys_count },
        read: () => ({
          ...organizationReply(edge.baseUrl, environment, before),
          ...countsFor(edge, request.caller, before.slug),
        }),
      })
      const command = { slug: before.slug, body, ...sentBack, by: knownCaller(request).agent }
      const answer = await environment.organizations.update(command)
      return {
        ...organizationReply(edge.baseUrl, environment, updated(answer)),
        ...(answer.type === 'unchanged' && { unchanged: true }),
      }
    },
  },
]

/** What keys of the organization, of those above it and of the operator read besides. */
function countsFor(
  { keys, environments }: Pick<OrganizationEdge, 'keys' | 'environments'>,
  caller: Caller,
  slug: string,
) {
  const { organizations } = environmentOf(environments, caller)
  const by = caller.kind === 'anonymous' ? undefined : caller.agent
  const isTheirs = [slug, ...organizations.above(slug)].some((each) =>
    may(by, 'organization', 'read counts', { members: [], slug: each }),
  )
  if (!isTheirs) return {}
  const owned = keys.list({ type: 'organization', id: slug })
  return {
    members_count: organizations.members(slug)?.length ?? 0,
    keys_count: owned.filter(({ state }) => state === 'active').length,
  }
}

/** What a key is shown is for nobody else. */
function cacheFor(reply: FastifyReply, { kind }: Caller): void {
  if (kind === 'anonymous') reply.header('cache-control', 'no-cache')
  else keepPrivate(reply)
}

async function listed(
  { organizations }: ServedEnvironment,
  parent: string | undefined,
  page: OrganizationsPage,
): Promise<readonly Organization[]> {
  if (parent === undefined) return organizations.list(page)
  const { after, limit, order } = page
  const slugs = organizations.below(parent).toSorted()
  const rest =
    order === 'newest'
      ? slugs.toReversed().filter((slug) => after === '' || slug < after)
      : slugs.filter((slug) => slug > after)
  return rest.slice(0, limit).flatMap((slug) => organizations.read(slug) ?? [])
}

function named(
  edge: OrganizationEdge,
  { caller, params }: FastifyRequest<{ Params: OrganizationParts }>,
): { readonly environment: ServedEnvironment; readonly organization: Organization } {
  const environment = environmentOf(edge.environments, caller)
  return { environment, organization: nameOrganization(environment, params.slug) }
}

function updated(answer: OrganizationUpdateAnswer): Organization {
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return answer.organization
    case 'not_found':
      throw noOrganization()
    case 'forbidden':
      throw new HttpError(
        'forbidden',
        'Only an administrator can change organizations: send a key with admin:* and X-Admin-Code',
      )
    case 'precondition_failed':
      throw editedSince('The organization', answer)
    case 'invalid':
      throw invalidInput('The organization cannot be changed like this', answer.faults)
  }
}
