import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Rendered } from '#actors/registry/catalogue/port.ts'
import { readShownArk } from '#actors/values/ark.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { metadataSchema } from '#actors/works/request_checks.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { numberCursor, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { jsonType, sendPage, sendRendered } from '#src/edge/rendered_reply.ts'
import { component, conditionalRead, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { type KnownSuspensions, refuseWithheld } from '#src/edge/suspended.ts'
import { whenItsTurn } from '#src/edge/turns.ts'
import type { Use } from '#src/edge/uses.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import {
  agentType,
  arkIdentifier,
  contentFacts,
  fixityReason,
  fixityStatus,
  linksSchema,
  noticesSchema,
  receiptId,
  sha256Hash,
  sourceSchema,
  version,
  versionOfPath,
  type VersionRoute,
  workOfPath,
  type WorkRoute,
} from '#src/http/kit/works.ts'
import { mapProofSchema, proofParameters } from '#src/http/receipts/map_routes.ts'
import { receiptSchema } from '#src/http/receipts/receipt_routes.ts'
import { withMapProof } from '#src/use_cases/map_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingVersion, existingWork, type WorkLookup } from '#src/use_cases/work_lookup.ts'

type ResolveEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'takeTurn'> & {
  readonly suspensions: KnownSuspensions
}

const historyPages = pagesOf({
  cursor: numberCursor,
  olderName: 'before',
  limit: 100,
  limitMax: 1_000,
  order: 'newest',
})

/** Resolves an ARK of the live registry in the spelling that we show, if that takes no waiting. */
function resolveAtOnce(
  { environments, suspensions }: ResolveEdge,
  rest: string,
): PlainReply | undefined {
  const ark = readShownArk(rest)
  const environment = environments.live
  if (ark === undefined || ark.startsWith(`${environments.sandbox.naan}/`)) return undefined
  const isWithheld = () => suspensions.first([{ type: 'work', id: ark }]) !== undefined
  if (isWithheld()) return undefined
  const found = environment.catalogue.resolveAtOnce(ark, rest)
  if (found === undefined) return undefined
  const { etag, body } = found
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache', 'content-type': jsonType, etag },
    body,
    uses: resolutionOf({ environment, ark, requested: rest }, found),
    isCurrent: () => environment.catalogue.atHand(ark, rest) === found && !isWithheld(),
  }
}

/** Sends the newest version of a work, or another one. */
async function resolve(
  edge: ResolveEdge,
  named: WorkLookup & { readonly version?: number },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { proof } = readQuery(request, proofParameters)
  const { environment, ark, requested, version: number } = named
  refuseWithheld(edge.suspensions, ark)
  const whenLong = whenItsTurn(edge, reply)
  const found = await environment.catalogue.resolve(ark, requested, number, whenLong)
  const rendered =
    number === undefined
      ? existingWork(named, found)
      : existingVersion({ ...named, version: number }, found)
  reply.uses = resolutionOf(named, rendered)
  const shown = proof === undefined ? rendered : await withMapProof(named, rendered)
  return sendRendered(request, reply, shown)
}

function resolutionOf(
  { environment, ark }: WorkLookup,
  { organization }: Pick<Rendered, 'organization'>,
): readonly Use[] {
  return [{ environment: environment.name, ark, organization, kind: 'resolutions' }]
}

const contentSchema = component('Content', {
  url: Type.String({
    description: 'Where the content is: the `work_url`, or else the address of the DOI.',
  }),
  ...contentFacts,
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

const identifier = component('Identifier', { type: Type.String(), value: Type.String() })

/** What an ARK stands for. */
const resolutionSchema = component('Resolution', {
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
  map_proof: Type.Optional(mapProofSchema),
  identifiers: Type.Array(identifier),
  authors: Type.Array(author),
  unplaced_claims: Type.Optional(
    Type.Array(unplacedClaim, {
      description:
        'People who are verified to be authors of the work, where nothing says which of them.',
    }),
  ),
  source: sourceSchema,
  links: linksSchema,
  notices: noticesSchema,
})

/**
 * What stands in place of a withdrawn work: its whole record, unless it was erased or is lost, and
 * why it was withdrawn.
 */
export const tombstoneSchema = component('Tombstone', {
  error: Type.Literal('gone'),
  message: Type.String(),
  request_id: Type.String(),
  ark: arkIdentifier,
  status: Type.Literal('withdrawn'),
  reason: Type.String({
    description: 'Why it was withdrawn; `data_lost` if the registry has lost what was registered.',
  }),
  note: Type.Optional(nullable(Type.String(), 'What was said of it; null if nothing was.')),
  replaced_by: Type.Optional(nullable(arkIdentifier, 'The work to use instead, if there is one.')),
  created_at: time,
  updated_at: Type.Optional(time),
  registered_at: Type.Optional(time),
  withdrawn_at: time,
  map_proof: Type.Optional(mapProofSchema),
  version,
  latest_version: Type.Optional(version),
  is_latest: Type.Optional(Type.Boolean()),
  receipt_id: receiptId,
  metadata_hash: Type.Optional(sha256Hash),
  title: Type.Optional(Type.String()),
  work_title: Type.Optional(Type.String()),
  work_type: Type.Optional(wordOf('WorkType', workTypeNames)),
  authors: Type.Optional(Type.Array(author)),
  unplaced_claims: Type.Optional(Type.Array(unplacedClaim)),
  identifiers: Type.Optional(Type.Array(identifier)),
  content: Type.Optional(
    component('WithdrawnContent', contentFacts, {
      description: 'What is known of the content; nothing leads to it any more.',
    }),
  ),
  notices: noticesSchema,
  metadata: Type.Optional(metadataSchema),
  metadata_erased: Type.Optional(Type.Literal(true)),
  erased_at: Type.Optional(time),
  metadata_lost: Type.Optional(Type.Literal(true)),
  lost_at: Type.Optional(time),
  source: Type.Optional({ ...sourceSchema, description: 'Who withdrew it.' }),
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
 * A page of the history of a work, newest first by default. Only `work.fixity_changed` has a
 * fixity status and its reason: a check that found nothing new is no event. `work.erased` has the
 * reason for which the metadata was erased; `work.metadata_lost` says that what the registry had of
 * the work is lost, while the log proves that it was registered.
 */
const historySchema = component('History', {
  ark: arkIdentifier,
  events: Type.Array(historyEvent),
  ...pageMembers(Type.Integer({ minimum: 0 })),
})

const open = {
  method: 'GET',
  demands: { type: 'public', limit: 'resolve' },
  ...conditionalRead,
} as const

const resolved = {
  ...open,
  parameters: proofParameters,
  response: { 200: resolutionSchema, 410: tombstoneSchema },
} as const

const newest: Route<ResolveEdge, WorkRoute['Params']> = {
  ...resolved,
  path: '/resolve/:ark',
  operationId: 'resolveArk',
  summary: 'Resolves an ARK to the newest version of its work.',
  config: (edge) => ({ plainRead: (rest) => resolveAtOnce(edge, rest) }),
  handle: (edge, request, reply) =>
    resolve(edge, workOfPath(edge.environments, request, reply), request, reply),
}

const ofVersion: Route<ResolveEdge, VersionRoute['Params']> = {
  ...resolved,
  path: '/resolve/:ark/v:version',
  operationId: 'resolveVersion',
  summary: 'Resolves an ARK to one version of its work.',
  handle: (edge, request, reply) =>
    resolve(edge, versionOfPath(edge.environments, request, reply), request, reply),
}

const history: Route<ResolveEdge, WorkRoute['Params']> = {
  ...open,
  path: '/resolve/:ark/history',
  parameters: historyPages.parameters,
  operationId: 'getHistory',
  summary: 'Lists what happened to a work, newest first unless told.',
  response: { 200: historySchema },
  async handle(edge, request, reply) {
    const page = historyPages.read(request)
    const named = workOfPath(edge.environments, request, reply)
    const found = existingWork(named, await named.environment.catalogue.history(named.ark, page))
    return sendPage(request, reply, found, edge.baseUrl)
  },
}

/** What an ARK stands for: its newest version, one version, its history. Open to everyone. */
export function registerResolveRoutes(server: FastifyInstance, edge: ResolveEdge): void {
  registerRoutes(server, edge, 'resolve', [newest, ofVersion, history])
}
