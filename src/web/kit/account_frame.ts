import { html, type Html } from '#src/web/kit/html.ts'
import { brand, navigationLink, type Page, renderPage } from '#src/web/kit/page.ts'

/** What the frame of the pages of accounts is made from. */
export type AccountFrame = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  /** The public address of the registry, of its API and its works. */
  readonly baseUrl: string
  /** The name of the person signed in, if any: then the frame has their navigation. */
  readonly signedInAs: string | undefined
  readonly maySignUp: boolean
  readonly csrf: string
}

/** The pages of a person, as their navigation names them. */
const accountEntries = [
  ['/account', 'Profile'],
  ['/account/works', 'Works'],
  ['/account/writes', 'Changes'],
  ['/account/applications', 'Applications'],
  ['/account/keys', 'Keys'],
  ['/account/security', 'Security'],
  ['/organizations', 'Organizations'],
] as const

/** The whole document of a page below the auth prefix. */
export function renderAccountPage(page: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl } = frame
  return renderPage(page, { assets: prefix, registry: baseUrl, header: header(page, frame) })
}

function header({ current }: Page, frame: AccountFrame): Html {
  const { prefix, baseUrl, signedInAs } = frame
  return html`<div class="header-row">
${brand(baseUrl)}
<div class="tools">${tools(frame, current)}</div>
</div>
${signedInAs === undefined ? '' : accountNavigation(prefix, current)}`
}

function tools(
  { prefix, baseUrl, signedInAs, maySignUp, csrf }: AccountFrame,
  current: string | undefined,
): Html {
  const search = html`<a href="${baseUrl}/search">Search</a>`
  if (signedInAs !== undefined) {
    return html`${search}<span class="who">${signedInAs}</span>
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

function accountNavigation(prefix: string, current: string | undefined): Html {
  const items = accountEntries.map(
    ([path, name]) => html`<li>${navigationLink({ base: prefix, path, name }, current)}</li>`,
  )
  return html`<nav class="navigation" aria-label="Account"><ul>${items}</ul></nav>`
}
