import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { chooseMediaType } from '#src/edge/accept.ts'
import { environmentOf } from '#src/edge/caller.ts'
import {
  type Parameter,
  readQuery,
  textParameter,
  type Values,
  wordParameter,
} from '#src/edge/query_string.ts'
import { component } from '#src/edge/reply_schemas.ts'
import { allBelow } from '#src/use_cases/consortium.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  granularities,
  readUsage,
  usageCsv,
  type UsageReport,
} from '#src/use_cases/usage_report.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { workOfPath, type WorkRoute } from '#src/http/kit/works.ts'

type UsageEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'nowMs'> &
  Required<Pick<RegistryEdge, 'usage'>>

const csvType = 'text/csv'

const dayForm = /^\d{4}-\d{2}-\d{2}$/

const parameters = {
  from: dayParameter('The first day, in UTC.'),
  to: dayParameter('The last day, in UTC; today unless told.'),
  granularity: wordParameter('UsageGranularity', granularities),
  format: wordParameter('UsageFormat', ['json', 'csv']),
}

const organizationParameters = {
  ...parameters,
  /** `below`: of all organizations below it, too. */
  include: wordParameter('UsageInclude', ['below']),
}

function dayParameter(description: string): Parameter<string> {
  const day = textParameter(description, dayForm, 'a day as YYYY-MM-DD')
  return { ...day, schema: Type.String({ description, format: 'date' }) }
}

const counts = {
  resolutions: Type.Integer({ description: 'Its ARK was resolved, but to its own page.' }),
  landings: Type.Integer({ description: 'Its page here was read.' }),
  verifications: Type.Integer({ description: 'A receipt of it was verified.' }),
  harvests: Type.Integer({ description: 'Its record was harvested.' }),
}

const usageSchema = component('Usage', {
  granularity: parameters.granularity.schema,
  from: Type.String({ description: 'The first period.' }),
  to: Type.String({ description: 'The last period.' }),
  total: component('UsageCounts', counts),
  periods: Type.Array(component('UsagePeriod', { period: Type.String(), ...counts })),
})

const reported = {
  method: 'GET',
  demands: { type: 'public', limit: 'public_read' },
  response: {
    200: {
      description: 'The counts, as JSON or as a table.',
      content: {
        'application/json': { schema: usageSchema },
        [csvType]: { schema: { type: 'string' } },
      },
    },
  },
} as const

const ofWork: Route<UsageEdge, WorkRoute['Params']> = {
  ...reported,
  path: '/works/:ark/usage',
  parameters,
  operationId: 'getWorkUsage',
  summary: 'How often a work was used.',
  handle(edge, request, reply) {
    const asked = readQuery(request, parameters)
    const { environment, ark } = workOfPath(edge.environments, request, reply)
    if (environment.catalogue.state(ark) === undefined) throw workNotFound(environment, ark)
    return send(edge, request, reply, asked, { environment: environment.name, of: { ark } })
  },
}

const ofOrganization: Route<UsageEdge, { readonly slug: string }> = {
  ...reported,
  path: '/organizations/:slug/usage',
  parameters: organizationParameters,
  operationId: 'getOrganizationUsage',
  summary: 'How often the works of an organization were used.',
  handle(edge, request, reply) {
    const { include, ...asked } = readQuery(request, organizationParameters)
    const environment = environmentOf(edge.environments, request.caller)
    const { slug } = nameOrganization(environment, request.params.slug)
    const slugs = include === 'below' ? [slug, ...allBelow(environment, slug)] : [slug]
    const subjects = slugs.map((organization) => {
      return { environment: environment.name, of: { organization } } as const
    })
    return send(edge, request, reply, asked, subjects)
  },
}

/** How often works and organizations are used, open to everyone, below both prefixes. */
export function registerUsageRoutes(server: FastifyInstance, edge: UsageEdge): void {
  registerRoutes(server, edge, 'usage', [ofWork, ofOrganization])
}

function send(
  { usage, nowMs }: UsageEdge,
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { format, ...question }: Values<typeof parameters>,
  subject: Parameters<typeof readUsage>[1],
): FastifyReply {
  usage.flush()
  const report: UsageReport = readUsage(usage, subject, question, nowMs())
  reply.header('cache-control', 'no-cache').header('vary', 'Accept')
  const wished = chooseMediaType(headers.accept, ['application/json', csvType])
  const isCsv = format === 'csv' || (format === undefined && isNamedCsv(wished))
  if (!isCsv) return reply.send(report)
  return reply.type(`${csvType}; charset=utf-8; header=present`).send(usageCsv(report))
}

function isNamedCsv(wished: ReturnType<typeof chooseMediaType<string>>): boolean {
  return wished.type === 'named' && wished.mediaType === csvType
}
