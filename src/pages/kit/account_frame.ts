import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { BrowserSessions } from '#src/pages/kit/browser_sessions.ts'
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

/** A page below the auth prefix, by its content: what is around it is the same on all of them. */
export type AccountPage = Omit<Page, 'body'> & {
  /** The title by default. */
  readonly heading?: string
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
  text: 'Nothing was changed yet. The form is as you typed it: send it again.',
}

function flashOf(query: URLSearchParams | undefined, flashes: Flashes): Flash | undefined {
  const done = query?.get('done') ?? ''
  const flash = Object.hasOwn(flashes, done) ? flashes[done] : undefined
  return typeof flash === 'string' ? { kind: 'success', text: flash } : flash
}

/** What the frame of the pages of accounts is made from. */
export type AccountFrame = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  /** The public address of the registry, of its API and its works. */
  readonly baseUrl: string
  readonly environment: EnvironmentName
  /** Who is signed in, if anybody is: then the frame has their navigation. */
  readonly reader: SignedInReader | undefined
  readonly maySignUp: boolean
  readonly csrf: string
}

const accountEntries = [
  ['/account', 'Profile'],
  ['/account/works', 'Works'],
  ['/account/writes', 'Changes'],
  ['/account/applications', 'Applications'],
  ['/account/keys', 'Keys'],
  ['/account/security', 'Security'],
] as const

/** People of the sandbox are members of nothing. */
const entriesIn = {
  live: [...accountEntries, ['/organizations', 'Organizations']],
  sandbox: accountEntries,
} as const

const sandboxNotice = html`<div class="flash flash-info" role="note"><p><strong>Sandbox.</strong>
Only test people sign in here, and nothing of it is in the registry itself.</p></div>`

/** The whole document of a page below the auth prefix. */
export function renderAccountPage(page: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl, environment } = frame
  const body = environment === 'sandbox' ? html`${sandboxNotice}${page.body}` : page.body
  return renderPage(
    { ...page, body },
    { assets: prefix, registry: baseUrl, header: header(page, frame) },
  )
}

function header(page: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl, reader, environment } = frame
  const own: Desk = {
    label: 'Account',
    path: '/account',
    current: page.current,
    sections: entriesIn[environment],
  }
  return html`<div class="header-row header-desk">
${brand(baseUrl)}
<div class="tools">${tools(frame, page.current)}</div>
</div>
${reader === undefined ? nothing : deskHead(prefix, page.desk ?? own)}`
}

function tools(
  { prefix, baseUrl, reader, maySignUp, csrf }: AccountFrame,
  current: string | undefined,
): Html {
  const search = html`<a href="${baseUrl}/search">Search</a>`
  if (reader !== undefined) {
    const signOut = html`<form method="post" action="${prefix}/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<button class="button button-quiet" type="submit">Sign out</button>
</form>`
    return html`${search}${whoMenu(reader, prefix, signOut)}`
  }
  const entries = [
    { base: prefix, path: '/sign-in', name: 'Sign in' },
    ...(maySignUp ? [{ base: prefix, path: '/sign-up', name: 'Create an account' }] : []),
  ]
  const links = entries.map((entry) => navigationLink(entry, current))
  return html`<nav class="tools" aria-label="Account">${search}${links}</nav>`
}

type AccountPageReplies = {
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
  const { prefix, browserSessions, baseUrl, environment, maySignUp, readerOf } = options
  const { account, csrf } = browserSessions.visitorOf(request, reply)
  const frame: AccountFrame = {
    prefix,
    baseUrl,
    environment,
    reader: account && (await readerOf(account)),
    maySignUp,
    csrf,
  }
  reply.code(page.status ?? 200)
  reply.header('content-type', 'text/html; charset=utf-8')
  reply.header('content-security-policy', pagePolicy(page))
  // Under `no-referrer`, which data has, browsers send forms with an Origin of null.
  reply.header('referrer-policy', 'same-origin')
  reply.header('cache-control', 'no-store')
  return reply.send(renderAccountPage(page, frame).text)
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
    answer(new HttpError('not_found', 'There is nothing at this address'), request, reply)
  })
}
