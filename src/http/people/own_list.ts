import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'

import type { Page } from '#actors/values/page.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { callingSelf, type NamedPerson } from '#src/use_cases/person_reply.ts'
import { numberCursor, pageLinks, pagesOf } from '#src/edge/list_page.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import type { PathPrefix } from '#src/identity/keys/scope.ts'

const pages = pagesOf({
  cursor: numberCursor,
  olderName: 'before',
  limit: 50,
  limitMax: 200,
  order: 'newest',
})

/** A list of a person's own, newest first by default. */
type OwnList<T> = {
  /** Behind the prefix. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly schema: TSchema
  readonly read: (self: NamedPerson, page: Page<number>) => Promise<readonly T[]>
  /** The place of an entry: the cursor of the page that begins after it. */
  readonly placeOf: (entry: T) => number
  /** The reply, to which the `next` page and the links are added. */
  readonly show: (entries: readonly T[], self: NamedPerson) => object
}

/** Serves a list page by page to the person it is about, and to nobody else. */
export function registerOwnList<T>(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>,
  prefix: PathPrefix,
  { path, operationId, summary, schema, read, placeOf, show }: OwnList<T>,
): void {
  const access = { type: 'key', prefix, right: 'read own account', limit: 'people' } as const
  const options = {
    ...edge.admit(access, pages.parameters),
    schema: { operationId, tags: ['people'], summary, response: { 200: schema } },
  }
  server.get(`${prefix}${path}`, options, async (request, reply) => {
    const page = pages.read(request)
    const self = callingSelf(edge.environments, knownCaller(request))
    // The entry after the page tells that there is one.
    const found = await read(self, { ...page, limit: page.limit + 1 })
    keepPrivate(reply)
    const entries = found.slice(0, page.limit)
    const last = found.length > page.limit ? entries.at(-1) : undefined
    const next = last === undefined ? null : placeOf(last)
    return { ...show(entries, self), next, links: pageLinks(edge.baseUrl, request, next) }
  })
}
