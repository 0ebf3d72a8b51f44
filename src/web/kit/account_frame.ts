import type { EnvironmentName } from '#actors/registry/environment.ts'
import { html, type Html, type HtmlContent } from '#src/web/kit/html.ts'
import { emptyForm, faultSummary, type FormState } from '#src/web/kit/form_field.ts'
import { noticesPath } from '#src/web/kit/page_address.ts'
import {
  brand,
  type Flash,
  type Flashes,
  navigationLink,
  type Page,
  renderPage,
} from '#src/web/kit/page.ts'

/** A page below the auth prefix, by its content: what is around it is the same on all of them. */
export type AccountPage = Omit<Page, 'body'> & {
  /** What stands above the heading. */
  readonly above?: Html
  /** The title unless told. */
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
  const { above, heading = page.title, lead, content, ...rest } = page
  const { flashes = {}, state = emptyForm, ...plain } = rest
  const { flash = flashOf(query, flashes) } = page
  const isFaulty = state.faults.length > 0
  return {
    ...plain,
    ...(isFaulty ? { status: 422 } : flash && { flash }),
    body: html`${above}<h1>${heading}</h1>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${faultSummary(state)}
${content}`,
  }
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
  /** The name of the person signed in, if any: then the frame has their navigation. */
  readonly signedInAs: string | undefined
  readonly maySignUp: boolean
  readonly csrf: string
  /** How many notices wait for who is signed in, such as `3`; nothing or empty if none do. */
  readonly unread?: string
}

/** What a link to the notices says: that some are new, as far as there are. */
export function noticesName(unread: string): string {
  return unread === '' ? 'Notices' : `Notices (${unread} new)`
}

/** The pages of a person, as their navigation names them. */
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

function header({ current }: Page, frame: AccountFrame): Html {
  const { baseUrl, signedInAs } = frame
  return html`<div class="header-row">
${brand(baseUrl)}
<div class="tools">${tools(frame, current)}</div>
</div>
${signedInAs === undefined ? '' : accountNavigation(frame, current)}`
}

function tools(
  { prefix, baseUrl, signedInAs, maySignUp, csrf, unread = '' }: AccountFrame,
  current: string | undefined,
): Html {
  const search = html`<a href="${baseUrl}/search">Search</a>`
  if (signedInAs !== undefined) {
    const notices = html`<a href="${prefix}${noticesPath}"${
      current === noticesPath ? html` aria-current="page"` : ''
    }>${noticesName(unread)}</a>`
    return html`${search}${notices}<span class="who">${signedInAs}</span>
<form method="post" action="${prefix}/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<button class="button button-quiet" type="submit">Sign out</button>
</form>`
  }
  const entries = [
    { base: prefix, path: '/sign-in', name: 'Sign in' },
    ...(maySignUp ? [{ base: prefix, path: '/sign-up', name: 'Create an account' }] : []),
  ]
  const links = entries.map((entry) => navigationLink(entry, current))
  return html`<nav class="tools" aria-label="Account">${search}${links}</nav>`
}

function accountNavigation(
  { prefix, environment }: AccountFrame,
  current: string | undefined,
): Html {
  const items = entriesIn[environment].map(
    ([path, name]) => html`<li>${navigationLink({ base: prefix, path, name }, current)}</li>`,
  )
  return html`<nav class="navigation" aria-label="Account"><ul>${items}</ul></nav>`
}
