import type { Branding } from '#src/use_cases/landing_record.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { BrowserSessions } from '#src/pages/sessions/browser_sessions.ts'
import { nothingHere } from '#src/edge/error_reply.ts'
import { errorPages } from '#src/pages/kit/error_page.ts'
import { emptyForm, faultSummary, type FormState } from '#src/pages/kit/form.ts'
import { html, type Html, type HtmlContent, nothing } from '#src/pages/kit/html.ts'
import {
  brand,
  type Desk,
  deskHead,
  type Flash,
  type Flashes,
  navigationLink,
  type Page,
  pagePolicy,
  renderPage,
  type SignedInReader,
  whoMenu,
} from '#src/pages/kit/page.ts'
import { home, savedSearchesPath } from '#src/pages/kit/page_address.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { savedSearches, frame as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** A page below the auth prefix, by its content: what is around it is the same on all of them. */
export type AccountPage = Omit<Page, 'body'> & {
  /** The title by default. */
  readonly heading?: Text
  /** What the page is for, in a line or two. */
  readonly lead?: HtmlContent
  /** What may have been done just before, of which the address of the page names one. */
  readonly flashes?: Flashes
  /** The form of the page. What is wrong with it is said first; the page is 422 then. */
  readonly state?: FormState
  readonly content?: HtmlContent
}

/** The page with its heading, what was just done, and what is wrong. `query` is of its address. */
export function writePage(page: AccountPage, query?: URLSearchParams): Page {
  const { heading = page.title, lead, content, ...rest } = page
  const { flashes = {}, state = emptyForm, ...plain } = rest
  const { flash = state.isGivenBack === true ? givenBackFlash : flashOf(query, flashes) } = page
  const isFaulty = state.faults.length > 0
  return {
    ...plain,
    ...(isFaulty ? { status: 422 } : flash && { flash }),
    body: html`<h1>${heading}</h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${faultSummary(state)}
${content}`,
  }
}

const givenBackFlash: Flash = {
  kind: 'info',
  text: words.givenBack,
}

function flashOf(query: URLSearchParams | undefined, flashes: Flashes): Flash | undefined {
  const done = query?.get('done') ?? ''
  const flash = Object.hasOwn(flashes, done) ? flashes[done] : undefined
  return flash === undefined || isFlash(flash) ? flash : { kind: 'success', text: flash }
}

function isFlash(flash: Text | Flash): flash is Flash {
  return typeof flash !== 'string' && 'kind' in flash
}

/** What the frame of the pages of accounts is made from. */
export type AccountFrame = {
  readonly branding: Branding
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  /** The public address of the registry, of its API and its works. */
  readonly baseUrl: string
  readonly environment: EnvironmentName
  /** Who is signed in, if anybody is: then the frame has their navigation. */
  readonly reader: SignedInReader | undefined
  readonly maySignUp: boolean
  readonly csrf: string
  /** The address of the page, which the choice of a language leads back to. */
  readonly path: string
}

const accountEntries = [
  ['/account', words.profile],
  ['/account/works', words.works],
  ['/account/writes', words.changes],
  [savedSearchesPath, savedSearches.title],
  ['/account/applications', words.applications],
  ['/account/keys', words.apiKeys],
  ['/account/security', words.security],
] as const

/** People of the sandbox are members of nothing. */
const entriesIn = {
  live: [...accountEntries, ['/organizations', words.organizations]],
  sandbox: accountEntries,
} as const

const sandboxNotice = html`<div class="flash flash-info" role="note"><p>${words.sandbox({
  strong: (name) => html`<strong>${name}</strong>`,
})}</p></div>`

/** The whole document of a page below the auth prefix. */
export function renderAccountPage(page: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl, environment, branding, path } = frame
  const body = environment === 'sandbox' ? html`${sandboxNotice}${page.body}` : page.body
  return renderPage(
    { ...page, body },
    { branding, assets: prefix, registry: baseUrl, header: header(page, frame), path },
  )
}

function header(page: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl, reader, environment } = frame
  const own: Desk = {
    label: words.account,
    path: '/account',
    current: page.current,
    sections: entriesIn[environment],
  }
  return html`<div class="header-row header-desk">
${brand(frame.branding, baseUrl, prefix)}
<div class="tools">${tools(frame, page.current)}</div>
</div>
${reader === undefined ? nothing : deskHead(prefix, page.desk ?? own)}`
}

function tools(
  { prefix, baseUrl, reader, maySignUp, csrf }: AccountFrame,
  current: string | undefined,
): Html {
  const search = html`<a href="${baseUrl}/search">${words.search}</a>`
  if (reader !== undefined) {
    const signOut = html`<form method="post" action="${prefix}/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<button class="button button-quiet" type="submit">${words.signOut}</button>
</form>`
    return html`${search}${whoMenu(reader, prefix, signOut)}`
  }
  const entries = [
    { base: prefix, path: '/sign-in', name: words.signIn },
    ...(maySignUp ? [{ base: prefix, path: '/sign-up', name: words.createAccount }] : []),
  ]
  const links = entries.map((entry) => navigationLink(entry, current))
  return html`<nav class="tools" aria-label="${words.account}">${search}${links}</nav>`
}

type AccountPageReplies = {
  readonly branding: Branding
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  readonly browserSessions: BrowserSessions
  readonly baseUrl: string
  readonly environment: EnvironmentName
  readonly maySignUp: boolean
  /** Who somebody is, for the menu of the header. */
  readonly readerOf: (account: Account) => Promise<SignedInReader>
}

/** Sends a page in the frame of the person whose browser asks for it, who may be nobody. */
export async function sendAccountPage(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
  options: AccountPageReplies,
): Promise<FastifyReply> {
  const { branding, prefix, browserSessions, baseUrl, environment, maySignUp, readerOf } = options
  const { account, csrf } = browserSessions.visitorOf(request, reply)
  const frame: AccountFrame = {
    branding,
    prefix,
    baseUrl,
    environment,
    reader: account && (await readerOf(account)),
    maySignUp,
    csrf,
    // What a form has answered is no page to come back to.
    path: request.method === 'POST' ? prefix + home : request.originalUrl,
  }
  reply.code(page.status ?? 200)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header('content-security-policy', pagePolicy(page))
  // Under `no-referrer`, which data has, browsers send forms with an Origin of null.
  reply.header('referrer-policy', 'same-origin')
  reply.header('cache-control', 'no-store')
  return reply.send(renderAccountPage(page, frame).html(readerLanguage(request)))
}

/** Errors below the prefix are pages to browsers, and what they are elsewhere to programs. */
export function registerErrorPages(scope: FastifyInstance, options: AccountPageReplies): void {
  const answer = errorPages(
    (page, request, reply) => void sendAccountPage(page, request, reply, options),
  )
  scope.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
  // At the root there is one already, for all that is not a page.
  if (options.prefix === '') return
  scope.setNotFoundHandler((request, reply) => {
    answer(new HttpError('not_found', nothingHere), request, reply)
  })
}
