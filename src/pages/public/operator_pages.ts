import type { FastifyInstance, FastifyReply } from 'fastify'

import { prefersHtml } from '#src/edge/accept.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { badge, facts, time } from '#src/pages/kit/parts.ts'
import { pageOptions, type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { registerDataPage } from '#src/pages/public/data_page.ts'
import type { NaanFacts, PublicSite } from '#src/use_cases/landing_record.ts'
import { formatPolicy, policy, policyPath } from '#src/use_cases/policy.ts'
import { signingTime } from '#src/use_cases/public_log.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

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
  const who = name === undefined ? 'whoever runs this registry' : html`<strong>${name}</strong>`
  const address =
    mail === undefined
      ? html`<p>The operator has published no address here.</p>`
      : html`<p>Write to <a href="mailto:${mail}">${mail}</a>.</p>`
  return {
    title: 'Contact',
    current: '/contact',
    body: html`<h1>Contact</h1>
<p class="lead">This registry is run by ${who}.</p>
${address}
<h2>Before you write</h2>
<ul class="running">
<li>What a record says is said by whoever registered it; its page names them. Only they change
or withdraw it.</li>
<li>If the content has changed or is gone, say so with the ARK of the work.</li>
<li>If a check of a receipt or of the log fails, keep a copy of the page and send it along.</li>
<li>If you are an author, sign in and claim the work as yours.</li>
</ul>`,
  }
}

function privacyPage({ privacyUrl, mail }: OperatorFacts): PublicPage {
  const own =
    privacyUrl === undefined
      ? ''
      : html`<p>The operator’s own statement: <a href="${privacyUrl}"
rel="noreferrer">${privacyUrl}</a></p>`
  const ask = mail === undefined ? 'the operator' : html`<a href="mailto:${mail}">${mail}</a>`
  return {
    title: 'Privacy',
    current: '/privacy',
    body: html`<h1>Privacy</h1>
<p class="lead">What this software keeps of people, and what it does not.</p>
${own}
<h2>If you read</h2>
<p>Pages load nothing from elsewhere, and set no cookie until you sign in. Your address is counted
for some minutes, so that nobody asks too much, and stands with the address of the page in the
server’s own log, for as long as the operator keeps that. Receipts and files that you check at
<a href="/verify">Verify</a> stay in your browser where scripts run, and are never kept here.</p>
<h2>If you have an account</h2>
<p>Your mail address, and what you write into your profile, are kept. You choose what of your
profile is public, and can take all of it with you, or delete the account.</p>
<h2>If a work names you</h2>
<p>Records of works name their authors. The public log holds hashes of metadata, not the
metadata. What must not be public can be erased; what the log has proven stays provable. Ask
${ask}.</p>`,
  }
}

function statusPage(known: StatusFacts): PublicPage {
  const { isReady, isSearched, isSearchLate, treeSize, signedAt } = known
  return {
    title: 'Status',
    current: '/status',
    status: isReady ? 200 : 503,
    body: html`<h1>Status</h1>
<p class="lead">${
      isReady ? 'The registry works as it should.' : 'The registry cannot do all of its work now.'
    }</p>
${facts([
  ['Reading and registering', state(isReady, 'Works', 'Does not work now')],
  ['Search', isSearched ? state(!isSearchLate, 'Works', 'Works, but is behind') : badge('Off')],
  ['Entries in the log', formatNumber(treeSize)],
  ['Newest entry', signedAt === undefined ? undefined : time(signedAt, 'second')],
])}
<p class="aside">For programs: <a href="/readyz">/readyz</a>. The <a href="/log">log</a> shows how
it grows, and who watches it.</p>`,
  }
}

function state(isGood: boolean, good: string, bad: string): Html {
  return isGood ? badge(good, 'good') : badge(bad, 'bad')
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
    if (prefersHtml(request)) return sendPublicPage(policyPage(), reply, edge)
    reply.header('cache-control', 'no-cache')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(formatPolicy())
  })
}

function policyPage(): PublicPage {
  const sections = policy.sections.map(
    ({ heading, text }) => html`<h2>${heading}</h2><p>${text}</p>`,
  )
  return {
    title: policy.title,
    current: policyPath,
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
  const add = (path: string, make: () => PublicPage | Promise<PublicPage>) =>
    server.get(path, options, async (_request, reply) => sendPublicPage(await make(), reply, edge))
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
  const title = `ARKs with the NAAN ${naan}`
  const kind =
    environment === 'sandbox'
      ? 'The sandbox of this registry: for tests, nothing in it is meant to last.'
      : 'Works that are registered here.'
  return {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">The identifiers of this registry begin with <code>ark:/${naan}/</code>. Put one
behind the address of this registry, and it leads to the work.</p>
${facts([
  ['NAAN', html`<code>${naan}</code>`],
  ['What it names', kind],
  ['Resolver', html`<code>${resolver}</code>`],
  ['Note', is_example ? 'This number is for examples: no authority has it.' : undefined],
])}
<p><a href="${policyPath}">What this registry promises</a></p>`,
  }
}
