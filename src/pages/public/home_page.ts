import type { FastifyInstance } from 'fastify'

import { parseEntry } from '#actors/works/receipts/statement.ts'
import { assert } from '#log/tlog/errors.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import { worksFeedPath } from '#src/discovery/feeds/atom.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import { publicStyle, searchScript } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { codeBlock, facts, time } from '#src/pages/kit/parts.ts'
import {
  accountsBase,
  pageOptions,
  type PublicPage,
  sendPublicPage,
} from '#src/pages/kit/public_page.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { howItWorksPage } from '#src/pages/public/how_it_works_page.ts'
import { keptFor } from '#src/pages/public/kept_result.ts'
import { merkleFigure } from '#src/pages/public/merkle_figure.ts'
import { workList } from '#src/pages/public/result_list.ts'
import { searchBox } from '#src/pages/public/search_form.ts'
import type { PublicSite } from '#src/use_cases/landing_record.ts'
import { type ListedWork, readListedWorks } from '#src/use_cases/listed_works.ts'
import { searchRecords } from '#src/use_cases/record_search.ts'
import { activeWorks } from '#src/use_cases/search_parameters.ts'
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

const description =
  'A registry of scholarly works: permanent identifiers, every version kept, and a signed, ' +
  'append-only log by which anybody can check what was registered, and when.'

/** `signUp` is `open` where everybody may make an account. */
type HomeSite = PublicSite & { readonly accounts: { readonly signUp: string } }

/** The first page: what this is, and why its records can be believed. */
function homePage(known: RegistryFacts, site: HomeSite): PublicPage {
  return {
    title: 'A registry of scholarly works that anybody can check',
    wide: true,
    searches: true,
    current: '/',
    styles: [publicStyle],
    scripts: [searchScript],
    head: html`<meta name="description" content="${description}">
<link rel="canonical" href="${site.baseUrl}/">
<link rel="alternate" type="application/atom+xml" title="New works" href="${worksFeedPath}">`,
    body: html`<div class="hero">
<h1>Scholarly works, registered so that anybody can check</h1>
<p class="lead">Arklog gives a work a permanent identifier, keeps every version of it, and proves
what was registered and when. You need not trust us: you can check.</p>
<form role="search" action="/search">${searchBox('')}</form>
${figures(known)}
</div>
${reasons(known)}
${checkPart(known, site)}
${newestPart(known.newest, site)}
${known.usage === undefined ? nothing : usageFigure(known.usage, { of: 'works are used' })}
${entrances(site)}`,
  }
}

function figures({ treeSize, signedAt, newest }: RegistryFacts): Html {
  const works = newest && (newest.isExact ? '' : 'over ') + formatNumber(newest.total)
  return facts(
    [
      ['works registered', works],
      ['signed statements in the log', formatNumber(treeSize)],
      ['newest statement signed', signedAt && time(signedAt)],
    ],
    'figures',
  )
}

const steps = [
  [
    'Registered',
    'A publisher registers a work. It gets an ARK, which is never used again for anything else. ' +
      'A change makes a new version; the old ones stay.',
  ],
  [
    'Signed',
    'Each version gets a receipt: its metadata and its content as SHA-256 hashes, and the time, ' +
      'signed with Ed25519.',
  ],
  [
    'Logged',
    'The receipt goes into an append-only log before the answer goes out. One root hash stands ' +
      'for all of it: no entry can be changed or taken out without changing the root.',
  ],
] as const

function reasons({ treeSize, rootHash }: RegistryFacts): Html {
  const items = steps.map(([title, text]) => html`<li><h3>${title}</h3><p>${text}</p></li>`)
  const root =
    treeSize === 0
      ? ''
      : html`<p class="root-line">Root hash of the ${formatNumber(treeSize)} entries now:
<code>${rootHash}</code></p>`
  return html`<section class="reasons" aria-labelledby="why">
<h2 id="why">Why its records can be believed</h2>
<ol class="steps">${items}</ol>
<div class="reasons-figure">${merkleFigure()}
<div><p>Your receipt and a handful of hashes lead to the root that the log has signed. Whoever has
kept an older root can prove that the log has only grown since; a monitor does so all the time.</p>
${root}
<p><a href="/log">Look into the log</a> · <a href="/how-it-works">What this proves, and what it does
not</a></p></div></div>
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
<h2 id="check">Check one yourself</h2>
<p>On the page of every work a button checks its receipt in your browser. On your own machine three
lines do, the last of them without a network; no key, no account:</p>
${codeBlock('Commands that check a receipt', commands)}
${codeBlock('What they answer', report)}
<p>Rather not run our program? <a href="/how-it-works#by-hand">The same with openssl and a few lines
of Python.</a></p>
</section>`
}

function newestPart(newest: NewestWorks | undefined, site: PublicSite): Html {
  if (newest === undefined) return nothing
  if (newest.works.length === 0) return firstWorkPart(site)
  return html`<section aria-labelledby="newest">
<h2 id="newest">Registered last</h2>
${workList(newest.works)}
<p><a href="/search">All works</a> · <a href="${worksFeedPath}">Feed</a></p>
</section>`
}

function firstWorkPart({ baseUrl }: PublicSite): Html {
  const command = `curl -sS ${baseUrl}/v1/works \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"work_title":"Notes by the translator","work_type":"article",
       "authors":"Ada Lovelace","work_url":"https://example.org/notes"}'`
  return html`<section class="empty empty-wide" aria-labelledby="newest">
<h2 id="newest">No works yet</h2>
<p>This registry is new. With the key that its first start has printed, the first work is one
command away:</p>
${codeBlock('The command that registers a work', command)}
</section>`
}

function entrances(site: HomeSite): Html {
  const accounts = accountsBase(site)
  const cards = [
    entrance(
      'Publishers',
      'Register works, new versions and corrections over HTTP, or import BibTeX and RIS.',
      [
        ['/docs', 'API'],
        [`${accounts}/organizations`, 'Your organization'],
      ],
    ),
    entrance(
      'Researchers',
      'A profile that is yours: you permit who writes to it, and undo what they wrote.',
      [
        ...(site.accounts.signUp === 'open'
          ? [[`${accounts}/sign-up`, 'Make an account'] as const]
          : []),
        [`${accounts}/sign-in`, 'Sign in'],
      ],
    ),
    entrance('Harvesters', 'All metadata by OAI-PMH 2.0 and as feeds, without a key.', [
      ['/api/v1/oai?verb=Identify', 'OAI-PMH'],
      [worksFeedPath, 'Feed of works'],
      ['/sitemap.xml', 'Sitemap'],
    ]),
    entrance('Verifiers', 'The whole log as tiles, its checkpoints and the keys, for anybody.', [
      ['/log', 'The log'],
      ['/log/checkpoint', 'Checkpoint'],
      ['/.well-known/svc-keys.json', 'Keys'],
      ['/how-it-works#monitors', 'Run a monitor'],
    ]),
  ]
  return html`<section aria-labelledby="entrances"><h2 id="entrances">Where to go from here</h2>
<div class="entrances">${cards}</div></section>`
}

function entrance(
  name: string,
  text: string,
  links: readonly (readonly [href: string, text: string])[],
): Html {
  const items = links.map(([href, said]) => html`<li><a href="${href}">${said}</a></li>`)
  return html`<div class="card"><h3>${name}</h3><p>${text}</p>
<ul class="plain">${items}</ul></div>`
}

type HomePageEdge = Pick<
  RegistryEdge,
  'count' | 'elapsedMs' | 'nowMs' | 'baseUrl' | 'environments' | 'accounts' | 'search' | 'usage'
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
  const sort = { ...activeWorks, sort: 'newest' }
  // All who come in these seconds are shown what one search has found.
  const source = { service: search?.live, searcher: { caller: 'the first page' } }
  const page = await searchRecords(source, 'works', sort, newestMax).catch(() => undefined)
  if (page === undefined) return undefined
  const works = await readListedWorks(page.ids, { environment: environments.live, baseUrl })
  return { total: page.total, isExact: page.isExact, works }
}

function entryPoints({ baseUrl, accounts, environments }: HomePageEdge, known: RegistryFacts) {
  const { origin, vkey } = environments.live
  return {
    name: 'Arklog',
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
