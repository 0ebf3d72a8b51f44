import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import {
  type Application,
  isLoopback,
  writingOrganization,
} from '#src/identity/oauth/application_record.ts'
import { findOAuthScope, type OAuthScope } from '#src/identity/oauth/oauth_scopes.ts'
import { checkbox, formCard } from '#src/pages/kit/form_field.ts'
import { badge, card, facts } from '#src/pages/kit/parts.ts'

/** What an application asks of a person, and what the person has answered before. */
export type ConsentQuestion = {
  readonly application: Application
  /** The organization that owns the application, if one does. */
  readonly organizationName: string | undefined
  /** Where the browser goes from here. */
  readonly redirectUri: string
  /** The scopes that are asked for now. */
  readonly asked: readonly string[]
  /** Those of them that were refused before. */
  readonly refused: ReadonlySet<string>
  /** What the application may do already. */
  readonly permitted: readonly string[]
}

/** Where the answer goes. */
export type ConsentForm = { readonly action: string; readonly csrf: string }

/** The name of the box of a scope in the form. */
export function boxName(scope: string): string {
  return `permit:${scope}`
}

/** The page on which a person permits an application something, or refuses it. */
export function consentPage(question: ConsentQuestion, { action, csrf }: ConsentForm): AccountPage {
  const { application, asked, permitted } = question
  const scopes = asked.flatMap((name) => findOAuthScope(name) ?? [])
  const deny = html`<button class="button button-quiet" type="submit" name="deny" value="on">
Do not permit</button>`
  const fields = html`
${boxes('It may read', 'read', scopes, question)}
${boxes('It may write', 'write', scopes, question)}
<p class="hint">You can take back what you permit at any time, on the page Applications.</p>`
  const answer = formCard({ action, csrf, fields, submit: 'Permit', beside: deny })
  return {
    title: `Permit ${application.name}?`,
    lead: 'This application asks to act for you. Untick what you do not want to permit.',
    content: html`${warning(application)}
${card('Who asks', about(question))}
${answer}
${permitted.length === 0 ? '' : card('What you have permitted it before', list(permitted))}`,
  }
}

/** What a person sees of an answer until the browser has gone on. */
export function goingOnPage(url: string): AccountPage {
  return {
    title: 'Going back',
    refresh: { seconds: 0, url },
    heading: 'Going back to the application',
    content: html`<p>If nothing happens, <a href="${url}">go on by yourself</a>.</p>`,
  }
}

function warning({ state }: Application): Html {
  if (state === 'approved') return nothing
  return html`<div class="flash flash-error" role="note">
<p>${badge('Not verified', 'waiting')} Nobody here has checked who is behind this application.</p>
<p>Permit it something only if you came from there yourself and know who runs it.</p></div>`
}

function about(question: ConsentQuestion): Html {
  const { application, organizationName, redirectUri } = question
  const { homepage, contact, owner } = application
  const writes = (writingOrganization(application) && organizationName) ?? 'you'
  const owned = organizationName ?? (owner.type === 'person' ? 'a person' : 'this registry')
  const back = isLoopback(redirectUri) ? 'a program on this computer' : new URL(redirectUri).host
  return facts([
    ['Application', application.name],
    ['Belongs to', owned],
    ['Sends you back to', back],
    ['What it writes is shown as written by', writes],
    ['Home page', homepage === null ? undefined : homeLink(homepage)],
    ['Contact', contact],
  ])
}

// Only https addresses are registered as home pages.
function homeLink(homepage: string): Html {
  return html`<a href="${homepage}" rel="noreferrer nofollow">${new URL(homepage).host}</a>`
}

function boxes(
  legend: string,
  access: OAuthScope['access'],
  scopes: readonly OAuthScope[],
  { refused }: ConsentQuestion,
): Html {
  const shown = scopes.filter((scope) => scope.access === access)
  if (shown.length === 0) return nothing
  const items = shown.map(({ name, meaning }) => {
    // A person who does not want to be identified refuses the whole request.
    if (name === 'openid') return html`<p class="box">It will ${meaning}.</p>`
    return checkbox({ name: boxName(name), label: sentence(meaning), checked: !refused.has(name) })
  })
  return html`<fieldset><legend>${legend}</legend>${items}</fieldset>`
}

function list(scopes: readonly string[]): Html {
  const items = scopes.flatMap((name) => findOAuthScope(name) ?? [])
  return html`<ul>${items.map(({ meaning }) => html`<li>${sentence(meaning)}</li>`)}</ul>`
}

function sentence(meaning: string): string {
  return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`
}
