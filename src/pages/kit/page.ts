import { type Asset, icon, stylesheet } from '#src/pages/kit/assets.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { noticesPath } from '#src/pages/kit/page_address.ts'
import { frame } from '#src/words/english.ts'
import { inLanguage } from '#src/words/format.ts'
import { english, type Language } from '#src/words/language.ts'
import { languages } from '#src/words/languages.ts'
import { type Text, Wording } from '#src/words/wording.ts'
import type { Branding } from '#src/use_cases/landing_record.ts'

/** A message about what was just done, or what went wrong. */
export type Flash = { readonly kind: 'success' | 'error' | 'info'; readonly text: Text }

/** Messages about what was done, by the `done` of an address; a text is that of a success. */
export type Flashes = Readonly<Record<string, Text | Flash>>

/** One page: what stands between the header and the footer, and what the frame says of it. */
export type Page = {
  /** Names the page in the browser's tab; the body has its own h1. */
  readonly title: Text
  readonly body: Html
  /** The entry of the navigation that this page belongs to, such as `/account/works`. */
  readonly current?: string
  /** Where the page belongs to, if not to the account of who is signed in. */
  readonly desk?: Desk
  readonly flash?: Flash
  /** Where the browser goes by itself, and after how long: a form must not redirect elsewhere. */
  readonly refresh?: { readonly seconds: number; readonly url: string }
  /** 200 by default. */
  readonly status?: number
  /** A column wide enough for tables. */
  readonly wide?: boolean
  /**
   * Its words are those of the desks of publishers and administrators, which some languages have:
   * to readers of the others it is English.
   */
  readonly isOfDesk?: boolean
  /** What else stands in the head: descriptions, links, data for programs. */
  readonly head?: Html
  /** Stylesheets of its own, after that of all pages. */
  readonly styles?: readonly Asset[]
  /** Modules that the page runs. */
  readonly scripts?: readonly Asset[]
}

type Frame = {
  readonly branding: Branding
  /** What stands before the paths of assets: the auth prefix, such as `/auth`, or nothing. */
  readonly assets: string
  /** The address of the registry without a slash at its end; empty for the page's own host. */
  readonly registry: string
  readonly header: Html
  /** The path of the page with its query, which the choice of a language leads back to. */
  readonly path: string
}

/** What a page may load and do: its stylesheet, images of its own, forms to its own origin. */
const basePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'"

/** The same, and to run modules of its own, which may ask its own origin. */
const scriptedPolicy = [
  basePolicy,
  "script-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The Content-Security-Policy of a page. */
export function pagePolicy({ scripts = [] }: Pick<Page, 'scripts'>): string {
  return scripts.length === 0 ? basePolicy : scriptedPolicy
}

/** The whole document of a page. */
export function renderPage(page: Page, whole: Frame): Html {
  const { title, refresh, head, styles = [], scripts = [] } = page
  const { assets, branding, header } = whole
  const shownIcon = branding.logo ?? icon
  const reload = refresh && `${refresh.seconds};url=${refresh.url}`
  const ownSheet = branding.sheet === undefined ? [] : [branding.sheet]
  const sheets = [stylesheet, ...styles, ...ownSheet].map(
    ({ path }) => html`<link rel="stylesheet" href="${assets}${path}">`,
  )
  const modules = scripts.map(
    ({ path }) => html`<script type="module" src="${assets}${path}"></script>`,
  )
  return html`<!doctype html>
<html lang="${ownTag}" dir="${ownDirection}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${reload === undefined ? '' : html`<meta http-equiv="refresh" content="${reload}">`}
<title>${page.status === 422 ? frame.errorTitle({ title }) : title} · ${branding.name}</title>
<link rel="icon" type="${shownIcon.type}" href="${assets}${shownIcon.path}">
${sheets}
${head}
${modules}
</head>
<body>
<a class="skip" href="#main">${frame.skip}</a>
<header class="header">
${header}
</header>
${new Content(page)}
${footer(whole)}
</body>
</html>
`
}

/** What stands between header and footer, all in English where the reader's language is not had. */
class Content extends Wording {
  readonly #page: Page

  constructor(page: Page) {
    super()
    this.#page = page
  }

  html(language: Language): string {
    const { isOfDesk = false, wide = false, flash, body } = this.#page
    const isHad = !isOfDesk || language.hasDesks
    const mark = isHad ? '' : html` lang="en" dir="ltr"`
    return html`<main id="main" class="${wide ? 'main main-wide' : 'main'}" tabindex="-1"${mark}>
${flashBox(flash)}
${body}
</main>`.html(isHad ? language : english)
  }
}

/** Where a page is in a language, which is at its own address in English. */
function addressIn(url: string, language: Language): string {
  return language === english ? url : `${url}${url.includes('?') ? '&' : '?'}lang=${language.tag}`
}

/** The address of a feed in the language of the page, as readers of feeds name none. */
export function feedAddress(path: string): Text {
  return inLanguage((language) => (languages.includes(language) ? addressIn(path, language) : path))
}

/**
 * The links of a translated page at an absolute address: by them crawlers find it in each language,
 * and count all spellings of an address as one.
 */
export function addressLinks(url: string): Html {
  const own = inLanguage((language) => addressIn(url, language))
  const others = languages.map(
    (each) => html`
<link rel="alternate" hreflang="${each.tag}" href="${addressIn(url, each)}">`,
  )
  return html`<link rel="canonical" href="${own}">${others}
<link rel="alternate" hreflang="x-default" href="${url}">`
}

/** The language that a page is written in, as its root element names it. */
const ownTag = inLanguage(({ tag }) => tag)
const ownDirection = inLanguage(({ direction }) => direction)

function flashBox(flash: Flash | undefined): Html {
  if (flash === undefined) return nothing
  const role = flash.kind === 'error' ? 'alert' : 'status'
  return html`<div class="flash flash-${flash.kind}" role="${role}"><p>${flash.text}</p></div>`
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<path d="M16 7v6M16 13 8 20M16 13l8 7"/><circle cx="16" cy="7" r="3.5"/>
<circle cx="8" cy="22" r="3.5"/><circle cx="24" cy="22" r="3.5"/></svg>`

/**
 * The logo and the name of the registry in a header, which lead to its first page. Paths of files
 * are below `assets`.
 */
export function brand({ name, logo }: Branding, registry: string, assets: string): Html {
  const shown =
    logo === undefined
      ? mark
      : html`<img src="${assets}${logo.path}" alt="" width="${logo.width}" height="${logo.height}">`
  return html`<a class="brand" href="${registry}/">${shown}<span dir="auto">${name}</span></a>`
}

/** A link of a navigation; `current` is the path of the page that it stands on. */
export function navigationLink(
  { base, path, name }: { readonly base: string; readonly path: string; readonly name: Text },
  current: string | undefined,
): Html {
  const href = base + path
  return path === current
    ? html`<a href="${href}" aria-current="page">${name}</a>`
    : html`<a href="${href}">${name}</a>`
}

/** Where those who would rather check, harvest or follow find what they need. */
const footerLinks = [
  ['/how-it-works', frame.howItWorks],
  ['/verify', frame.verify],
  ['/publishers', frame.publishers],
  ['/people', frame.people],
  ['/docs', frame.api],
  ['/log', frame.log],
  ['/.well-known/svc-keys.json', frame.keys],
  ['/policy', frame.policy],
  ['/contact', frame.contact],
  ['/privacy', frame.privacy],
  ['/status', frame.status],
  ['/api/v1/oai?verb=Identify', 'OAI-PMH'],
  [feedAddress('/feeds/works.atom'), frame.feed],
  ['/data', frame.data],
] as const

const softwareName = 'Arklog'

function footer({ registry, assets, path, branding }: Frame): Html {
  const items = footerLinks.map(
    ([place, name]) => html`<li><a href="${registry}${place}">${name}</a></li>`,
  )
  const { name: ownName, imprintUrl } = branding
  const imprint =
    imprintUrl === undefined
      ? nothing
      : html`<li><a href="${imprintUrl}" rel="noreferrer">${frame.imprint}</a></li>`
  const software =
    ownName === softwareName ? nothing : html`<li>${frame.software({ name: softwareName })}</li>`
  return html`<footer class="footer">
<p>${frame.about}</p>
<ul>${items}${imprint}${software}</ul>
${languageSwitch(assets, path)}
</footer>`
}

/** Where a language is chosen, below the prefix of the pages. */
export const languagePath = '/language'

/** A button for each language, which leads back to the page in that one. */
function languageSwitch(prefix: string, path: string): Html {
  const buttons = languages.map(
    ({ tag, name, direction }) =>
      html`<button name="lang" value="${tag}" lang="${tag}" dir="${direction}">${name}</button>`,
  )
  return html`<form class="languages" action="${prefix}${languagePath}"
aria-label="${frame.language}">
<input type="hidden" name="page" value="${path}">${buttons}</form>`
}

/** Where somebody works: their account, an organization, or the administration of the registry. */
export type Desk = {
  /** What it is called; an account is called by the name of its person, which the menu has. */
  readonly name?: Text
  /** What its navigation is called for screen readers. */
  readonly label: Text
  /** Its first page, and the one that is shown, below the prefix. */
  readonly path: string
  readonly current: string | undefined
  readonly sections: readonly (readonly [path: string, name: Text])[]
}

/** The name of a desk, and below it the way to all of its pages, in one row. */
export function deskHead(prefix: string, desk: Desk): Html {
  const { name, label, path, current, sections } = desk
  const items = sections.map(([section, text]) => {
    const isCurrent = section === current ? html` aria-current="page"` : ''
    return html`<li><a href="${prefix}${section}"${isCurrent}>${text}</a></li>`
  })
  const title =
    name === undefined
      ? nothing
      : html`<p class="desk-name"><a href="${prefix}${path}"><bdi>${name}</bdi></a></p>`
  return html`${title}
<nav class="navigation" aria-label="${label}"><ul>${items}</ul></nav>`
}

/** Who is signed in, and where they work beside their account. */
export type SignedInReader = {
  readonly name: string
  /** The organizations that they are a member of. */
  readonly organizations: readonly { readonly slug: string; readonly name: string }[]
  readonly isAdmin: boolean
  /** How many notices wait for them, such as `3`; empty if none do. */
  readonly unread: string
}

/** What a link to the notices says: that some are new, as far as there are. */
function noticesName(unread: string): Text {
  return unread === '' ? frame.notices : frame.newNotices({ unread })
}

/** Organizations that the menu names; there is a page of all of them. */
const organizationsMax = 10

/**
 * The menu of who is signed in: from any page to the account, to each organization, and to the
 * administration. `prefix` stands before the paths of the pages of accounts; `signOut` is the last
 * entry.
 */
export function whoMenu(
  { name, organizations, isAdmin, unread }: SignedInReader,
  prefix: string,
  signOut: Html,
): Html {
  const link = (path: string, text: Text) =>
    html`<li><a href="${prefix}${path}"><bdi>${text}</bdi></a></li>`
  const named = organizations.slice(0, organizationsMax)
  const word = html`<span class="new-word">${frame.newWord}</span>`
  const count = html` <span class="badge badge-waiting">${unread}${word}</span>`
  return html`<details class="who-menu"><summary><bdi>${name}</bdi>${
    unread === '' ? nothing : count
  }</summary><ul>
${link('/account', frame.profile)}
${link('/account/works', frame.works)}
${link(noticesPath, noticesName(unread))}
${named.map(({ slug, name: text }) => link(`/organizations/${slug}`, text))}
${organizations.length > named.length ? link('/organizations', frame.allOrganizations) : nothing}
${isAdmin ? link('/admin', frame.administration) : nothing}
<li>${signOut}</li>
</ul></details>`
}
