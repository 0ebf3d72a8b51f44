import type { FastifyInstance } from 'fastify'

import { encodeHex } from '#log/tlog/encoding.ts'
import { worksFeedPath } from '#src/discovery/feeds/atom.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import { publicStyle, searchScript } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { addressLinks, feedAddress } from '#src/pages/kit/page.ts'
import { asLink, codeBlock, facts, time } from '#src/pages/kit/parts.ts'
import {
  accountsBase,
  pageOptions,
  type PublicPage,
  sendPublicPage,
} from '#src/pages/kit/public_page.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { howItWorksPage } from '#src/pages/public/how_it_works_page.ts'
import { keptFor, workList } from '#src/pages/public/result_list.ts'
import { merkleFigure } from '#src/pages/public/merkle_figure.ts'
import { searchBox } from '#src/pages/public/search_form.ts'
import { figures, frame, home } from '#src/words/english.ts'
import { number } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'
import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import { searchRecords } from '#src/use_cases/record_search.ts'
import { activeWorks } from '#src/use_cases/search_parameters.ts'
import { signingTime } from '#src/use_cases/public_log.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { readUsage, type UsageReport } from '#src/use_cases/usage_report.ts'

type NewestWorks = {
  readonly total: number
  /** Whether `total` is the whole number; otherwise there are more. */
  readonly isExact: boolean
  readonly works: readonly ListedWork[]
}

type RegistryFacts = {
  /** Statements in the log. */
  readonly treeSize: number
  /** 64 hex digits. */
  readonly rootHash: string
  /** The time of the newest statement, as receipts spell it; absent while the log is empty. */
  readonly signedAt?: string
  /** How often works were used; absent where nobody counts. */
  readonly usage?: UsageReport
  /** Absent when nothing can be searched. */
  readonly newest?: NewestWorks
}

/** `signUp` is `open` where everybody may make an account. */
type HomeSite = PublicSite & { readonly accounts: { readonly signUp: string } }

/** The first page: what this is, and why its records can be believed. */
function homePage(known: RegistryFacts, site: HomeSite): PublicPage {
  return {
    title: home.title,
    wide: true,
    searches: true,
    current: '/',
    styles: [publicStyle],
    scripts: [searchScript],
    head: html`<meta name="description" content="${home.description}">
${addressLinks(`${site.baseUrl}/`)}
<link rel="alternate" type="application/atom+xml" title="${home.newWorks}"
href="${worksFeedPath}">`,
    body: html`<div class="hero">
<h1>${home.heading}</h1>
<p class="lead">${home.lead({ registry: site.branding.name })}</p>
<form role="search" action="/search">${searchBox('')}</form>
${numbers(known)}
</div>
${reasons(known)}
${checkPart(known, site)}
${newestPart(known.newest, site)}
${known.usage === undefined ? nothing : usageFigure(known.usage, { heading: figures.allWorksUsed })}
${entrances(site)}`,
  }
}

function numbers({ treeSize, signedAt, newest }: RegistryFacts): Html {
  const works = newest && number(newest.total)
  return facts(
    [
      [home.works, works && (newest.isExact ? works : home.over({ count: works }))],
      [home.statements, number(treeSize)],
      [home.newest, signedAt && time(signedAt)],
    ],
    'figures',
  )
}

const steps = [
  [home.registered, home.registeredText],
  [home.signed, home.signedText],
  [home.logged, home.loggedText],
] as const

function reasons({ treeSize, rootHash }: RegistryFacts): Html {
  const items = steps.map(([title, text]) => html`<li><h3>${title}</h3><p>${text}</p></li>`)
  const root =
    treeSize === 0
      ? ''
      : html`<p class="root-line">${home.root({ count: treeSize })} <code>${rootHash}</code></p>`
  return html`<section class="reasons" aria-labelledby="why">
<h2 id="why">${home.why}</h2>
<ol class="steps">${items}</ol>
<div class="reasons-figure">${merkleFigure()}
<div><p>${home.growth}</p>
${root}
<p><a href="/log">${home.seeLog}</a> · <a href="/how-it-works">${home.proves}</a></p></div></div>
</section>`
}

function checkPart({ newest }: RegistryFacts, { baseUrl }: PublicSite): Html {
  const ark = newest?.works[0]?.ark_identifier
  const commands = `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -s ${baseUrl}/api/v1/receipts/${ark ?? 'ark:/…'}/v1 > receipt.json
arklog verify receipt.json --keys keys.json`
  const report = `line 1: proven: ${ark ?? 'ark:/…'} v1 registered …
  done   signature    the pinned key signed exactly this statement
  done   inclusion    leaf … leads to merkle_root in … hashes
  done   checkpoint   the log … signed the checkpoint
  …`
  return html`<section aria-labelledby="check">
<h2 id="check">${home.check}</h2>
<p>${home.checkText}</p>
${codeBlock(home.commands, commands)}
${codeBlock(home.output, report)}
<p>${home.byHand({ link: asLink('/how-it-works#by-hand') })}</p>
</section>`
}

function newestPart(newest: NewestWorks | undefined, site: PublicSite): Html {
  if (newest === undefined) return nothing
  if (newest.works.length === 0) return firstWorkPart(site)
  return html`<section aria-labelledby="newest">
<h2 id="newest">${home.latest}</h2>
${workList(newest.works)}
<p><a href="/search">${home.allWorks}</a> ·
<a href="${feedAddress(worksFeedPath)}">${frame.feed}</a></p>
</section>`
}

function firstWorkPart({ baseUrl }: PublicSite): Html {
  const command = `curl -sS ${baseUrl}/v1/works \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"work_title":"Notes by the translator","work_type":"article",
       "authors":"Ada Lovelace","work_url":"https://example.org/notes"}'`
  return html`<section class="empty empty-wide" aria-labelledby="newest">
<h2 id="newest">${home.noWorks}</h2>
<p>${home.noWorksText}</p>
${codeBlock(home.firstCommand, command)}
</section>`
}

function entrances(site: HomeSite): Html {
  const accounts = accountsBase(site)
  const cards = [
    entrance(home.publishers, home.publishersText, [
      ['/docs', frame.api],
      [`${accounts}/organizations`, home.yourOrganization],
    ]),
    entrance(home.researchers, home.researchersText, [
      ...(site.accounts.signUp === 'open'
        ? [[`${accounts}/sign-up`, home.createAccount] as const]
        : []),
      [`${accounts}/sign-in`, frame.signIn],
    ]),
    entrance(home.harvesters, home.harvestersText, [
      ['/api/v1/oai?verb=Identify', 'OAI-PMH'],
      [feedAddress(worksFeedPath), home.feed],
      ['/sitemap.xml', home.sitemap],
    ]),
    entrance(home.verifiers, home.verifiersText, [
      ['/log', home.log],
      ['/log/checkpoint', home.checkpoint],
      ['/.well-known/svc-keys.json', frame.keys],
      ['/how-it-works#monitors', home.monitor],
    ]),
  ]
  return html`<section aria-labelledby="entrances"><h2 id="entrances">${home.entrances}</h2>
<div class="entrances">${cards}</div></section>`
}

function entrance(
  name: Text,
  text: Text,
  links: readonly (readonly [href: Text, text: Text])[],
): Html {
  const items = links.map(([href, said]) => html`<li><a href="${href}">${said}</a></li>`)
  return html`<div class="card"><h3>${name}</h3><p>${text}</p>
<ul class="plain">${items}</ul></div>`
}

type HomePageEdge = Pick<
  RegistryEdge,
  | 'count'
  | 'elapsedMs'
  | 'nowMs'
  | 'baseUrl'
  | 'branding'
  | 'environments'
  | 'accounts'
  | 'search'
  | 'usage'
>

const newestMax = 4

/** `GET /`, for readers and as JSON for programs, and the page that says how to check a record. */
export function registerHomePageRoutes(server: FastifyInstance, edge: HomePageEdge): void {
  const options = pageOptions(edge, 'pages')
  const newest = keptFor(edge.elapsedMs, () => newestWorks(edge))
  server.get('/', options, async (request, reply) => {
    reply.header('vary', 'Accept')
    const known = await registryFacts(edge, newest)
    const asked = chooseMediaType(request.headers.accept, ['text/html', 'application/json'])
    if (asked.type === 'named' && asked.mediaType === 'application/json') {
      return reply.header('cache-control', 'no-cache').send(entryPoints(edge, known))
    }
    return sendPublicPage(homePage(known, edge), reply, edge)
  })
  server.get('/how-it-works', options, async (_request, reply) => {
    const { works: [work] = [] } = (await newest()) ?? {}
    const { policy } = edge.environments.live.log.cosigned()
    const shown = { ark: work?.ark_identifier, policy }
    return sendPublicPage(howItWorksPage(edge.baseUrl, shown), reply, edge)
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
    ...(treeSize > 0 && { signedAt: signingTime(live.log, treeSize - 1) }),
    ...(usage && { usage: readUsage(usage, subject, { granularity: 'month' }, nowMs()) }),
    ...(found !== undefined && { newest: found }),
  }
}

/** The newest works; undefined if they cannot be searched now, for whatever reason. */
async function newestWorks(edge: HomePageEdge): Promise<NewestWorks | undefined> {
  const { search, environments, baseUrl } = edge
  const sort = { ...activeWorks, sort: 'newest' }
  // All who come in these seconds are shown what one search has found.
  const source = { service: search?.live, searcher: { caller: 'the first page' } }
  const page = await searchRecords(source, 'works', sort, newestMax).catch(() => undefined)
  if (page === undefined) return undefined
  const works = await readListedWorks(page.ids, { environment: environments.live, baseUrl })
  return { total: page.total, isExact: page.isExact, works }
}

function entryPoints(
  { baseUrl, accounts, environments, branding }: HomePageEdge,
  known: RegistryFacts,
) {
  const { origin, vkey } = environments.live
  return {
    name: branding.name,
    description: 'A registry of scholarly works that proves what was registered, and when.',
    log: {
      origin,
      vkey,
      tree_size: known.treeSize,
      root_hash: known.rootHash,
      newest_at: known.signedAt ?? null,
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
