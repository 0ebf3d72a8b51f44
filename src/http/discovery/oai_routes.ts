import type { FastifyInstance } from 'fastify'

import { ownedBy } from '#actors/catalogue/representation.ts'
import { HttpError } from '#src/errors.ts'
import { sendError, toHttpError } from '#src/edge/error_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { oaiForm, oaiParameters } from '#src/http/discovery/oai_schemas.ts'
import { registerOaiRoutes } from '#src/discovery/oai/oai_server.ts'
import { recordFormats } from '#src/discovery/oai/record_formats.ts'
import { registrySource } from '#src/discovery/oai/record_source.ts'
import { createRepository, type OaiRepository } from '#src/discovery/oai/repository.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'

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
  return createRepository({
    source: registrySource(environments.live),
    baseUrl: address,
    registryUrl: baseUrl,
    repositoryName: config.REPOSITORY_NAME,
    adminEmail: adminEmail(config, baseUrl),
    tokenKey: harvestKey,
    tokenTtlSeconds: config.RESUMPTION_TOKEN_TTL,
    recordsMax: config.MAX_RECORDS_PER_REQUEST,
    formats: recordFormats(address),
    enableSets: config.ENABLE_SETS,
    write: writeRecords,
    nowMs,
  })
}

/** Whom harvesters write to: as configured, else the sender of mail, else as RFC 2142 has it. */
function adminEmail({ ADMIN_EMAIL, MAIL_FROM }: HarvestEdge['config'], baseUrl: string): string {
  const [sender = ''] = /[^<>\s]+@[^<>\s]+/.exec(MAIL_FROM ?? '') ?? []
  const guesses = [sender, `webmaster@${new URL(baseUrl).hostname}`]
  // A malformed address would make the whole reply invalid.
  const isAddress = (text: string) => /^\w[\w.-]+@[A-Za-z0-9.-]+\.[a-z]{2,}$/.test(text)
  return ADMIN_EMAIL ?? guesses.find(isAddress) ?? 'webmaster@example.org'
}
