import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { parseDecimal } from '#log/tlog/encoding.ts'
import { conditionalRead } from '#src/edge/described_headers.ts'
import { HttpError } from '#src/errors.ts'
import {
  formatSitemap,
  formatSitemapIndex,
  listWorkSitemaps,
  readWorkSitemap,
  type SitemapLimits,
} from '#src/discovery/feeds/sitemap.ts'
import { sendDocument } from '#src/edge/rendered_reply.ts'
import { policyPath } from '#src/use_cases/policy.ts'
import { readQuery } from '#src/edge/query_string.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'

type SitemapEdge = Pick<
  RegistryEdge,
  'admit' | 'baseUrl' | 'environments' | 'accounts' | 'takeTurn'
>

const indexPath = '/sitemap.xml'

/** A fifth of what the protocol allows, so that one is quickly made; and one place for the rest. */
const limits: SitemapLimits = { positions: 10_000, sitemapsMax: 49_999 }

const xmlType = 'application/xml'
const xmlReply = contentReply('The sitemap.', xmlType)

/** Pages for readers beside those of works. */
const publicPaths = ['/', '/how-it-works', policyPath] as const

/** What leads search engines to the pages of works: sitemaps, and the rules for robots. */
export function registerSitemapRoutes(server: FastifyInstance, edge: SitemapEdge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = (operationId: string, summary: string) => ({
    ...admission,
    schema: {
      operationId,
      ...conditionalRead,
      tags: ['feeds'],
      summary,
      response: { 200: xmlReply },
    },
  })
  server.get(
    indexPath,
    options('getSitemapIndex', 'The index of the sitemaps.'),
    (request, reply) => edge.takeTurn(reply, () => sendIndex(edge, request, reply)),
  )
  const pages = options('getPagesSitemap', 'A sitemap of pages that are not of works.')
  server.get('/sitemaps/pages.xml', pages, (request, reply) => {
    readQuery(request, {})
    const text = formatSitemap(publicPaths.map((path) => ({ url: edge.baseUrl + path })))
    return sendDocument(request, reply, { text, mediaType: xmlType })
  })
  const works = options(
    'getWorksSitemap',
    'A sitemap of works, by the position of their last changes.',
  )
  server.get(
    '/sitemaps/:page.xml',
    works,
    (request: FastifyRequest<{ Params: { page: string } }>, reply) =>
      edge.takeTurn(reply, () => sendWorks(edge, request, reply)),
  )
  server.get('/robots.txt', { ...admission, schema: { hide: true } }, (request, reply) =>
    sendDocument(request, reply, { text: robotsRules(edge), mediaType: 'text/plain' }),
  )
}

async function sendIndex(
  { environments, baseUrl }: SitemapEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request, {})
  const works = await listWorkSitemaps(environments.live.catalogue.order, limits)
  const text = formatSitemapIndex([
    { url: `${baseUrl}/sitemaps/pages.xml` },
    ...works.map(({ page, changedAt }) => ({ url: `${baseUrl}/sitemaps/${page}.xml`, changedAt })),
  ])
  return sendDocument(request, reply, { text, mediaType: xmlType })
}

async function sendWorks(
  { environments, baseUrl }: SitemapEdge,
  request: FastifyRequest<{ Params: { page: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request, {})
  const page = parseDecimal(request.params.page)
  const { order } = environments.live.catalogue
  const works = page === undefined ? [] : await readWorkSitemap(order, page, limits)
  if (works.length === 0) throw new HttpError('not_found', 'There is no such sitemap')
  const urls = works.map(({ state, at }) => {
    return { url: `${baseUrl}/${state.identifier}`, changedAt: at }
  })
  return sendDocument(request, reply, { text: formatSitemap(urls), mediaType: xmlType })
}

/** What robots may read: pages of works, and others for readers; nothing that is for programs. */
function robotsRules({ baseUrl, accounts, environments }: SitemapEdge): string {
  const { naan } = environments.sandbox
  const auth = new URL(accounts.authUrl).pathname.replace(/\/$/, '')
  const closed = [
    '/v1/',
    '/api/',
    '/log/',
    '/sandbox/',
    '/search',
    ...(auth === '' ? [] : [`${auth}/`]),
  ]
  const tests = [`/ark:/${naan}/`, `/ark:${naan}/`]
  return [
    'User-agent: *',
    ...[...closed, ...tests].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${baseUrl}${indexPath}`,
    '',
  ].join('\n')
}
