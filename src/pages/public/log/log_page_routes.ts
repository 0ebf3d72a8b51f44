import type { FastifyInstance, FastifyRequest } from 'fastify'

import {
  compareCheckpoints,
  describeWitnesses,
  findInLog,
  listCheckpoints,
  LogGrowthReader,
  proveEntry,
  readLogged,
  readLoggedRange,
} from '#src/use_cases/public_log.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { integerParameter, readPageQuery, textParameter } from '#src/edge/query_string.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import {
  checkpointsPage,
  comparePage,
  comparisonAskedPage,
} from '#src/pages/public/log/tree_pages.ts'
import {
  entriesPage,
  entryPage,
  foundPage,
  notFoundPage,
} from '#src/pages/public/log/entry_pages.ts'
import type { ShownLog } from '#src/pages/public/log/log_site.ts'
import { overviewPage } from '#src/pages/public/log/overview_page.ts'

type LogPageEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts'
>

const newestMax = 8
const entriesMax = 50

const checkpointsMax = 50

const counts = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

const searched = {
  q: textParameter('What is looked for.', /^[^]{0,2000}$/, 'up to 2,000 characters'),
}

const listed = {
  before: integerParameter('The index that the newest entry stands before.', counts),
}

const comparedSizes = {
  old: integerParameter('Entries of the older checkpoint.', counts),
  new: integerParameter('Entries of the newer checkpoint.', counts),
}

/** What a page is made of: a page, or the path where the browser goes on. */
type Made = PublicPage | { readonly redirect: string }

/**
 * The pages of both logs, for people: `/log`, and below it `entries`,
 * `checkpoints` and `compare`. Programs find there what they
 * find at any address that is not one of theirs.
 */
export function registerLogPageRoutes(server: FastifyInstance, edge: LogPageEdge): void {
  const { live, sandbox } = edge.environments
  for (const log of [
    { prefix: '', environment: live },
    { prefix: '/sandbox', environment: sandbox },
  ] as const) {
    const add = pageAdder(server, edge, log)
    const growth = new LogGrowthReader(log.environment.log)
    add('', (request) => overview(request, log, growth))
    add('/entries', (request) => entryList(request, log))
    add('/entries/:index', (request) => oneEntry(request, log))
    add('/checkpoints', (request) => history(request, log))
    add('/compare', (request) => comparison(request, log))
  }
}

/** Adds pages of a log: only who would rather read a page than data is given one. */
function pageAdder(server: FastifyInstance, edge: LogPageEdge, { prefix }: ShownLog) {
  const options = pageOptions(edge, 'pages')
  return (path: string, make: (request: FastifyRequest) => Made | Promise<Made>): void => {
    server.get(`${prefix}/log${path}`, options, async (request, reply) => {
      reply.header('vary', 'Accept')
      if (!prefersHtml(request)) return reply.callNotFound()
      if (prefix !== '') markSandbox(reply)
      const made = await make(request)
      if ('redirect' in made) return reply.redirect(made.redirect, 303)
      return sendPublicPage({ ...made, ...addressesOf(request, edge, made) }, reply, edge)
    })
  }
}

/** The address of a page in each language: crawlers need no parts of lists and no comparisons. */
function addressesOf(
  { originalUrl, query }: FastifyRequest,
  { baseUrl }: LogPageEdge,
  { status }: PublicPage,
): Pick<PublicPage, 'head'> {
  const isWhole = Object.keys(query as object).every((name) => name === 'lang')
  const [path = ''] = originalUrl.split('?')
  return status === undefined && isWhole ? { head: addressLinks(baseUrl + path) } : {}
}

async function overview(
  request: FastifyRequest,
  log: ShownLog,
  growth: LogGrowthReader,
): Promise<Made> {
  const { q: asked = '' } = readPageQuery(request, searched)
  if (asked.trim() !== '') return search(asked, log)
  const { log: reader } = log.environment
  const { treeSize } = reader.head()
  const newest = await readLoggedRange(reader, Math.max(0, treeSize - newestMax), treeSize)
  const witnesses = describeWitnesses(reader)
  const shown = { newest: newest.toReversed(), witnesses, growth: await growth.read() }
  return overviewPage(shown, log)
}

async function search(asked: string, log: ShownLog): Promise<Made> {
  const finding = await findInLog(log.environment, asked)
  if (finding.type !== 'found') return notFoundPage({ asked, ...finding }, log)
  const [first, ...more] = finding.leaves
  if (more.length === 0) return { redirect: `${log.prefix}/log/entries/${first}` }
  const entries = finding.leaves.map((leaf) => readLogged(log.environment.log, leaf))
  return foundPage({ asked, what: finding.what, entries }, log)
}

async function entryList(request: FastifyRequest, log: ShownLog): Promise<Made> {
  const { log: reader } = log.environment
  const { treeSize } = reader.head()
  const { before = treeSize } = readPageQuery(request, listed)
  const end = Math.min(before, treeSize)
  const entries = await readLoggedRange(reader, Math.max(0, end - entriesMax), end)
  return entriesPage({ entries: entries.toReversed(), before: end }, log)
}

async function oneEntry(request: FastifyRequest, log: ShownLog): Promise<Made> {
  const { index: text } = request.params as { readonly index: string }
  const index = parseDecimal(text)
  const { log: reader } = log.environment
  // What is told of one that is not there is counted as people do.
  if (index === undefined) return search(text, log)
  if (index >= reader.head().treeSize) return search(`${index + 1}`, log)
  return entryPage(readLogged(reader, index), proveEntry(reader, index), log)
}

async function history(request: FastifyRequest, log: ShownLog): Promise<Made> {
  const { log: reader } = log.environment
  const { before } = readPageQuery(request, listed)
  const end = before ?? reader.head().treeSize + 1
  const page = await listCheckpoints(reader, { before: end, limit: checkpointsMax })
  return checkpointsPage({ ...page, isFirst: before === undefined }, log)
}

async function comparison(request: FastifyRequest, log: ShownLog): Promise<Made> {
  const { old: from, new: to } = readPageQuery(request, comparedSizes)
  if (from === undefined || to === undefined) return comparisonAskedPage(log)
  return comparePage(await compareCheckpoints(log.environment.log, from, to), { from, to }, log)
}
