import { HttpError } from '#src/edge/errors.ts'
import type { WebSession } from '#src/identity/accounts/web_session.ts'
import {
  type Application,
  isLoopback,
  isPrivateUse,
  writingOrganization,
} from '#src/identity/oauth/application_record.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import { authenticationOf } from '#src/identity/oauth/authentication_context.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import { readerLanguage, type ReaderRequest } from '#src/edge/reader_language.ts'
import {
  findOAuthScope,
  type OAuthScope,
  oauthScopeNames,
} from '#src/identity/oauth/oauth_scopes.ts'
import type { IdentityProvider, Question } from '#src/identity/oauth/provider.ts'
import type { ProviderPages, SignInDetails } from '#src/identity/oauth/provider_configuration.ts'
import {
  type AccountFrame,
  type AccountPage,
  renderAccountPage,
  writePage,
} from '#src/pages/kit/account_frame.ts'
import { checkbox, type FormBody, formCard } from '#src/pages/kit/form.ts'
import { html, type Html, nothing, trustedHtml } from '#src/pages/kit/html.ts'
import { signInAnew } from '#src/pages/kit/page_address.ts'
import type { PageReply, Pages, Visit } from '#src/pages/kit/pages.ts'
import { badge, card, facts } from '#src/pages/kit/parts.ts'

/** What an application asks of a person, and what the person has answered before. */
type ConsentQuestion = {
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

type ConsentForm = { readonly action: string; readonly csrf: string }

function boxName(scope: string): string {
  return `permit:${scope}`
}

function consentPage(question: ConsentQuestion, { action, csrf }: ConsentForm): AccountPage {
  const { application, asked, permitted } = question
  const scopes = asked.flatMap((name) => findOAuthScope(name) ?? [])
  const deny = html`<button class="button button-quiet" type="submit" name="deny" value="on">
Do not permit</button>`
  const fields = html`
${boxes('It may read', 'read', scopes, question)}
${boxes('It may write', 'write', scopes, question)}
<p class="hint">You can take back what you permit at any time, on the page Applications.</p>`
  return {
    title: `Permit ${application.name}?`,
    lead: 'This application asks to act for you. Untick what you do not want to permit.',
    content: html`${warning(application)}
${card('Who asks', about(question))}
${formCard({ action, csrf, fields, submit: 'Permit', beside: deny })}
${permitted.length === 0 ? '' : card('What you have permitted it before', list(permitted))}`,
  }
}

/** What a person sees of an answer until the browser has gone on. */
function goingOnPage(url: string): AccountPage {
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
  const { host, protocol } = new URL(redirectUri)
  const app = isPrivateUse(redirectUri) ? `an app on this device (${protocol.slice(0, -1)})` : host
  const back = isLoopback(redirectUri) ? 'a program on this computer' : app
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

/** What the answers to the identity provider's questions are made from. */
type Interactions = {
  readonly provider: IdentityProvider
  readonly applications: Applications
  readonly grants: Grants
  /** The name of an organization, by its slug; undefined if there is none. */
  readonly organizationName: (slug: string) => string | undefined
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

const path = '/interaction/:uid'
/** Reasons for which the provider wants a new sign-in, however young the one that there is. */
const anewReasons: ReadonlySet<string> = new Set(['login_prompt', 'max_age_zero'])

const refusal = { error: 'access_denied', error_description: 'the person did not permit it' }

/** Adds the page on which the identity provider asks a person to sign in or to consent. */
export function addInteractionPages(pages: Pages, interactions: Interactions): void {
  pages.open.get(path, async (visit) => {
    const question = await readQuestion(interactions, visit)
    if (question.prompt.name === 'login') return signIn(pages, interactions, visit, question)
    checkPerson(visit, question)
    const action = `${pages.prefix}/interaction/${question.uid}`
    return consentPage(describe(interactions, question), { action, csrf: visit.csrf })
  })

  pages.open.post(path, async (visit, form) => {
    const question = await readQuestion(interactions, visit)
    if (question.prompt.name !== 'consent') throw expired()
    checkPerson(visit, question)
    // A form may not lead to another origin by a redirect, so a page of ours leads there.
    return goingOnPage(await answer(interactions, visit, question, form))
  })
}

/** What the provider asks, if this browser is the one that it asks. */
async function readQuestion({ provider }: Interactions, visit: Visit): Promise<Question> {
  const { request, reply, parameters } = visit
  const question = await provider.question(request.raw, reply.raw)
  if (question === undefined || question.uid !== parameters['uid']) throw expired()
  return question
}

function expired(): HttpError {
  const message = 'This request has expired, or was answered: go back to the application'
  return new HttpError('gone', `${message}, and begin again there`)
}

/** Somebody else may have signed in since the provider asked. */
function checkPerson({ account }: Visit, { session }: Question): void {
  if (account === undefined || account.ppid !== session?.accountId) throw expired()
}

/**
 * Signs a person of the pages in to the provider; others are sent to sign in first. Who is asked to
 * sign in anew stays signed in until they have, as the same person or as another.
 */
async function signIn(
  pages: Pages,
  { provider, nowMs }: Interactions,
  visit: Visit,
  question: Question,
): Promise<PageReply> {
  const { account, session, request, reply } = visit
  const here = `${pages.prefix}/interaction/${question.uid}`
  const signInFirst = (query: Record<string, string> = {}) => ({
    redirect: `/sign-in?${new URLSearchParams({ return_to: here, ...query })}`,
  })
  if (account === undefined || session === undefined) return signInFirst()
  const authentication = authenticationOf(session)
  const isAnswer = isOtherSession(session, question) && authentication.ts >= question.iat
  if (asksAnew(question, authentication.ts, nowMs()) && !isAnswer) {
    return signInFirst({ [signInAnew]: '1' })
  }
  // The provider holds an answer to be for the person that it has asked.
  if (question.session !== undefined && question.session.accountId !== account.ppid) {
    delete question.session
    await question.persist()
  }
  const login = { accountId: account.ppid, ...authentication }
  const interactions = await provider.interactions()
  return { redirect: await interactions.interactionResult(request.raw, reply.raw, { login }) }
}

/**
 * Whether the application asks for a new sign-in than that of a time in seconds since 1970. The
 * provider asks for one by `max_age` also where it knows of none yet, while the pages do.
 */
function asksAnew(
  { prompt: { reasons }, params }: Question,
  signedInSeconds: number,
  nowMs: number,
): boolean {
  if (reasons.some((reason) => anewReasons.has(reason))) return true
  const ageSeconds = Math.floor(nowMs / 1_000) - signedInSeconds
  return reasons.includes('max_age') && ageSeconds > Number(params['max_age'])
}

function isOtherSession({ id }: WebSession, { prompt }: Question): boolean {
  const { askedSessionId }: SignInDetails = prompt.details
  return id !== askedSessionId
}

function describe(
  { applications, grants, organizationName }: Interactions,
  { params, session }: Question,
) {
  const clientId = String(params['client_id'])
  const application = applications.findUsable(clientId)
  if (application === undefined) throw expired()
  const { organization } = application
  const grant = grants.findFor(session?.accountId ?? '', clientId)
  const asked = askedScopes(params)
  const permitted = grant?.scopes ?? []
  return {
    application,
    organizationName: organization === null ? undefined : organizationName(organization),
    redirectUri: String(params['redirect_uri']),
    asked,
    refused: new Set(grant === undefined ? [] : grants.refused(grant.id)),
    permitted: permitted.filter((scope) => !asked.includes(scope)),
  }
}

function askedScopes(params: Question['params']): string[] {
  const { scope } = params
  const asked = new Set(typeof scope === 'string' ? scope.split(' ') : [])
  return oauthScopeNames.filter((name) => asked.has(name))
}

/** Tells the provider what the person said; gives where the browser goes then. */
async function answer(
  { provider, applications }: Interactions,
  { request, reply }: Visit,
  { params, session, grantId }: Question,
  form: FormBody,
): Promise<string> {
  const clientId = String(params['client_id'])
  if (applications.findUsable(clientId) === undefined) throw expired()
  const interactions = await provider.interactions()
  const asked = askedScopes(params)
  const ticked = asked.filter((scope) => scope === 'openid' || form.has(boxName(scope)))
  if (form.has('deny') || ticked.length === 0) {
    return interactions.interactionResult(request.raw, reply.raw, refusal, {
      mergeWithLastSubmission: false,
    })
  }
  const accountId = session?.accountId ?? ''
  const grant =
    (grantId === undefined ? undefined : await interactions.Grant.find(grantId)) ??
    new interactions.Grant({ accountId, clientId })
  const before = grant.getOIDCScope().split(' ')
  const refused = asked.filter((scope) => !ticked.includes(scope))
  const stillRefused = grant.getRejectedOIDCScope().split(' ')
  const scopes = [...before.filter((scope) => !asked.includes(scope)), ...ticked]
  grant.openid = { scope: scopes.filter((scope) => scope !== '').join(' ') }
  const rejected = [...stillRefused.filter((scope) => !asked.includes(scope)), ...refused]
  grant.rejected = { openid: { scope: rejected.filter((scope) => scope !== '').join(' ') } }
  const consent = { grantId: await grant.save() }
  return interactions.interactionResult(request.raw, reply.raw, { consent })
}

/** What went wrong, for errors that a person can do something about. */
const advice: Readonly<Record<string, string>> = {
  invalid_client: 'The application is not known here, or was withdrawn.',
  invalid_redirect_uri: 'The application asked to have you sent to an address that is not its own.',
  server_error: 'It is our fault, and was noted.',
  temporarily_unavailable: 'Try again after a moment.',
}

/** The pages that the identity provider itself sends, in the frame of all others. */
export function providerPages(
  frame: Omit<AccountFrame, 'csrf' | 'reader' | 'path'>,
): ProviderPages {
  const whole = { ...frame, csrf: '', reader: undefined, path: `${frame.prefix}/sign-in` }
  const render = (request: ReaderRequest, page: AccountPage) =>
    renderAccountPage(writePage(page), whole).html(readerLanguage(request))
  return {
    error(request, error, description) {
      return render(request, {
        title: 'This did not work',
        lead: advice[error] ?? 'Go back to the application, and begin again there.',
        content: html`<p class="hint">For who runs the application: <code>${error}</code>
${description === undefined ? '' : `: ${description}`}</p>`,
      })
    },
    signOut(request, form) {
      return render(request, {
        title: 'Sign out?',
        lead: 'An application asks to have you signed out here.',
        content: html`<div class="card">${trustedHtml(form)}
<div class="buttons">
<button class="button" type="submit" form="op.logoutForm" name="logout" value="yes">
Sign out</button>
<button class="button button-quiet" type="submit" form="op.logoutForm">Stay signed in</button>
</div></div>`,
      })
    },
    signedOut(request) {
      return render(request, {
        title: 'You are signed out',
        lead: 'You can close this page.',
      })
    },
    goOn: (request, url) => render(request, goingOnPage(url)),
  }
}
