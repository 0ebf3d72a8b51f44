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
import { PageError } from '#src/pages/kit/error_page.ts'
import { checkbox, type FormBody, formCard } from '#src/pages/kit/form.ts'
import { html, type Html, nothing, trustedHtml } from '#src/pages/kit/html.ts'
import { signInAnew } from '#src/pages/kit/page_address.ts'
import type { PageReply, Pages, Visit } from '#src/pages/kit/pages.ts'
import { asLink, badge, card, facts } from '#src/pages/kit/parts.ts'
import { consent as words, credentials, frame } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

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
${words.deny}</button>`
  const fields = html`
${boxes(words.canRead, 'read', scopes, question)}
${boxes(words.canWrite, 'write', scopes, question)}
<p class="hint">${words.hint}</p>`
  return {
    title: words.title({ name: application.name }),
    lead: words.lead,
    content: html`${warning(application)}
${card(words.who, about(question))}
${formCard({ action, csrf, fields, submit: words.permit, beside: deny })}
${permitted.length === 0 ? '' : card(words.before, list(permitted))}`,
  }
}

/** What a person sees of an answer until the browser has gone on. */
function goingOnPage(url: string): AccountPage {
  return {
    title: words.goingTitle,
    refresh: { seconds: 0, url },
    heading: words.goingHeading,
    content: html`<p>${credentials.goOn({
      link: asLink(url),
    })}</p>`,
  }
}

function warning({ state }: Application): Html {
  if (state === 'approved') return nothing
  return html`<div class="flash flash-error" role="note">
<p>${badge(words.notVerified, 'waiting')} ${words.notVerifiedText}</p>
<p>${words.notVerifiedAdvice}</p></div>`
}

function about(question: ConsentQuestion): Html {
  const { application, organizationName, redirectUri } = question
  const { homepage, contact, owner } = application
  const writes = (writingOrganization(application) && organizationName) ?? words.you
  const owned = organizationName ?? (owner.type === 'person' ? words.person : words.thisRegistry)
  const { host, protocol } = new URL(redirectUri)
  const app = isPrivateUse(redirectUri)
    ? words.deviceApp({ protocol: protocol.slice(0, -1) })
    : host
  const back = isLoopback(redirectUri) ? words.computerProgram : app
  return facts([
    [words.application, application.name],
    [words.belongsTo, owned],
    [words.backTo, back],
    [words.shownAs, writes],
    [words.homePage, homepage === null ? undefined : homeLink(homepage)],
    [words.contact, contact],
  ])
}

// Only https addresses are registered as home pages.
function homeLink(homepage: string): Html {
  return html`<a href="${homepage}" rel="noreferrer nofollow">${new URL(homepage).host}</a>`
}

function boxes(
  legend: Text,
  access: OAuthScope['access'],
  scopes: readonly OAuthScope[],
  { refused }: ConsentQuestion,
): Html {
  const shown = scopes.filter((scope) => scope.access === access)
  if (shown.length === 0) return nothing
  const items = shown.map(({ name, meaning }) => {
    const label = scopeWords[name] ?? meaning
    // A person who does not want to be identified refuses the whole request.
    if (name === 'openid') return html`<p class="box">${label}</p>`
    return checkbox({ name: boxName(name), label, checked: !refused.has(name) })
  })
  return html`<fieldset><legend>${legend}</legend>${items}</fieldset>`
}

function list(scopes: readonly string[]): Html {
  const items = scopes.flatMap((name) => findOAuthScope(name) ?? [])
  const shown = items.map(({ name, meaning }) => html`<li>${scopeWords[name] ?? meaning}</li>`)
  return html`<ul>${shown}</ul>`
}

/** What permissions let an application do, by their names. */
export const scopeWords: Readonly<Record<string, Text>> = {
  openid: words.openid,
  profile: words.profile,
  email: words.email,
  'svc:works:read': words.worksRead,
  'svc:author:read': words.authorRead,
  'svc:affiliations:read': words.affiliationsRead,
  'svc:receipts:read': words.receiptsRead,
  offline_access: words.offline,
  'svc:works:write': words.worksWrite,
  'svc:works:delete': words.worksDelete,
  'svc:affiliations:write': words.affiliationsWrite,
  'svc:author:write': words.authorWrite,
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

function expired(): PageError {
  return new PageError('gone', words.expired)
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
const advice: Readonly<Record<string, Text>> = {
  invalid_client: words.invalid_client,
  invalid_redirect_uri: words.invalid_redirect_uri,
  server_error: words.server_error,
  temporarily_unavailable: words.temporarily_unavailable,
}

/** The pages that the identity provider itself sends, in the frame of all others. */
export function providerPages(
  around: Omit<AccountFrame, 'csrf' | 'reader' | 'path'>,
): ProviderPages {
  const whole = { ...around, csrf: '', reader: undefined, path: `${around.prefix}/sign-in` }
  const render = (request: ReaderRequest, page: AccountPage) =>
    renderAccountPage(writePage(page), whole).html(readerLanguage(request))
  return {
    error(request, error, description) {
      return render(request, {
        title: words.failedTitle,
        lead: advice[error] ?? words.beginAgain,
        content: html`<p class="hint">${words.forOperator} <code>${error}</code>
${description === undefined ? '' : inEnglish(description)}</p>`,
      })
    },
    signOut(request, form) {
      return render(request, {
        title: words.signOutTitle,
        lead: words.signOutLead,
        content: html`<div class="card">${trustedHtml(form)}
<div class="buttons">
<button class="button" type="submit" form="op.logoutForm" name="logout" value="yes">
${frame.signOut}</button>
<button class="button button-quiet" type="submit" form="op.logoutForm">${words.stay}</button>
</div></div>`,
      })
    },
    signedOut(request) {
      return render(request, {
        title: words.signedOutTitle,
        lead: words.signedOutLead,
      })
    },
    goOn: (request, url) => render(request, goingOnPage(url)),
  }
}
