import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { ChangedWork, ChangeOrder } from '#actors/change_order.ts'
import { parseDecimal } from '#log/decimal.ts'
import { HttpError } from '#src/errors.ts'
import { formatSitemap, formatSitemapIndex, type SitemapUrl } from '#src/feeds/sitemap.ts'
import { sendDocument } from '#src/http/document_reply.ts'
import { policyPath } from '#src/http/policy.ts'
import { readQuery } from '#src/http/query_string.ts'
import type { Edge } from '#src/http/server.ts'

const indexPath = '/sitemap.xml'

/**
 * Positions of the journal that a sitemap covers, and so the most works that it has: a fifth of
 * what the protocol allows, so that one is quickly made. A work is in the sitemap of its last
 * change: sitemaps before the newest only lose works, and are newer than none after them.
 */
const sitemapPositions = 10_000

/** Sitemaps that an index may have, but for the one of the pages that are not of works. */
const sitemapsMax = 49_999

/** Works that are read at a time to find the newest one that stands. */
const standingReads = 16

const xmlType = 'application/xml'
const xmlReply = { content: { [xmlType]: { schema: Type.String() } } }

/** Pages for readers beside those of works. */
const publicPaths = ['/', '/how-it-works', policyPath] as const

/** What leads search engines to the pages of works: sitemaps, and the rules for robots. */
export function registerSitemapRoutes(server: FastifyInstance, edge: Edge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const options = (summary: string) => ({
    ...admission,
    schema: { tags: ['feeds'], summary, response: { 200: xmlReply } },
  })
  const { order } = edge.environments.live.catalogue
  server.get(indexPath, options('The index of the sitemaps.'), async (request, reply) => {
    readQuery(request, {})
    const text = formatSitemapIndex(await listSitemaps(order, edge.baseUrl))
    return sendDocument(request, reply, { text, mediaType: xmlType })
  })
  const pages = options('A sitemap of pages that are not of works.')
  server.get('/sitemaps/pages.xml', pages, (request, reply) => {
    readQuery(request, {})
    const text = formatSitemap(publicPaths.map((path) => ({ url: edge.baseUrl + path })))
    return sendDocument(request, reply, { text, mediaType: xmlType })
  })
  const works = options('A sitemap of works, by the position of their last changes.')
  server.get(
    '/sitemaps/:page.xml',
    works,
    (request: FastifyRequest<{ Params: { page: string } }>, reply) =>
      sendWorks(edge, request, reply),
  )
  server.get('/robots.txt', { ...admission, schema: { hide: true } }, (request, reply) =>
    sendDocument(request, reply, { text: robotsRules(edge), mediaType: 'text/plain' }),
  )
}

/** The sitemaps with works that stand, each with the time of the newest of them. */
async function listSitemaps(order: ChangeOrder, baseUrl: string): Promise<readonly SitemapUrl[]> {
  const sitemaps: SitemapUrl[] = [{ url: `${baseUrl}/sitemaps/pages.xml` }]
  let first = await order.firstFrom(0)
  while (first !== undefined && sitemaps.length <= sitemapsMax) {
    const page = Math.floor(first / sitemapPositions)
    const newest = await newestStanding(order, page)
    if (newest !== undefined) {
      sitemaps.push({ url: `${baseUrl}/sitemaps/${page}.xml`, changedAt: newest.at })
    }
    first = await order.firstFrom((page + 1) * sitemapPositions)
  }
  return sitemaps
}

async function newestStanding(order: ChangeOrder, page: number): Promise<ChangedWork | undefined> {
  const from = page * sitemapPositions
  let before = from + sitemapPositions
  while (before > from) {
    const works = await order.newest({ before, limit: standingReads })
    const found = works.find((work) => work.position >= from && stands(work))
    if (found !== undefined) return found
    before = works.at(-1)?.position ?? from
  }
  return undefined
}

async function sendWorks(
  { environments, baseUrl }: Edge,
  request: FastifyRequest<{ Params: { page: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(request, {})
  const { order } = environments.live.catalogue
  const urls: SitemapUrl[] = []
  const page = parseDecimal(request.params.page)
  const from = (page ?? 0) * sitemapPositions
  if (page !== undefined && Number.isSafeInteger(from + sitemapPositions)) {
    for await (const works of order.between(from, from + sitemapPositions)) {
      for (const work of works.filter(stands)) {
        urls.push({ url: `${baseUrl}/${work.state.identifier}`, changedAt: work.at })
      }
    }
  }
  if (urls.length === 0) throw new HttpError('not_found', 'There is no such sitemap')
  return sendDocument(request, reply, { text: formatSitemap(urls), mediaType: xmlType })
}

function stands({ state }: ChangedWork): boolean {
  return state.status === 'registered'
}

/** What robots may read: pages of works, and others for readers; nothing that is for programs. */
function robotsRules({ baseUrl, accounts, environments }: Edge): string {
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
