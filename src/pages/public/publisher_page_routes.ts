import type { FastifyInstance, FastifyRequest } from 'fastify'

import { organizationFeedPath } from '#src/discovery/feeds/atom.ts'
import { nameOrganization } from '#src/use_cases/named_organization.ts'
import { readListedWorks } from '#src/use_cases/listed_works.ts'
import { integerParameter, readPageQuery } from '#src/edge/query_string.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'
import { publisherPage } from '#src/pages/public/publisher_page.ts'

/** Works on one page. */
const worksMax = 20

const parameters = {
  before: integerParameter('Where the page begins: what the link to it says.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
}

/** `GET /publishers/{slug}`: an organization as readers see it, with the works that stand. */
export function registerPublisherPageRoute(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'accounts'>,
): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { hide: true },
  }
  type Named = FastifyRequest<{ Params: { slug: string } }>
  server.get('/publishers/:slug', options, async (request: Named, reply) => {
    const { before } = readPageQuery(request, parameters)
    const { baseUrl, environments } = edge
    const environment = environments.live
    const organization = nameOrganization(environment, request.params.slug)
    const { slug } = organization
    const owner = { type: 'organization', id: slug } as const
    const place = { limit: worksMax, ...(before !== undefined && { cursor: before }) }
    const { works: held, next } = await environment.holdings.works(owner, place)
    const ids = held.map(({ ark_identifier: ark }) =>
      documentId({ type: 'work', id: ark.replace(/^ark:\/?/, '') }),
    )
    const page = publisherPage({
      organization,
      counts: environment.holdings.counts(owner),
      works: await readListedWorks(ids, { environment, baseUrl }),
      before,
      next,
    })
    reply.header('link', [
      `<${baseUrl}/api/v1/organizations/${slug}>; rel="alternate"; type="application/json"`,
      `<${baseUrl}${organizationFeedPath(slug)}>; rel="alternate"; type="application/atom+xml"`,
    ])
    return sendPublicPage(page, reply, edge)
  })
}
