import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { parseEntry } from '#actors/receipts/statement.ts'
import { assert } from '#log/base/errors.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import { readListedWorks } from '#src/use_cases/listed_works.ts'
import { searchRecords } from '#src/use_cases/record_search.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { homePage, type NewestWorks, type RegistryFacts } from '#src/pages/public/home_page.ts'
import { howItWorksPage } from '#src/pages/public/how_it_works_page.ts'
import { keptFor } from '#src/pages/public/kept_result.ts'
import { sendPublicPage } from '#src/pages/kit/public_page.ts'

type HomePageEdge = Pick<
  RegistryEdge,
  'count' | 'elapsedMs' | 'nowMs' | 'baseUrl' | 'environments' | 'accounts' | 'search' | 'usage'
>

/** Works that the first page shows. */
const newestMax = 4

/** `GET /`, for readers and as JSON for programs, and the page that says how to check a record. */
export function registerHomePageRoutes(server: FastifyInstance, edge: HomePageEdge): void {
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('pages', request, reply),
    schema: { hide: true },
  }
  const newest = keptFor(edge.elapsedMs, () => newestWorks(edge))
  server.get('/', options, async (request, reply) => {
    reply.header('vary', 'Accept')
    const facts = await registryFacts(edge, newest)
    const asked = chooseMediaType(request.headers.accept, ['text/html', 'application/json'])
    if (asked.type === 'named' && asked.mediaType === 'application/json') {
      return reply.header('cache-control', 'no-cache').send(entryPoints(edge, facts))
    }
    return sendPublicPage(homePage(facts, edge), reply, edge)
  })
  server.get('/how-it-works', options, async (_request, reply) => {
    const { works: [work] = [] } = (await newest()) ?? {}
    return sendPublicPage(howItWorksPage(edge.baseUrl, work?.ark_identifier), reply, edge)
  })
}

async function registryFacts(
  { environments: { live }, usage, nowMs }: HomePageEdge,
  newest: () => Promise<NewestWorks | undefined>,
): Promise<RegistryFacts> {
  const found = await newest()
  const { treeSize, rootHash } = live.log.head()
  const subject = { environment: 'live', of: 'everything' } as const
  return {
    treeSize,
    rootHash: encodeHex(rootHash),
    ...(treeSize > 0 && { signedAt: statementTime(live.log.entry(treeSize - 1)) }),
    ...(usage && { usage: readUsage(usage, subject, { granularity: 'month' }, nowMs()) }),
    ...(found !== undefined && { newest: found }),
  }
}

function statementTime(entry: Uint8Array): string {
  const parsed = parseEntry(entry)
  assert(!('type' in parsed), 'the log has entries of its own making only')
  return parsed.statement.timestamp
}

/** The newest works; undefined if they cannot be searched now, for whatever reason. */
async function newestWorks(edge: HomePageEdge): Promise<NewestWorks | undefined> {
  const { search, environments, baseUrl } = edge
  const sort = { sort: 'newest' }
  // All who come in these seconds are shown what one search has found.
  const source = { service: search?.live, searcher: { caller: 'the first page' } }
  const page = await searchRecords(source, 'works', sort, newestMax).catch(() => undefined)
  if (page === undefined) return undefined
  const works = await readListedWorks(page.ids, { environment: environments.live, baseUrl })
  return { total: page.total, isExact: page.isExact, works }
}

/** Where programs begin. */
function entryPoints({ baseUrl, accounts, environments }: HomePageEdge, facts: RegistryFacts) {
  const { origin, vkey } = environments.live
  return {
    name: 'Arklog',
    description: 'A registry of scholarly works that proves what was registered, and when.',
    log: {
      origin,
      vkey,
      tree_size: facts.treeSize,
      root_hash: facts.rootHash,
      newest_at: facts.signedAt ?? null,
    },
    links: {
      interface: `${baseUrl}/openapi.json`,
      resolve: `${baseUrl}/api/v1/resolve/{ark}`,
      receipt: `${baseUrl}/api/v1/receipts/{ark}/v{version}`,
      checkpoint: `${baseUrl}/log/checkpoint`,
      keys: `${baseUrl}/.well-known/svc-keys.json`,
      oai: `${baseUrl}/api/v1/oai?verb=Identify`,
      search: `${baseUrl}/v1/search/works{?q}`,
      openid_configuration: `${accounts.authUrl}/.well-known/openid-configuration`,
    },
  }
}
