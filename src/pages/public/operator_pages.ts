import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'

import type { DumpManifest } from '#src/discovery/dump/dump_file.ts'
import { dumpsFolder, manifestName, newestDump } from '#src/discovery/dump/dump_writer.ts'
import { retractionsFilePath } from '#src/discovery/feeds/atom.ts'
import { prefersHtml } from '#src/edge/accept.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { addressLinks } from '#src/pages/kit/page.ts'
import { asLink, badge, codeBlock, facts, table, time } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import type { NaanFacts, PublicSite } from '#src/use_cases/landing_record.ts'
import { policyPath } from '#src/use_cases/operator_address.ts'
import { signingTime } from '#src/use_cases/public_log.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { data, frame, operator as words } from '#src/words/english.ts'
import { inEnglish, list, number } from '#src/words/format.ts'
import { english } from '#src/words/language.ts'
import type { Slot } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

type OperatorFacts = {
  readonly name: string | undefined
  readonly mail: string | undefined
  /** The operator's own statement on privacy. */
  readonly privacyUrl: string | undefined
}

type StatusFacts = {
  readonly isReady: boolean
  readonly isSearched: boolean
  readonly isSearchLate: boolean
  readonly treeSize: number
  /** The time of the newest entry; absent while the log is empty. */
  readonly signedAt: string | undefined
}

function contactPage({ name, mail }: OperatorFacts): PublicPage {
  const strong: Slot = (text) => html`<strong>${text}</strong>`
  const who = name === undefined ? words.runByUnnamed : words.runBy({ name, strong })
  const address = mail === undefined ? words.noAddress : words.writeTo({ address: mailLink(mail) })
  return {
    title: frame.contact,
    current: '/contact',
    body: html`<h1>${frame.contact}</h1>
<p class="lead">${who}</p>
<p>${address}</p>
<h2>${words.beforeYouWrite}</h2>
<ul class="running">
<li>${words.adviceRecord}</li>
<li>${words.adviceContent}</li>
<li>${words.adviceCheck}</li>
<li>${words.adviceAuthor}</li>
</ul>`,
  }
}

function mailLink(mail: string): Html {
  return html`<a href="mailto:${mail}"><bdi>${mail}</bdi></a>`
}

function privacyPage({ privacyUrl, mail }: OperatorFacts): PublicPage {
  const own =
    privacyUrl === undefined
      ? ''
      : html`<p>${words.ownStatement({
          link: html`<a href="${privacyUrl}" rel="noreferrer"><bdi>${privacyUrl}</bdi></a>`,
        })}</p>`
  const address = mail === undefined ? words.theOperator : mailLink(mail)
  const link = asLink('/verify')
  return {
    title: frame.privacy,
    current: '/privacy',
    body: html`<h1>${frame.privacy}</h1>
<p class="lead">${words.privacyLead}</p>
${own}
<h2>${words.ifYouRead}</h2>
<p>${words.ifYouReadText({ link })}</p>
<h2>${words.ifAccount}</h2>
<p>${words.ifAccountText}</p>
<h2>${words.ifNamed}</h2>
<p>${words.ifNamedText({ address })}</p>`,
  }
}

function statusPage(known: StatusFacts): PublicPage {
  const { isReady, isSearched, isSearchLate, treeSize, signedAt } = known
  return {
    title: frame.status,
    current: '/status',
    status: isReady ? 200 : 503,
    body: html`<h1>${frame.status}</h1>
<p class="lead">${isReady ? words.works : words.worksNot}</p>
${facts([
  [words.readAndRegister, state(isReady, words.isNotWorking)],
  [words.search, isSearched ? state(!isSearchLate, words.isBehind) : badge(words.isOff)],
  [words.entries, number(treeSize)],
  [words.newestEntry, signedAt === undefined ? undefined : time(signedAt, 'second')],
])}
<p class="aside">${words.forPrograms({
      link: html`<a href="/readyz"><code>/readyz</code></a>`,
      log: asLink('/log'),
    })}</p>`,
  }
}

function state(isGood: boolean, bad: Text): Html {
  return isGood ? badge(words.isWorking, 'good') : badge(bad, 'bad')
}

// A term of permanence, as descriptions of other registries have it (ERC).
const permanence = inEnglish('Permanent: Dynamic Content')

/** What the registry promises about its identifiers and what they name. */
const policy = {
  title: words.promises,
  sections: [
    { heading: words.validity, text: words.validityText },
    { heading: words.kept, text: words.keptText },
    { heading: words.availability, text: words.availabilityText },
    { heading: words.invariance, text: words.invarianceText({ term: permanence }) },
    { heading: words.changeHistory, text: words.changeHistoryText },
    { heading: words.exceptions, text: words.exceptionsText({ naan: '99999' }) },
  ],
} as const

/** The promise as text, in English. */
function formatPolicy(): string {
  const sections = policy.sections.map(
    ({ heading, text }) => `${heading.text(english)}\n${text.text(english)}\n`,
  )
  return [`${policy.title.text(english)}\n`, ...sections].join('\n')
}

type PolicyEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'branding' | 'accounts'>

/** `GET /policy`: what the registry promises, as a text, or as a page to browsers. */
export function registerPolicyRoute(server: FastifyInstance, edge: PolicyEdge): void {
  const options = {
    ...edge.admit({ type: 'public', limit: 'public_read' }),
    schema: {
      operationId: 'getPolicy',
      tags: ['registry'],
      summary: 'What the registry promises.',
      response: { 200: contentReply('The text.', 'text/plain', 'text/html') },
    },
  }
  server.get(policyPath, options, async (request, reply) => {
    reply.header('vary', 'Accept')
    if (prefersHtml(request)) return sendPublicPage(policyPage(edge.baseUrl), reply, edge)
    reply.header('cache-control', 'no-cache')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(formatPolicy())
  })
}

function policyPage(baseUrl: string): PublicPage {
  const sections = policy.sections.map(
    ({ heading, text }) => html`<h2>${heading}</h2><p>${text}</p>`,
  )
  return {
    title: policy.title,
    current: policyPath,
    head: addressLinks(baseUrl + policyPath),
    body: html`<h1>${policy.title}</h1>${sections}`,
  }
}

type OperatorEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'environments' | 'accounts' | 'config' | 'readiness' | 'search'
>

/** `GET /contact`, `/privacy`, `/status` and `/data`: who runs the registry, and what it has. */
export function registerOperatorPageRoutes(server: FastifyInstance, edge: OperatorEdge): void {
  const options = pageOptions(edge, 'pages')
  const add = (route: string, make: () => PublicPage | Promise<PublicPage>) =>
    server.get(route, options, async (_request, reply) =>
      sendPublicPage({ ...(await make()), head: addressLinks(edge.baseUrl + route) }, reply, edge),
    )
  const operator = operatorFacts(edge.config)
  registerDataPage(server, edge)
  add('/contact', () => contactPage(operator))
  add('/privacy', () => privacyPage(operator))
  add('/status', async () => statusPage(await statusFacts(edge)))
}

function operatorFacts(config: OperatorEdge['config']): OperatorFacts {
  const { OPERATOR_NAME: name, ADMIN_EMAIL, MAIL_FROM, PRIVACY_URL: privacyUrl } = config
  const [sender] = /[^<>\s]+@[^<>\s]+/.exec(MAIL_FROM ?? '') ?? []
  return { name, mail: ADMIN_EMAIL ?? sender, privacyUrl }
}

async function statusFacts({
  readiness,
  environments,
  search,
}: OperatorEdge): Promise<StatusFacts> {
  const { ready, checks } = await readiness()
  const { log } = environments.live
  const { treeSize } = log.head()
  return {
    isReady: ready,
    isSearched: search !== undefined,
    isSearchLate: checks['search']?.problem !== undefined,
    treeSize,
    signedAt: treeSize === 0 ? undefined : signingTime(log, treeSize - 1),
  }
}

/** Makes what sends the page about a NAAN whose ARKs are resolved here. */
export function sendNaanPage(site: PublicSite) {
  return (reply: FastifyReply, known: NaanFacts): FastifyReply =>
    sendPublicPage(naanPage(known), reply, site)
}

function naanPage({ naan, environment, is_example, resolver }: NaanFacts): PublicPage {
  const title = words.naanTitle({ naan })
  const kind = environment === 'sandbox' ? words.namesTests : words.namesWorks
  return {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${words.naanLead({ prefix: html`<code>ark:/${naan}/</code>` })}</p>
${facts([
  ['NAAN', html`<code>${naan}</code>`],
  [words.names, kind],
  [words.resolver, html`<code>${resolver}</code>`],
  [words.note, is_example ? words.exampleNumber : undefined],
])}
<p><a href="${policyPath}">${policy.title}</a></p>`,
  }
}

type DataPageEdge = Pick<RegistryEdge, 'accounts' | 'baseUrl' | 'branding' | 'config' | 'count'>

/** `GET /data`: what can be had in one file, and how it is proven. */
function registerDataPage(server: FastifyInstance, edge: DataPageEdge): void {
  const dir = path.join(edge.config.DATA_DIR, dumpsFolder)
  server.get('/data', pageOptions(edge, 'pages'), async (_request, reply) => {
    const found = await newestDump(dir)
    return sendPublicPage(dataPage(edge.baseUrl, found?.manifest), reply, edge)
  })
}

function dataPage(baseUrl: string, manifest: DumpManifest | undefined): PublicPage {
  return {
    title: data.title,
    current: '/data',
    head: html`<meta name="description" content="${data.description}">
${addressLinks(`${baseUrl}/data`)}`,
    body: html`<h1>${data.title}</h1>
<p class="lead">${data.lead}</p>
${manifest === undefined ? html`<p>${data.none}</p>` : dumpPart(baseUrl, manifest)}
<h2>${data.more}</h2>
<ul><li>${data.retractions({ link: asLink(retractionsFilePath) })}</li>
<li>${data.statistics({ link: asLink('/statistics') })}</li>
<li>${data.anySearch({ link: asLink('/search'), formats: searchFormats })}</li>
<li>${data.oai({ link: asLink('/api/v1/oai?verb=Identify') })}</li></ul>`,
  }
}

const searchFormats = list(['RIS', 'BibTeX', 'CSL-JSON', 'CSV', 'JSON lines'], 'unit')

function dumpPart(baseUrl: string, { made_at, log, counts, files, tables }: DumpManifest): Html {
  const kinds = { works: data.holdsWorks, log: data.holdsLog }
  return html`${facts([
    [data.made, time(made_at)],
    [data.works, number(counts.works)],
    [data.withdrawn, number(counts.withdrawn)],
    [data.entries, number(log.tree_size)],
    [data.manifest, html`<a href="/data/${manifestName}"><code>${manifestName}</code></a>`],
  ])}
${table(data.files, files, [
  [data.file, fileLink],
  [data.holds, ({ holds, month }) => (month ? data.holdsMonth({ month }) : kinds[holds])],
  [data.bytes, ({ bytes }) => number(bytes)],
  ['SHA-256', ({ sha256 }) => html`<code>${sha256.slice(0, 16)}…</code>`],
])}
${table(data.tables, tables, [
  [data.file, fileLink],
  [data.holds, ({ holds }) => data[`table_${holds}`]],
  [data.rows, ({ rows }) => number(rows)],
  [data.bytes, ({ bytes }) => number(bytes)],
])}
<h2>${data.prove}</h2>
<p>${data.proveText}</p>
${codeBlock(
  data.commands,
  `curl -s ${baseUrl}/.well-known/svc-keys.json > keys.json
curl -sO ${baseUrl}/data/${manifestName}
${files
  .filter(({ encoding }) => encoding === 'gzip')
  .map(({ name }) => `curl -sO ${baseUrl}/data/${name}`)
  .join('\n')}
arklog verify --dump ${manifestName} --keys keys.json`,
)}`
}

function fileLink({ name }: { readonly name: string }): Html {
  return html`<a href="/data/${name}" download><code>${name}</code></a>`
}
