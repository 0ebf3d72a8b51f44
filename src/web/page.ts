import { html } from 'ghtml'

/**
 * HTML that may be sent as it is: made by the tag `html` of ghtml, which escapes what is put into
 * it, or by a function of src/web. It is put into other HTML after a `!`.
 */
export type Html = string

/** A message about what was just done, or what went wrong. */
export type Flash = { readonly kind: 'success' | 'error' | 'info'; readonly text: string }

/** One page: what stands between the header and the footer, and what the frame says of it. */
export type Page = {
  /** Names the page in the browser's tab; the body has its own h1. */
  readonly title: string
  readonly body: Html
  /** The entry of the navigation that this page belongs to, such as `/account/works`. */
  readonly current?: string
  readonly flash?: Flash
  /** Seconds, then where the browser goes by itself: for what a form must not redirect to. */
  readonly refresh?: { readonly seconds: number; readonly url: string }
  /** 200 unless told. */
  readonly status?: number
  /** A column wide enough for tables. */
  readonly wide?: boolean
}

/** What the frame of every page is made from. */
export type Frame = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  /** Paths of the stylesheet and of the icon. */
  readonly stylesheet: string
  readonly icon: string
  /** The public address of the registry, of its API and its works. */
  readonly baseUrl: string
  /** The name of the person signed in, if any: then the frame has their navigation. */
  readonly signedInAs: string | undefined
  readonly maySignUp: boolean
  readonly csrf: string
}

/** What a page may load and do: its stylesheet, images of its own, forms to its own origin. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'"

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

/** The whole document of a page. */
export function renderPage(page: Page, frame: Frame): string {
  const { title, body, refresh, wide = false } = page
  const reload = refresh && `${refresh.seconds};url=${refresh.url}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
!${reload === undefined ? '' : html`<meta http-equiv="refresh" content="${reload}">`}
<title>${page.status === 422 ? 'Error: ' : ''}${title} · Arklog</title>
<link rel="icon" type="image/svg+xml" href="${frame.icon}">
<link rel="stylesheet" href="${frame.stylesheet}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
!${header(page, frame)}
<main id="main" class="${wide ? 'main main-wide' : 'main'}" tabindex="-1">
!${flashBox(page.flash)}
!${body}
</main>
!${footer(frame)}
</body>
</html>
`
}

/** A message in a box of its own; nothing without one. */
function flashBox(flash: Flash | undefined): Html {
  if (flash === undefined) return ''
  const role = flash.kind === 'error' ? 'alert' : 'status'
  return html`<div class="flash flash-${flash.kind}" role="${role}"><p>${flash.text}</p></div>`
}

const mark = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<path d="M16 7v6M16 13 8 20M16 13l8 7"/><circle cx="16" cy="7" r="3.5"/>
<circle cx="8" cy="22" r="3.5"/><circle cx="24" cy="22" r="3.5"/></svg>`

function header({ current }: Page, frame: Frame): Html {
  const { prefix, signedInAs, maySignUp } = frame
  const home = signedInAs === undefined ? `${prefix}/sign-in` : `${prefix}/account`
  const tools =
    signedInAs === undefined
      ? visitorTools(prefix, maySignUp, current)
      : html`<span class="who">${signedInAs}</span>
<form method="post" action="${prefix}/sign-out">
<input type="hidden" name="csrf" value="${frame.csrf}">
<button class="button button-quiet" type="submit">Sign out</button>
</form>`
  return html`<header class="header">
<div class="header-row">
<a class="brand" href="${home}">!${mark}<span>Arklog</span></a>
<div class="tools">!${tools}</div>
</div>
!${signedInAs === undefined ? '' : accountNavigation(prefix, current)}
</header>`
}

function visitorTools(prefix: string, maySignUp: boolean, current: string | undefined): Html {
  const links = [
    link(prefix, '/sign-in', 'Sign in', current),
    ...(maySignUp ? [link(prefix, '/sign-up', 'Create an account', current)] : []),
  ]
  return html`<nav class="tools" aria-label="Account">!${links}</nav>`
}

function accountNavigation(prefix: string, current: string | undefined): Html {
  const items = accountEntries.map(
    ([path, name]) => html`<li>!${link(prefix, path, name, current)}</li>`,
  )
  return html`<nav class="navigation" aria-label="Account"><ul>!${items}</ul></nav>`
}

function link(prefix: string, path: string, name: string, current: string | undefined): Html {
  const href = prefix + path
  return path === current
    ? html`<a href="${href}" aria-current="page">${name}</a>`
    : html`<a href="${href}">${name}</a>`
}

function footer({ baseUrl }: Frame): Html {
  return html`<footer class="footer">
<p>A registry of scholarly works that proves what was registered, and when.</p>
<ul>
<li><a href="${baseUrl}/docs">Interface</a></li>
<li><a href="${baseUrl}/log/checkpoint">Log</a></li>
<li><a href="${baseUrl}/.well-known/svc-keys.json">Keys</a></li>
</ul>
</footer>`
}
