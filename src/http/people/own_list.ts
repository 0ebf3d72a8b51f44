import type { FastifyInstance, FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'

import { knownCaller } from '#src/edge/admission.ts'
import { callingSelf, type NamedPerson } from '#src/api/named_person.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import type { PathPrefix } from '#src/identity/keys/scope.ts'

/** Entries on one page, unless told and at most. */
const pageDefault = 50
const pageMax = 200

const pageParameters = {
  before: integerParameter('The `next` of the page before; absent for the newest ones.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  limit: integerParameter('Entries at most.', { minimum: 1, maximum: pageMax }),
}

/** A page of a list: so many entries, those before a place if one is named. */
type Page = { readonly limit: number; readonly before?: number }

/** A list of a person's own, newest first. */
type OwnList<T> = {
  /** Behind the prefix. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly schema: TSchema
  readonly read: (self: NamedPerson, page: Page) => Promise<readonly T[]>
  /** The place of an entry, which a page begins before. */
  readonly placeOf: (entry: T) => number
  /** The reply, to which the `next` page is added. */
  readonly show: (entries: readonly T[], self: NamedPerson) => object
}

/** Serves a list page by page to the person it is about, and to nobody else. */
export function registerOwnList<T>(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments'>,
  prefix: PathPrefix,
  { path, operationId, summary, schema, read, placeOf, show }: OwnList<T>,
): void {
  const access = { type: 'key', prefix, right: 'read own account', limit: 'people' } as const
  const options = {
    ...edge.admit(access, pageParameters),
    schema: { operationId, tags: ['people'], summary, response: { 200: schema } },
  }
  server.get(`${prefix}${path}`, options, async (request, reply) => {
    const { limit = pageDefault, ...page } = readQuery(request, pageParameters)
    const self = callingSelf(edge.environments, knownCaller(request))
    const entries = await read(self, { limit, ...page })
    keepPrivate(reply)
    const last = entries.length < limit ? undefined : entries.at(-1)
    return { ...show(entries, self), next: last === undefined ? null : placeOf(last) }
  })
}

/** Says that a reply is for its reader alone. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header('cache-control', 'private, no-store')
}
