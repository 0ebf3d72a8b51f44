import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import { may } from '#actors/values/authority.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { callerName } from '#src/edge/caller.ts'
import { HttpError } from '#src/edge/errors.ts'
import { pageLinks, pageMembers } from '#src/edge/list_page.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { arkIdentifier, version } from '#src/http/kit/works.ts'
import {
  type OwnRequest,
  type OwnRoutes,
  registerOwnRoutes,
} from '#src/http/organizations/own_routes.ts'
import {
  bulkPart,
  bulkReply,
  prepareBulkChange,
  startBulkChange,
} from '#src/use_cases/bulk_change.ts'
import { type BulkJob, bulkPartWorks, bulkStates } from '#src/use_cases/bulk_change_jobs.ts'
import {
  bulkEditSchema,
  bulkFilterSchema,
  bulkRefusals,
  bulkSelectionSchema,
  bulkWorksMax,
  readBulkSelection,
} from '#src/use_cases/bulk_edit.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

/** Bulk changes in one list: the newest that are kept. */
const listedMax = 50

const newBulkChangeSchema = component(
  'NewBulkChange',
  { edit: bulkEditSchema, selection: bulkSelectionSchema },
  { additionalProperties: false },
)

const bulkChangeSchema = component('BulkChange', {
  id: Type.String({ examples: ['019a2b3c4d5e0123456789abcdef'] }),
  organization: Type.String(),
  environment: wordOf('EnvironmentName', ['live', 'sandbox'] as const),
  edit: bulkEditSchema,
  chosen: component('BulkChosen', {
    filter: Type.Optional(bulkFilterSchema),
    listed: Type.Optional(Type.Integer({ description: 'Works of a list, if one was given.' })),
  }),
  state: wordOf('BulkChangeState', bulkStates),
  ready: Type.Integer({ description: 'Works that are to be changed.' }),
  withdrawals: Type.Optional(Type.Integer({ description: 'How many of them an undo withdraws.' })),
  registrations: Type.Optional(
    Type.Integer({ description: 'How many of them an undo registers again, under a new ARK.' }),
  ),
  left: Type.Integer({ description: 'Works that are left out, and listed.' }),
  left_more: Type.Integer({ description: 'Further works that are as they should be already.' }),
  is_cut: Type.Boolean({
    description: `Whether more works are chosen than the ${bulkWorksMax} of one bulk change.`,
  }),
  done: Type.Integer({ description: 'Works that had their turn.' }),
  changed: Type.Integer({ description: 'Those of them that were changed.' }),
  created_at: time,
  ended_at: Type.Optional(time),
  links: component('BulkChangeLinks', { self: Type.String(), works: Type.String() }),
})

const bulkChangeListSchema = component('BulkChangeList', {
  organization: Type.String(),
  bulk_changes: Type.Array(bulkChangeSchema),
})

const reason = wordOf('BulkRefusal', bulkRefusals)
const message = Type.Optional(Type.String())

const bulkWorkPageSchema = component('BulkChangeWorkPage', {
  bulk_change: Type.String(),
  works: Type.Array(
    component('BulkChangeWork', {
      ark_identifier: arkIdentifier,
      changes: Type.Array(
        component('BulkFieldChange', {
          field: wordOf('MetadataField', Object.keys(metadataFields)),
          before: Type.Unknown({ description: 'The value as it is; null is none.' }),
          after: Type.Unknown({ description: 'The value as it would be; null is none.' }),
        }),
        { description: 'What differs. None once the work is another than the preview has seen.' },
      ),
      withdraws: Type.Optional(Type.Literal(true, { description: 'An undo withdraws it.' })),
      registers: Type.Optional(
        Type.Literal(true, { description: 'An undo registers it again, under a new ARK.' }),
      ),
      outcome: nullable(
        component('BulkOutcome', {
          version: Type.Optional(version),
          withdrawn: Type.Optional(Type.Literal(true)),
          new_ark: Type.Optional(arkIdentifier),
          reason: Type.Optional(reason),
          message,
        }),
        'Its new `version`, or the `reason` why it was not changed; null before its turn.',
      ),
    }),
  ),
  left_out: Type.Array(component('BulkLeftWork', { work: Type.String(), reason, message })),
  ...pageMembers(Type.Integer()),
})

type BulkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'bulkChanges' | 'search'>

/** An organization whose works the caller may change. */
type Changer = OwnRequest & { readonly edge: BulkEdge }

const pageParameters = {
  cursor: integerParameter(
    `Where the page begins: as \`links.next\` of the page before has it. A page has ` +
      `${bulkPartWorks} works of each list.`,
    { minimum: 0, maximum: bulkWorksMax },
  ),
} as const

const routes: OwnRoutes<Changer>['routes'] = [
  {
    method: 'POST',
    path: '',
    operationId: 'createBulkChange',
    summary: 'Previews a change of many works of an organization: no work is changed.',
    description:
      'The answer is a draft, which is kept for a day; its works say what differs in each. ' +
      'Nothing is changed before it is started. `undo` takes a key with `admin:*` and a one-time ' +
      'code in `X-Admin-Code`.',
    body: newBulkChangeSchema,
    replyHeaders: ['Location'],
    status: 201,
    limit: 'works_bulk',
    answers: bulkChangeSchema,
    handle: preview,
  },
  {
    method: 'GET',
    path: '',
    operationId: 'listBulkChanges',
    summary: `Lists the bulk changes of an organization, newest first: ${listedMax} at most.`,
    answers: bulkChangeListSchema,
    async handle({ edge, slug, environment }) {
      const jobs = await edge.bulkChanges.list(slug)
      const own = jobs.filter((job) => job.environment === environment.name)
      return {
        organization: slug,
        bulk_changes: own.slice(0, listedMax).map((job) => shown(edge, job)),
      }
    },
  },
  {
    method: 'GET',
    path: '/:id',
    operationId: 'getBulkChange',
    summary: 'Reads a bulk change: what it does, and how far it is.',
    answers: bulkChangeSchema,
    handle: (changer) => shown(changer.edge, named(changer)),
  },
  {
    method: 'GET',
    path: '/:id/works',
    operationId: 'listBulkChangeWorks',
    summary: 'Lists the works of a bulk change: with what differs, or with what became of each.',
    parameters: pageParameters,
    answers: bulkWorkPageSchema,
    async handle(changer) {
      const { edge, request } = changer
      const { cursor: part = 0 } = readQuery(request, pageParameters)
      const job = named(changer)
      const isLast = (part + 1) * bulkPartWorks >= Math.max(job.ready, job.left)
      const next = isLast ? null : part + 1
      const page = await bulkPart(edge.environments, edge.bulkChanges, job, part)
      return { bulk_change: job.id, ...page, next, links: pageLinks(edge.baseUrl, request, next) }
    },
  },
  {
    method: 'POST',
    path: '/:id/start',
    operationId: 'startBulkChange',
    summary: 'Starts a bulk change that was previewed; the registry goes on by itself.',
    description:
      'Each work gets a new version with its own receipt; one that somebody else has changed ' +
      'since is left out, and says so. One that has begun stays as it is. A restart goes on with ' +
      'it, and no work is changed twice. One bulk change of an organization runs at a time (409).',
    status: 202,
    answers: bulkChangeSchema,
    async handle(changer) {
      const { edge, request } = changer
      const { agent } = knownCaller(request)
      const actors = { by: agent, asked_by: agent }
      return shown(edge, await startBulkChange(edge, named(changer), actors))
    },
  },
  {
    method: 'POST',
    path: '/:id/stop',
    operationId: 'stopBulkChange',
    summary: 'Ends a bulk change before its next works; what is done stays done.',
    answers: bulkChangeSchema,
    async handle(changer) {
      const { edge, slug } = changer
      return shown(edge, await edge.bulkChanges.stop(slug, named(changer).id))
    },
  },
]

/** Changes of many works of an organization at once, below both prefixes. */
export function registerBulkChangeRoutes(server: FastifyInstance, edge: BulkEdge): void {
  registerOwnRoutes(server, edge, {
    path: 'bulk-changes',
    reading: { right: 'read works', limit: 'works_read' },
    writing: { right: 'update works', limit: 'works_update' },
    mayUse: (agent, organization) => may(agent, 'organization', 'change many works', organization),
    refusal: 'Only a key of the organization can change its works at once',
    contextOf: (own) => ({ ...own, edge }),
    routes,
  })
}

/** The bulk change of the path. HttpError `not_found` unless it is one of the organization. */
function named({ edge, slug, environment, request }: Changer): BulkJob {
  const job = edge.bulkChanges.find(slug, request.params.id ?? '')
  if (job !== undefined && job.environment === environment.name) return job
  throw new HttpError('not_found', 'There is no such bulk change, or its preview is over')
}

async function preview({ edge, slug, environment, request, reply }: Changer) {
  const { edit, selection } = request.body as Static<typeof newBulkChangeSchema>
  const { agent, environment: name } = knownCaller(request)
  const searcher = { caller: callerName(request.caller), signal: reply.standAside() }
  const source = {
    environment,
    search: { service: edge.search?.[name], searcher },
    owner: { type: 'organization', id: slug },
    by: agent,
  } as const
  const asked = { edit, selection: readBulkSelection(selection), askedBy: agent }
  const job = await prepareBulkChange(edge.bulkChanges, source, asked)
  const answer = shown(edge, job)
  reply.header('location', answer.links.self)
  return answer
}

function shown({ baseUrl }: BulkEdge, job: BulkJob) {
  const self = `${baseUrl}/v1/organizations/${job.slug}/bulk-changes/${job.id}`
  return { ...bulkReply(job), links: { self, works: `${self}/works` } }
}
