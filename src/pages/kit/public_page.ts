import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { keepPrivate } from '#src/edge/credentials.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import type { AddressLimit } from '#src/edge/limits/limits.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { brand, navigationLink, type Page, pagePolicy, renderPage } from '#src/pages/kit/page.ts'
import { languageParameter, readerLanguage, replyLanguage } from '#src/edge/reader_language.ts'
import { frame, search } from '#src/words/english.ts'
import { inLanguage } from '#src/words/format.ts'
import { english, type Language } from '#src/words/language.ts'
import type { Branding, PublicSite } from '#src/use_cases/landing_record.ts'

/** What a public page has for one reader alone. */
export type PersonalParts = {
  /** What stands in the header in place of the sign-in. */
  readonly menu: Html
  /** What the reader may do to a work. */
  readonly workActions: (ark: string) => Html
}

/** Tells who reads a page. */
export type Readers = {
  /** Whether a request names a session: nothing is looked up for it. */
  isNamed(request: FastifyRequest): boolean
  /** The parts of the reader; undefined if nobody is signed in. */
  partsFor(request: FastifyRequest): Promise<PersonalParts | undefined>
}

// Comments of ours: whatever people have written is escaped, so no text of theirs holds one.
const accountPlace = /<!--account-->[^]*?<!--\/account-->/
const workPlace = /<!--work (ark:[\w/.-]+)-->/g

/** Marks what a header has for readers who are not signed in. */
function placeOfAccount(content: Html): Html {
  return html`<!--account-->${content}<!--/account-->`
}

/** Marks where a page has what its reader may do to a work, `ark:/naan/name`. */
export function placeOfWork(ark: string): Html {
  return html`<!--work ${ark}-->`
}

/**
 * Has public pages, which are the same for everybody and are kept as such, say who is signed in and
 * what they may do there. Such a page is for one reader, and is `private, no-store`; every page
 * says that it depends on the cookie (`Vary`), so that no cache shows it to who is signed in.
 * Whoever comes without a session costs one look at the cookies. Register it before what codes the
 * bodies of replies.
 */
export function personalizePages(server: FastifyInstance, readers: Readers): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isPage(reply)) return done(null, payload)
    replyLanguage(request, reply)
    const page = readers.isNamed(request) ? publicPage(payload) : undefined
    if (page === undefined) return done(null, payload)
    readers.partsFor(request).then(
      (parts) => done(null, parts === undefined ? payload : personal(page, parts, reply)),
      (error: unknown) => done(error as Error),
    )
  })
}

function isPage(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && type.startsWith('text/html')
}

/** The text of a page that has places for its reader; undefined for every other one. */
function publicPage(payload: unknown): string | undefined {
  const text = payload instanceof Uint8Array ? Buffer.from(payload).toString('utf8') : payload
  return typeof text === 'string' && accountPlace.test(text) ? text : undefined
}

function personal(page: string, { menu, workActions }: PersonalParts, reply: FastifyReply): string {
  keepPrivate(reply)
  const language = readerLanguage(reply.request)
  return page
    .replace(accountPlace, () => menu.html(language))
    .replace(workPlace, (_, ark: string) => workActions(ark).html(language))
}

/** A page at the address of the registry, which is the same for everybody who reads it. */
export type PublicPage = Page & {
  /** What the search box in the header has in it. */
  readonly query?: string
  /** Its path with what its query means; without it, the path that was asked for. */
  readonly address?: string
  /** Whether the page has a search box of its own: then the header has none. */
  readonly searches?: boolean
}

/**
 * Sends a page: 200 unless it says otherwise, and `no-cache` unless the reply has been told how
 * long it may be kept.
 */
export function sendPublicPage(
  page: PublicPage,
  reply: FastifyReply,
  site: PublicSite,
): FastifyReply {
  reply.code(page.status ?? 200)
  reply.headers(publicPageHeaders(page))
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  const [path = '/'] = reply.request.originalUrl.split('?')
  return reply.send(
    renderPublicPage(page, site, page.address ?? path).html(readerLanguage(reply.request)),
  )
}

/** The headers that are a page's own. */
export function publicPageHeaders(page: Pick<PublicPage, 'scripts'>): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(page),
  }
}

/**
 * A whole page, which is asked for at `path`. Its links lead to the host that was asked, so it
 * depends on no other one.
 */
export function renderPublicPage(page: PublicPage, site: PublicSite, path: string): Html {
  const whole = { ...page, head: html`${searchLink(site.branding)}${page.head}` }
  const { branding } = site
  return renderPage(whole, { branding, assets: '', registry: '', header: header(page, site), path })
}

/** Where browsers learn how to search the registry, and the type of that document. */
export const searchDescriptionPath = '/opensearch.xml'
export const searchDescriptionType = 'application/opensearchdescription+xml'

/** Lets a browser search the registry from where addresses are typed. */
function searchLink({ name }: Branding): Html {
  return html`<link rel="search" type="${searchDescriptionType}" title="${name}"
href="${inLanguage(searchDescriptionAddress)}">
`
}

function searchDescriptionAddress(language: Language): string {
  const named = language === english ? '' : `?${languageParameter}=${language.tag}`
  return searchDescriptionPath + named
}

/** The prefix of links from public pages to the pages of accounts. */
export function accountsBase({ baseUrl, accounts: { authUrl } }: PublicSite): string {
  const { origin, pathname } = new URL(authUrl)
  const prefix = pathname.replace(/\/$/, '')
  return origin === new URL(baseUrl).origin ? prefix : origin + prefix
}

const entries = [
  ['/search', frame.search],
  ['/how-it-works', frame.howItWorks],
  ['/docs', frame.api],
] as const

function header({ query = '', searches = false, current }: PublicPage, site: PublicSite): Html {
  const links = entries.map(([path, name]) => navigationLink({ base: '', path, name }, current))
  return html`<div class="header-row">
${brand(site.branding, '', '')}
${searches ? '' : headerSearch(query)}
<nav class="tools" aria-label="${frame.registry}">${links}
${placeOfAccount(html`<a href="${accountsBase(site)}/sign-in">${frame.signIn}</a>`)}</nav>
</div>`
}

function headerSearch(query: string): Html {
  return html`<form class="header-search" role="search" action="/search">
<input type="search" name="q" value="${query}" aria-label="${frame.searchRegistry}"
placeholder="${frame.searchExample}" maxlength="1000" autocomplete="off">
<button class="button button-quiet" type="submit">${search.search}</button>
</form>`
}

// Longer names are not shown (OpenSearch 1.1).
const shortNameMax = 16

/** How browsers search the registry (OpenSearch 1.1). */
export function searchDescription({ baseUrl, branding: { name } }: PublicSite): Html {
  return html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name.slice(0, shortNameMax)}</ShortName>
<Description>${search.searched}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${baseUrl}/search?q={searchTerms}"/>
</OpenSearchDescription>
`
}

/** The options of a public page's route: it is counted, and no part of the described interface. */
export function pageOptions({ count }: { readonly count: CountRequest }, limit: AddressLimit) {
  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply) => count(limit, request, reply),
    schema: { hide: true },
  }
}
