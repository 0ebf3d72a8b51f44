import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { parseArk } from '#actors/values/ark.ts'
import { ownedBy } from '#actors/registry/catalogue/representation.ts'
import { registerOaiRoutes } from '#src/discovery/oai/oai_server.ts'
import { recordFormats } from '#src/discovery/oai/record_formats.ts'
import { registrySource } from '#src/discovery/oai/record_source.ts'
import { OaiRepository } from '#src/discovery/oai/repository.ts'
import { sendError, toHttpError } from '#src/edge/error_reply.ts'
import type { Parameters } from '#src/edge/query_string.ts'
import { checkedByRules, component, contentReply } from '#src/edge/reply_schemas.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readIncoming } from '#src/use_cases/incoming_relations.ts'
import { operatorAddress } from '#src/use_cases/operator_address.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type HarvestEdge = Pick<
  RegistryEdge,
  | 'admit'
  | 'takeTurn'
  | 'writeRecords'
  | 'baseUrl'
  | 'environments'
  | 'harvestKey'
  | 'nowMs'
  | 'config'
>

/** The path of the repository; its address is this below the registry's. */
const path = '/api/v1/oai'

/** Serves the works of the live registry to any harvester. */
export function registerHarvestRoutes(server: FastifyInstance, edge: HarvestEdge): void {
  const schema = {
    tags: ['harvesting'],
    summary: 'Answers OAI-PMH 2.0 requests: `?verb=Identify` and the other verbs, in XML.',
    response: {
      200: contentReply('The answer, which may be an error of the protocol.', 'text/xml'),
    },
  }
  const access = { type: 'public', limit: 'oai' } as const
  const asQuery = {
    ...edge.admit(access, oaiParameters),
    schema: { ...schema, operationId: 'harvest' },
  }
  const asForm = {
    ...edge.admit(access),
    ...oaiForm,
    schema: { ...schema, ...oaiForm.schema, operationId: 'harvestByForm' },
  }
  server.register((scope, _options, done) => {
    answerAsHarvestersKnow(scope)
    const { takeTurn, environments } = edge
    const repository = openRepository(edge)
    const organizationOf = (ark: string) => {
      const state = environments.live.catalogue.state(ark)
      return state && ownedBy(state).organization
    }
    registerOaiRoutes(scope, { path, repository, asQuery, asForm, takeTurn, organizationOf })
    done()
  })
}

/** Gives harvesters 503 with Retry-After, and not 429 (OAI-PMH 2.0, section 3.1.2.2). */
export function answerAsHarvestersKnow(scope: FastifyInstance): void {
  scope.setErrorHandler((failure, request, reply) => {
    const error = toHttpError(failure)
    const { code, message, extra } = error
    const isLimit = code === 'rate_limit_exceeded'
    sendError(isLimit ? new HttpError('unavailable', message, { extra }) : error, request, reply)
  })
}

function openRepository(edge: HarvestEdge): OaiRepository {
  const { config, baseUrl, environments, harvestKey, nowMs, writeRecords } = edge
  const address = baseUrl + path
  return new OaiRepository({
    source: registrySource(environments.live),
    incoming: async (ark) => {
      const parsed = parseArk(ark)
      if (parsed.type === 'malformed') return []
      return readIncoming(environments.live.catalogue, parsed.ark, 'datacite-xml')
    },
    baseUrl: address,
    registryUrl: baseUrl,
    repositoryName: config.REPOSITORY_NAME,
    adminEmail: operatorAddress(config, baseUrl),
    tokenKey: harvestKey,
    tokenTtlSeconds: config.RESUMPTION_TOKEN_TTL,
    recordsMax: config.MAX_RECORDS_PER_REQUEST,
    formats: recordFormats(address),
    enableSets: config.ENABLE_SETS,
    write: writeRecords,
    nowMs,
  })
}

const verbs = [
  'Identify',
  'ListMetadataFormats',
  'ListSets',
  'ListIdentifiers',
  'ListRecords',
  'GetRecord',
]

const descriptions = {
  identifier: 'Of `GetRecord` and `ListMetadataFormats`: the record, `oai:…` or an ARK.',
  metadataPrefix: 'Of `GetRecord`, and of lists but for their further pages: the format.',
  from: 'Of lists: records changed on this day or at this second of UTC, or later.',
  until: 'Of lists: records changed on this day or at this second, or earlier; as fine as `from`.',
  set: 'Of lists: only the records of a set.',
  resumptionToken: 'Of lists: the next page. It stands alone beside the verb.',
}

const verb = Type.String({ title: 'OaiVerb', description: 'What is asked for.', enum: verbs })

/** The arguments of a request as OAI-PMH 2.0, section 4, has them, for its description. */
const oaiParameters: Parameters = {
  verb: { read: (text) => text, accepts: 'a verb', schema: verb, required: true },
  ...Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { read: (text: string) => text, accepts: 'a text', schema: Type.String({ description }) },
    ]),
  ),
}

const members = Object.entries(descriptions).map(
  ([name, description]) => [name, Type.Optional(Type.String({ description }))] as const,
)

/** The same arguments as a form. Its repository reads them, and refuses in the protocol's words. */
const oaiForm = {
  ...checkedByRules,
  schema: {
    consumes: ['application/x-www-form-urlencoded'],
    body: component('OaiRequest', { verb, ...Object.fromEntries(members) }),
  },
}
