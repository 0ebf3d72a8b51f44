import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/registry/catalogue/port.ts'
import { workLink } from '#actors/registry/catalogue/representation.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { parseArk } from '#actors/values/ark.ts'
import { doiUrl } from '#actors/values/identifier.ts'
import { isGrave, noticeKinds, noticesOn } from '#actors/works/update_notices.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { assert, undefinedIfDamage } from '#log/tlog/errors.ts'
import {
  type AtomFeed,
  atomType,
  type ChangedWork,
  changeEntry,
  checkpointEntry,
  type FeedChange,
  type FeedWork,
  feedTitles,
  formatAtom,
  logFeedPath,
  organizationFeedPath,
  retractionsFeedPath,
  retractionsFilePath,
  searchFeedPaths,
  workEntries,
  workEntry,
  workFeedPath,
  worksFeedPath,
} from '#src/discovery/feeds/atom.ts'
import { formatJsonFeed, jsonFeedType } from '#src/discovery/feeds/json_feed.ts'
import {
  formatSitemap,
  formatSitemapIndex,
  listWorkSitemaps,
  readWorkSitemap,
  type SitemapLimits,
} from '#src/discovery/feeds/sitemap.ts'
import { csvNote, csvRow } from '#src/discovery/formats/csv_row.ts'
import { newest as newestFirst } from '#src/discovery/search/index_shape.ts'
import { HttpError } from '#src/edge/errors.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import { languageParameter, languageParameters, replyLanguage } from '#src/edge/reader_language.ts'
import { sendDocument, sendFile } from '#src/edge/rendered_reply.ts'
import { conditionalRead, contentReply } from '#src/edge/reply_schemas.ts'
import { shownWorkOfPath, type WorkRequest } from '#src/http/kit/works.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import { policyPath } from '#src/use_cases/operator_address.ts'
import { signingTime } from '#src/use_cases/public_log.ts'
import {
  publicSearch,
  renderResults,
  searchRecords,
  type SearchSource,
} from '#src/use_cases/record_search.ts'
import type { Registry, RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { filterParameters, viewParameters } from '#src/use_cases/search_parameters.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'

/** A page of works that readers must not rely on without a look, and where the next one begins. */
type RetractedPage = { readonly works: readonly FeedWork[]; readonly next: string | null }

const grave = { type: 'any_of', field: 'notice', values: noticeKinds.filter(isGrave) } as const

/**
 * Works with a grave notice on them, those that were withdrawn as retracted among them. Errors: as
 * `searchRecords`.
 */
async function readRetracted(
  source: SearchSource,
  registry: Registry,
  page: { readonly sort: 'updated' | 'newest'; readonly limit: number; readonly cursor?: string },
): Promise<RetractedPage> {
  const { limit, ...asked } = page
  const found = await searchRecords(source, 'works', { ...asked, notice: [grave] }, limit)
  const texts = await renderResults('works', found.ids, registry)
  return { works: texts.map((text) => JSON.parse(text) as FeedWork), next: found.nextCursor }
}

/** Works of one page of the file, and pages at most. A work with many long notices has 400 kB. */
const pageWorks = 50
const pagesMax = 2_000

const columns = [
  'ark',
  'url',
  'doi',
  'title',
  'authors',
  'kind',
  'date',
  'by',
  'notice',
  'reason',
  'status',
] as const

/** The rows of the file of all retractions: one for each grave notice, newest works first. */
async function* retractionRows(source: SearchSource, registry: Registry): AsyncGenerator<string> {
  const header = csvRow(columns)
  // By this mark programs for tables know that it is UTF-8.
  yield `\ufeff${header}`
  let cursor: string | null | undefined
  for (let pages = 0; cursor !== null; pages += 1) {
    if (pages === pagesMax) {
      yield csvNote(`cut off after ${pagesMax * pageWorks} works`, header)
      return
    }
    try {
      const page = { sort: 'newest', limit: pageWorks, ...(cursor && { cursor }) } as const
      const { works, next } = await readRetracted(source, registry, page)
      yield works.map((work) => rowsOf(work, registry.baseUrl)).join('')
      cursor = next
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      yield csvNote(`cut off: ${error.message}`, header)
      return
    }
  }
}

function rowsOf(work: FeedWork, baseUrl: string): string {
  const { ark_identifier: ark, existing_doi: doi, work_title: title, authors } = work
  const about = [ark, `${baseUrl}/${ark}`, doi, title, authors]
  const told = noticesOn(work).filter(({ kind }) => isGrave(kind))
  const isTold = told.some(({ kind }) => kind === 'retraction')
  const { withdrawal_reason: reason, withdrawn_at: at = '' } = work
  const isEnded = reason === 'retraction'
  const day = at.slice(0, 10)
  const rows = told.map((notice) => {
    const where = notice.doi === undefined ? notice.ark : doiUrl(notice.doi)
    const date = notice.date ?? (isEnded && notice.kind === 'retraction' ? day : undefined)
    return [...about, notice.kind, date, notice.by, where, notice.reason, work.status]
  })
  const own = [...about, 'retraction', day, undefined, undefined, undefined, work.status]
  return [...rows, ...(isEnded && !isTold ? [own] : [])].map(csvRow).join('')
}

type FeedEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'takeTurn' | 'config' | 'search' | 'suspensions'
>

/** Entries on one page of a feed. */
const entriesMax = 50

const pageParameters = {
  ...languageParameters,
  before: integerParameter('Where the page begins: part of the `next` link of the page before.', {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
}

const atomReply = contentReply('The feed.', atomType)

/** What a page of a feed is made from, but for what all feeds have alike. */
type FeedPage = Pick<AtomFeed, 'title' | 'language' | 'links' | 'entries'> & {
  /** With what is asked for, but for the page. */
  readonly path: string
  /** The parameter that says which page it is; `before` unless told. */
  readonly pageName?: string
  readonly before: number | string | undefined
  /** The value of that parameter for the page with older entries. */
  readonly next: number | string | null
  /** When the feed began; it is shown as long as nothing is in it. */
  readonly since?: string
}

/** When an empty feed was updated whose beginning is not known. */
const epoch = '1970-01-01T00:00:00.000Z'

/** Feeds of what is registered and what happens to it, for everybody, in Atom (RFC 4287). */
export function registerFeedRoutes(server: FastifyInstance, edge: FeedEdge): void {
  const admission = edge.admit({ type: 'public', limit: 'public_read' }, pageParameters)
  const options = (operationId: string, summary: string) => ({
    ...admission,
    schema: {
      operationId,
      ...conditionalRead,
      tags: ['feeds'],
      summary,
      response: { 200: atomReply },
    },
  })
  const works = options('getWorksFeed', 'A feed of the works that were registered or changed last.')
  server.get(worksFeedPath, works, (request, reply) =>
    edge.takeTurn(reply, () => sendWorksFeed(edge, request, reply)),
  )
  registerRetractions(server, edge)
  registerSearchFeeds(server, edge)
  server.get(
    organizationFeedPath(':slug'),
    options('getOrganizationFeed', 'A feed of the works that an organization has registered.'),
    (request: FastifyRequest<{ Params: { slug: string } }>, reply) =>
      edge.takeTurn(reply, () => sendOrganizationFeed(edge, request, reply)),
  )
  server.get(
    workFeedPath(':ark'),
    options(
      'getWorkFeed',
      'A feed of what happens to a work: versions, checks of its content, its end.',
    ),
    (request: WorkRequest, reply) => edge.takeTurn(reply, () => sendWorkFeed(edge, request, reply)),
  )
  server.get(
    logFeedPath,
    options('getLogFeed', 'A feed of the checkpoints of the log.'),
    (request, reply) => sendLogFeed(edge, request, reply),
  )
}

/** The feed of retracted works and the file of all of them, from the index of the search. */
function registerRetractions(server: FastifyInstance, edge: FeedEdge): void {
  const { live: environment } = edge.environments
  const registry = { environment, baseUrl: edge.baseUrl }
  const schema = (operationId: string, summary: string, reply: object, parameters = {}) => ({
    ...edge.admit({ type: 'public', limit: 'public_read' }, parameters),
    schema: { operationId, tags: ['feeds'], summary, response: { 200: reply } },
  })
  const feed = schema(
    'getRetractionsFeed',
    'A feed of the works that were retracted, removed or withdrawn, or cause concern: the 50 ' +
      'that were changed last.',
    atomReply,
    languageParameters,
  )
  server.get(retractionsFeedPath, feed, async (request, reply) => {
    readQuery(request, languageParameters)
    const language = replyLanguage(request, reply)
    const source = publicSearch(edge, request.ip, reply.standAside())
    const { works } = await readRetracted(source, registry, { sort: 'updated', limit: entriesMax })
    return sendFeed(edge, request, reply, {
      path: retractionsFeedPath,
      language,
      title: feedTitles.retractions({ registry: edge.config.REPOSITORY_NAME }),
      links: [{ rel: 'alternate', href: edge.baseUrl + retractionsFilePath, type: csvType }],
      entries: works.map((work) => workEntry(work, edge.baseUrl, language)),
      before: undefined,
      next: null,
    })
  })
  const file = schema(
    'getRetractionsFile',
    'All works that were retracted, removed or withdrawn, or cause concern: a row for each notice.',
    contentReply('A table.', csvType),
  )
  server.get(retractionsFilePath, file, async (request, reply) => {
    readQuery(request, {})
    const source = publicSearch(edge, request.ip, reply.standAside())
    const pieces = retractionRows(source, registry)
    await sendFile(reply, { mediaType: csvType, fileName: 'retractions.csv', pieces })
    return reply
  })
}

const csvType = 'text/csv'

/** The feeds of a search: the works that it finds, those that were registered last first. */
function registerSearchFeeds(server: FastifyInstance, edge: FeedEdge): void {
  const { live: environment } = edge.environments
  const { q, cursor } = viewParameters('works')
  const searched = { q, ...filterParameters.works, cursor }
  const parameters = { ...searched, ...languageParameters }
  const admission = edge.admit({ type: 'public', limit: 'search_page' }, parameters)
  const formats = [
    ['atom', 'getSearchFeed', 'A feed', atomReply],
    ['json', 'getSearchJsonFeed', 'A JSON Feed', contentReply('The feed.', jsonFeedType)],
  ] as const
  for (const [format, operationId, kind, response] of formats) {
    const summary = `${kind} of the works that a search finds, those registered last first.`
    const schema = {
      operationId,
      ...conditionalRead,
      tags: ['search', 'feeds'],
      summary,
      response: { 200: response },
    }
    server.get(searchFeedPaths[format], { ...admission, schema }, async (request, reply) => {
      const { lang: _, ...values } = readQuery(request, parameters)
      const language = replyLanguage(request, reply)
      const source = publicSearch(edge, request.ip, reply.standAside())
      const asked = { ...values, sort: newestFirst }
      const found = await searchRecords(source, 'works', asked, entriesMax)
      const registry = { environment, baseUrl: edge.baseUrl }
      const texts = await renderResults('works', found.ids, registry)
      const query = new URLSearchParams(request.originalUrl.split('?')[1])
      query.delete('cursor')
      query.delete(languageParameter)
      const search = query.size === 0 ? '' : `?${query}`
      return sendFeed(edge, request, reply, {
        path: `${searchFeedPaths[format]}${search}`,
        pageName: 'cursor',
        language,
        title: searchTitle(edge.config.REPOSITORY_NAME, values.q),
        links: [{ rel: 'alternate', href: `${edge.baseUrl}/search${search}`, type: 'text/html' }],
        entries: texts.map((text) =>
          workEntry(JSON.parse(text) as FeedWork, edge.baseUrl, language),
        ),
        before: values.cursor,
        next: found.nextCursor,
      })
    })
  }
}

function searchTitle(registry: string, typed = ''): AtomFeed['title'] {
  const query = typed.trim()
  return query === '' ? feedTitles.found({ registry }) : feedTitles.foundFor({ query, registry })
}

async function sendWorksFeed(
  edge: FeedEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { before } = readQuery(request, pageParameters)
  const { live } = edge.environments
  const language = replyLanguage(request, reply)
  const page = { limit: entriesMax, ...(before !== undefined && { before }) }
  const works = await live.catalogue.order.newest(page)
  const last = works.at(-1)
  return sendFeed(edge, request, reply, {
    path: worksFeedPath,
    language,
    title: feedTitles.works({ registry: edge.config.REPOSITORY_NAME }),
    links: [{ rel: 'alternate', href: `${edge.baseUrl}/`, type: 'text/html' }],
    entries: await workEntries(
      standingWorks(
        live,
        works.map(({ state }) => state.ark),
      ),
      edge.baseUrl,
      language,
    ),
    before,
    next: last !== undefined && works.length === entriesMax ? last.position : null,
  })
}

async function sendOrganizationFeed(
  edge: FeedEdge,
  request: FastifyRequest<{ Params: { slug: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { before } = readQuery(request, pageParameters)
  const { live } = edge.environments
  const { slug } = request.params
  const language = replyLanguage(request, reply)
  const organization = nameOrganization(live, slug)
  const page = { limit: entriesMax, ...(before !== undefined && { cursor: before }) }
  const { works, next } = await live.holdings.works({ type: 'organization', id: slug }, page)
  const arks = works.map((work) => arkOf(work.ark_identifier))
  return sendFeed(edge, request, reply, {
    path: organizationFeedPath(slug),
    language,
    title: feedTitles.organization({ organization: organization.name }),
    links: [{ rel: 'alternate', href: `${edge.baseUrl}/publishers/${slug}`, type: 'text/html' }],
    entries: await workEntries(standingWorks(live, arks), edge.baseUrl, language),
    before,
    next,
    since: organization.created_at,
  })
}

async function sendWorkFeed(
  edge: FeedEdge,
  request: WorkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { before } = readQuery(request, pageParameters)
  const { environment, ark } = shownWorkOfPath(edge, request, reply)
  const { catalogue } = environment
  const language = replyLanguage(request, reply)
  const page = { limit: entriesMax, ...(before !== undefined && { cursor: before }) }
  const [found, history] = [await catalogue.work(ark), await catalogue.history(ark, page)]
  if (found.type === 'not_found' || history.type === 'not_found') {
    throw workNotFound(environment, ark)
  }
  const work = read<{ work_title?: string; links: Readonly<Record<string, string>> }>(found)
  const { ark: identifier, events, next } = read<History>(history)
  const url = `${edge.baseUrl}/${identifier}`
  const receiptUrl = (version: number) => workLink('receipt', edge.baseUrl, identifier, version)
  const changed: ChangedWork = { url, receiptUrl }
  return sendFeed(edge, request, reply, {
    path: workFeedPath(identifier),
    language,
    title: work.work_title ?? identifier,
    links: [{ rel: 'alternate', href: url, type: 'text/html' }],
    entries: events.map((event) => changeEntry(event, changed, language)),
    before,
    next,
  })
}

/** The normal form of an ARK that a record shows. */
function arkOf(identifier: string): string {
  const parsed = parseArk(identifier)
  assert(parsed.type === 'ark', 'a record shows its ARK')
  return parsed.ark
}

type History = {
  readonly ark: string
  readonly events: readonly FeedChange[]
  readonly next: number | null
}

function read<T>({ body }: Rendered): T {
  return JSON.parse(Buffer.from(body).toString('utf8')) as T
}

async function sendLogFeed(
  edge: FeedEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { before } = readQuery(request, pageParameters)
  const { log, origin } = edge.environments.live
  const language = replyLanguage(request, reply)
  const heads = await log.checkpointsBefore({
    before: before ?? log.head().treeSize + 1,
    limit: entriesMax,
  })
  const last = heads.at(-1)
  return sendFeed(edge, request, reply, {
    path: logFeedPath,
    language,
    title: feedTitles.checkpoints({ origin }),
    links: [{ rel: 'alternate', href: `${edge.baseUrl}/log/checkpoint`, type: 'text/plain' }],
    entries: heads.map((head) => {
      const at = signingTime(log, head.treeSize - 1)
      return checkpointEntry(head, { signedAt: at, baseUrl: edge.baseUrl }, language)
    }),
    before,
    next: last !== undefined && heads.length === entriesMax ? last.treeSize : null,
  })
}

/** The works of ARKs, `naan/name`, that stand and are sound, as `GET …/works/{ark}` has them. */
async function* standingWorks(
  { catalogue }: ServedEnvironment,
  arks: readonly string[],
): AsyncGenerator<Uint8Array> {
  for (const ark of arks) {
    const found = await catalogue.work(ark).catch(undefinedIfDamage)
    if (found?.type === 'found' && found.status === 'registered') yield found.body
  }
}

/** Sends a page of a feed. */
function sendFeed(
  { baseUrl, config }: FeedEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, pageName = 'before', before, next, since = epoch, ...page }: FeedPage,
): FastifyReply {
  const newest = page.entries.reduce((time, { updated }) => (updated > time ? updated : time), '')
  const { [languageParameter]: asked } = request.query as Readonly<Record<string, string>>
  const address = asked === undefined ? path : path + queryPart(path, languageParameter, asked)
  const at = (place: number | string) => queryPart(address, pageName, place)
  const feed = {
    ...page,
    url: baseUrl + address,
    author: config.REPOSITORY_NAME,
    updated: newest === '' ? since : newest,
    query: before === undefined ? '' : at(before),
    next: next === null ? undefined : at(next),
  }
  return path.startsWith(searchFeedPaths.json)
    ? sendDocument(request, reply, { text: formatJsonFeed(feed), mediaType: jsonFeedType })
    : sendDocument(request, reply, { text: formatAtom(feed), mediaType: atomType })
}

function queryPart(address: string, name: string, value: number | string): string {
  return `${address.includes('?') ? '&' : '?'}${name}=${value}`
}

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
